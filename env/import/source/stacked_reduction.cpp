#include "env/import/source/stacked_reduction.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "env/import/source/reduced_level.h"

namespace tidewise::ingest {
namespace {

constexpr double min_anomaly = 1e-12;  // relative to the mean: less is round-off of interpolation

/// The variance summed over the values of a profile, (member, value); 0 if it is round-off.
double variance_of(const std::vector<double>& samples, std::size_t members) {
  const std::size_t values = samples.size() / members;
  double variance = 0;
  double squares = 0;
  for (std::size_t n = 0; n < values; ++n) {
    double mean = 0;
    for (std::size_t member = 0; member < members; ++member) mean += samples[member * values + n];
    mean /= static_cast<double>(members);
    squares += mean * mean;
    for (std::size_t member = 0; member < members; ++member) {
      const double anomaly = samples[member * values + n] - mean;
      variance += anomaly * anomaly;
    }
  }
  variance /= static_cast<double>(members);
  return variance > squares * min_anomaly * min_anomaly ? variance : 0;
}

}  // namespace

StackedReduction::StackedReduction(std::vector<LevelEnsemble>& levels)
    : scale_(levels.size(), 1.0),
      begin_(levels.size() + 1, 0),
      reduction_(stack(levels), levels.front().member_count) {
  const std::size_t modes = levels.front().member_count;
  if (levels.size() == 1) {
    variances_ = {reduction_.variances()};
    return;
  }
  variances_.assign(levels.size(), std::vector<double>(modes, 0.0));
  for (std::size_t m = 0; m < modes && reduction_.variances()[m] > 0; ++m) {
    const std::vector<double> mode = reduction_.mode(m);
    for (std::size_t p = 0; p < levels.size(); ++p) {
      for (const double value : profile_values(mode, p)) variances_[p][m] += value * value;
    }
  }
}

std::vector<double> StackedReduction::stack(std::vector<LevelEnsemble>& levels) {
  const std::size_t members = levels.front().member_count;
  if (levels.size() == 1) {
    begin_.back() = levels.front().samples.size() / members;
    return std::move(levels.front().samples);
  }
  std::vector<double> variance;
  variance.reserve(levels.size());
  for (const LevelEnsemble& level : levels) variance.push_back(variance_of(level.samples, members));
  const double max = *std::max_element(variance.begin(), variance.end());
  for (std::size_t p = 0; p < levels.size(); ++p) {
    begin_[p + 1] = begin_[p] + levels[p].samples.size() / members;
    const double reference = variance[p] > 0 ? variance[p] : max;
    if (reference > 0) scale_[p] = 1 / std::sqrt(reference);
  }
  std::vector<double> stacked;
  stacked.reserve(begin_.back() * members);
  for (std::size_t member = 0; member < members; ++member) {
    for (std::size_t p = 0; p < levels.size(); ++p) {
      const std::size_t values = begin_[p + 1] - begin_[p];
      for (std::size_t n = 0; n < values; ++n) {
        stacked.push_back(scale_[p] * levels[p].samples[member * values + n]);
      }
    }
  }
  for (LevelEnsemble& level : levels) level.samples = {};
  return stacked;
}

std::vector<double> StackedReduction::profile_values(const std::vector<double>& values,
                                                     std::size_t profile) const {
  const auto begin = values.begin() + static_cast<std::ptrdiff_t>(begin_[profile]);
  const auto end = values.begin() + static_cast<std::ptrdiff_t>(begin_[profile + 1]);
  std::vector<double> unscaled(begin, end);
  for (double& value : unscaled) value /= scale_[profile];
  return unscaled;
}

std::size_t StackedReduction::modes_for(double share) const {
  if (variances_.size() == 1) return reduction_.modes_for(share);
  std::size_t needed = 1;
  const auto nonzero_count = static_cast<std::size_t>(
      std::count_if(reduction_.variances().begin(), reduction_.variances().end(),
                    [](double variance) { return variance > 0; }));
  for (const auto& variance : variances_) {
    const double total = std::accumulate(variance.begin(), variance.end(), 0.0);
    double kept = variance.front();
    std::size_t count = 1;
    while (count < nonzero_count && total > 0 && kept / total < share) kept += variance[count++];
    needed = std::max(needed, count);
  }
  return needed;
}

void StackedReduction::fill_velocity(const std::vector<LevelEnsemble>& levels,
                                     std::size_t mode_count,
                                     std::vector<LevelFields<>>& fields) const {
  for (std::size_t p = 0; p < levels.size(); ++p) {
    spread_over_water(profile_values(reduction_.mean(), p), levels[p], fields[p].u_mean.data(),
                      fields[p].v_mean.data());
  }
  for (std::size_t m = 0; m < mode_count; ++m) {
    const std::vector<double> mode = reduction_.mode(m);
    for (std::size_t p = 0; p < levels.size(); ++p) {
      const std::size_t cells = levels[p].land.size();
      spread_over_water(profile_values(mode, p), levels[p], fields[p].u_mode.data() + m * cells,
                        fields[p].v_mode.data() + m * cells);
    }
  }
}

}  // namespace tidewise::ingest

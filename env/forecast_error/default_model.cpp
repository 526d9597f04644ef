#include "env/forecast_error/default_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tidewise {
namespace {

constexpr double default_analysis_error = 0.15;  // e0 [m s-1]
constexpr double default_skill = 0.8;            // s
constexpr std::size_t max_cells = 4096;          // cells whose velocities are sampled
constexpr std::size_t max_samples = 1'000'000;   // sampled values of each component, at all levels
constexpr std::size_t min_cells = 64;
constexpr std::size_t max_starts = 64;  // levels from which changes are measured
constexpr std::int32_t max_lines = 64;  // rows and columns along which differences are taken
constexpr std::int32_t max_distances = 100;
constexpr std::size_t max_spatial_levels = 16;
constexpr std::size_t max_lead_times = 100;
constexpr double tidal_mean = 25 * 3600;  // [s] two semidiurnal tides, about one diurnal tide
constexpr std::size_t min_in_mean = 3;    // levels

std::size_t divide_rounding_up(std::size_t whole, std::size_t parts) {
  return (whole + parts - 1) / parts;
}

}  // namespace

FlowStatistics::FlowStatistics(const Grid& grid, double step, std::size_t level_count)
    : grid_(grid), step_(step), level_count_(level_count) {
  const auto cells = static_cast<std::size_t>(grid.cell_count());
  const std::size_t cell_count =
      std::clamp(max_samples / level_count, std::min(min_cells, cells), max_cells);
  // A stride without a common factor with the row length also spreads over columns.
  std::size_t stride = std::max<std::size_t>(1, cells / cell_count);
  while (stride > 1 && static_cast<std::size_t>(grid.nx) % stride == 0) --stride;
  for (std::size_t cell = 0; cell < cells; cell += stride) cells_.push_back(cell);
  const auto distances = static_cast<std::size_t>(std::max(grid.nx, grid.ny) / 2 + 1);
  square_change_.assign(distances, 0.0);
  pair_count_.assign(distances, 0.0);
}

void FlowStatistics::add(const std::vector<double>& u, const std::vector<double>& v) {
  for (const auto* component : {&u, &v}) {
    for (const std::size_t cell : cells_)
      samples_.push_back(static_cast<float>((*component)[cell]));
  }
  if (level_++ % divide_rounding_up(level_count_, max_spatial_levels) != 0) return;
  double variance = 0;
  for (const auto* component : {&u, &v}) {
    double count = 0;
    double sum = 0;
    double squares = 0;
    for (const double value : *component) {
      if (std::isnan(value)) continue;
      ++count;
      sum += value;
      squares += value * value;
    }
    if (count > 0) variance += (squares - sum * sum / count) / count / 2;
  }
  spatial_variance_ += variance;
  ++spatial_level_count_;
  add_longitudinal(u, true);
  add_longitudinal(v, false);
}

void FlowStatistics::add_longitudinal(const std::vector<double>& velocity, bool along_x) {
  const std::int32_t length = along_x ? grid_.nx : grid_.ny;
  const std::int32_t lines = along_x ? grid_.ny : grid_.nx;
  const auto cell = [&](std::int32_t line, std::int32_t n) {
    return static_cast<std::size_t>(along_x ? line * grid_.nx + n : n * grid_.nx + line);
  };
  const std::int32_t line_stride = (lines + max_lines - 1) / max_lines;
  const std::int32_t farthest = length / 2;
  const std::int32_t stride = std::max(1, farthest / max_distances);
  for (std::int32_t distance = 1; distance <= farthest; distance += stride) {
    double squares = 0;
    double count = 0;
    for (std::int32_t line = 0; line < lines; line += line_stride) {
      for (std::int32_t n = 0; n + distance < length; ++n) {
        const double change = velocity[cell(line, n + distance)] - velocity[cell(line, n)];
        if (std::isnan(change)) continue;
        squares += change * change;
        ++count;
      }
    }
    square_change_[static_cast<std::size_t>(distance)] += squares;
    pair_count_[static_cast<std::size_t>(distance)] += count;
  }
}

double FlowStatistics::variance() const {
  const std::size_t cells = cells_.size();
  double variance = 0;
  for (const std::size_t component : {0, 1}) {
    double count = 0;
    double sum = 0;
    double squares = 0;
    for (std::size_t n = 0; n < samples_.size(); ++n) {
      if (n / cells % 2 != component || std::isnan(samples_[n])) continue;
      ++count;
      sum += samples_[n];
      squares += double{samples_[n]} * samples_[n];
    }
    if (count > 0) variance += (squares - sum * sum / count) / count / 2;
  }
  return variance;
}

std::vector<double> FlowStatistics::change_in_time() const {
  const std::size_t size = 2 * cells_.size();
  std::vector<double> change{0.0};
  for (std::size_t lag = 1; lag < level_; ++lag) {
    double squares = 0;
    double count = 0;
    const std::size_t stride = divide_rounding_up(level_ - lag, max_starts);
    for (std::size_t start = 0; start + lag < level_; start += stride) {
      const float* before = samples_.data() + start * size;
      const float* after = before + lag * size;
      for (std::size_t n = 0; n < size; ++n) {
        const double difference = double{after[n]} - before[n];
        if (std::isnan(difference)) continue;
        squares += difference * difference;
        ++count;
      }
    }
    change.push_back(std::max(change.back(), count > 0 ? squares / count : 0.0));
  }
  return change;
}

double FlowStatistics::length() const {
  const double shorter = std::min(grid_.nx * grid_.dx, grid_.ny * grid_.dy);
  const double variance = spatial_variance_ / static_cast<double>(spatial_level_count_);
  const double threshold = 2 * variance * (1 - std::exp(-0.5));
  double change_before = 0;
  double distance_before = 0;
  for (std::size_t n = 1; n < square_change_.size(); ++n) {
    if (pair_count_[n] == 0) continue;
    const double change = square_change_[n] / pair_count_[n];
    const double distance = static_cast<double>(n) * grid_.dx;
    if (change >= threshold) {
      return std::max(2 * grid_.dx,
                      std::lerp(distance_before, distance,
                                (threshold - change_before) / (change - change_before)));
    }
    change_before = change;
    distance_before = distance;
  }
  return std::max(2 * grid_.dx, shorter / 4);
}

FlowStatistics FlowStatistics::running_mean(std::size_t levels) const {
  FlowStatistics mean = *this;
  const std::size_t size = 2 * cells_.size();
  mean.level_ = level_ - levels + 1;
  mean.samples_.resize(mean.level_ * size);
  for (std::size_t n = 0; n < mean.samples_.size(); ++n) {
    double sum = 0;
    for (std::size_t k = 0; k < levels; ++k) sum += samples_[n + k * size];
    mean.samples_[n] = static_cast<float>(sum / static_cast<double>(levels));
  }
  return mean;
}

namespace {

/// The first time at which D reaches 2σ²(1 − 1/e) [s]; if there is none, one step after the last.
double decorrelation_time(const FlowStatistics& flow) {
  const std::vector<double> change = flow.change_in_time();
  const double decorrelated = 2 * flow.variance() * (1 - std::exp(-1.0));
  const auto first = std::find_if(change.begin() + 1, change.end(),
                                  [&](double value) { return value >= decorrelated; });
  return static_cast<double>(first - change.begin()) * flow.step();
}

}  // namespace

ForecastErrorModel default_error_model(const FlowStatistics& flow, double analysis_error) {
  const std::vector<double> change = flow.change_in_time();
  const double variance = flow.variance();
  const double start = analysis_error * default_analysis_error;
  ForecastErrorModel model;
  const std::size_t stride = divide_rounding_up(change.size(), max_lead_times);
  for (std::size_t n = 0; n < change.size(); n += stride) {
    const double square = start * start + default_skill * default_skill * change[n];
    model.rms.emplace_back(static_cast<double>(n) * flow.step(),
                           std::sqrt(std::min(square, 2 * variance)));
  }
  model.length = flow.length();
  model.slow_time = decorrelation_time(flow);
  const auto levels = static_cast<std::size_t>(std::round(tidal_mean / flow.step()));
  if (levels >= min_in_mean && change.size() >= 2 * levels && variance > 0) {
    const FlowStatistics mean = flow.running_mean(levels);
    model.slow_share = std::min(1.0, mean.variance() / variance);
    model.fast_time = model.slow_time;
    model.slow_time = std::max(model.fast_time, decorrelation_time(mean));
  }
  model.source = fmt::format(
      "a guess from the forecast's own variability: e0 = {} m/s (Kuang et al. 2012), s = {} "
      "(after Phillipson and Toumi 2017)",
      start, default_skill);
  return model;
}

}  // namespace tidewise

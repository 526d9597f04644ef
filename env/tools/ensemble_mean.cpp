#include "env/tools/ensemble_mean.h"

#include <numeric>

namespace tidewise {
namespace {

/// (mode)
std::vector<double> average_coefficients(const LevelView& level, const RealizationShares& shares,
                                         std::int32_t mode_count) {
  std::vector<double> average;
  const auto count = static_cast<std::size_t>(level.realization_count);
  for (std::size_t m = 0; m < static_cast<std::size_t>(mode_count); ++m) {
    double sum = 0;
    for (std::size_t n = 0; n < shares.realization.size(); ++n) {
      const auto r = static_cast<std::size_t>(shares.realization[n]);
      sum += shares.share[n] * level.coefficient[m * count + r];
    }
    average.push_back(sum);
  }
  return average;
}

/// One component. mean: (y, x), mode: (mode, y, x).
void average_component(View<const float> mean, View<const float> mode,
                       const std::vector<double>& coefficient, View<float> out) {
  for (std::size_t cell = 0; cell < mean.size; ++cell) {
    double velocity = mean[cell];
    for (std::size_t m = 0; m < coefficient.size(); ++m) {
      velocity += coefficient[m] * mode[m * mean.size + cell];
    }
    out[cell] = static_cast<float>(velocity);
  }
}

}  // namespace

RealizationShares realization_shares(const std::vector<std::int32_t>& realization,
                                     const std::vector<std::uint32_t>& weight) {
  RealizationShares shares{realization, {}};
  if (weight.empty()) {
    shares.share.assign(realization.size(), 1.0 / static_cast<double>(realization.size()));
    return shares;
  }
  const double total = std::accumulate(weight.begin(), weight.end(), 0.0);
  for (const std::uint32_t w : weight) shares.share.push_back(w / total);
  return shares;
}

void average_flow(const LevelView& level, const RealizationShares& shares, std::int32_t mode_count,
                  View<float> u, View<float> v) {
  const std::vector<double> coefficient = average_coefficients(level, shares, mode_count);
  average_component(level.u_mean, level.u_mode, coefficient, u);
  average_component(level.v_mean, level.v_mode, coefficient, v);
}

}  // namespace tidewise

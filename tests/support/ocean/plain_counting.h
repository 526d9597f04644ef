#pragma once

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "model_builder/step/position.h"
#include "support/ocean/counting_problem.h"

namespace tidewise::test {

// A second implementation of the arithmetic of docs/model.md, 1.2 to 1.4, which reveals errors in
// model_builder/step.

/// Returns position rules for both landings and several sizes of bins.
inline std::vector<PositionRule> position_rules() {
  std::vector<PositionRule> rules;
  for (const LandingBy landing : {LandingBy::area, LandingBy::cell}) {
    for (const std::int32_t bits : {0, 3, 5, 8}) rules.push_back({landing, bits});
  }
  return rules;
}
inline std::string name_of(const PositionRule& rule) {
  return "by_" + std::string(to_string(rule.landing)) + "_" + std::to_string(rule.bin_bits);
}

/// Returns D of one cell along one axis, (realization). `cells_per_speed`: Δt/dx.
inline std::vector<std::int32_t> plain_bins(const LevelView& level, View<const float> mode,
                                            std::size_t cell, double cells_per_speed,
                                            std::int32_t bin_bits) {
  constexpr float q = 16256;
  const auto count = static_cast<std::size_t>(level.realization_count);
  const auto modes = static_cast<std::size_t>(level.mode_count);
  std::vector<float> largest(modes, 0);  // C
  std::vector<float> factor(modes);      // f
  float max = 0;
  for (std::size_t m = 0; m < modes; ++m) {
    for (std::size_t r = 0; r < count; ++r) {
      largest[m] = std::max(largest[m], std::abs(level.coefficient[m * count + r]));
    }
    factor[m] = static_cast<float>(std::ldexp(cells_per_speed, bin_bits) *
                                   (static_cast<double>(largest[m]) / 16256));
    max = std::max(max, std::abs(mode[m * level.u_mean.size + cell] * factor[m]));
  }
  int e = 0;
  while ((8 << e) < level.mode_count) ++e;
  int shift = 22;
  if (max > 0) shift = std::min(22, std::max(2, 10 - std::ilogb(max) - e));
  std::vector<std::int32_t> bins;
  for (std::size_t r = 0; r < count; ++r) {
    std::int64_t sum = 0;
    for (std::size_t m = 0; m < modes; ++m) {
      if (largest[m] <= 1e-30F) continue;
      const float scaled = level.coefficient[m * count + r] * (q / largest[m]);
      const float integer = mode[m * level.u_mean.size + cell] * factor[m];
      sum += static_cast<std::int64_t>(std::nearbyint(scaled)) *
             static_cast<std::int64_t>(std::nearbyint(std::ldexp(integer, shift)));
    }
    bins.push_back(static_cast<std::int32_t>(
        std::floor((static_cast<double>(sum) + std::ldexp(0.5, shift)) / std::ldexp(1.0, shift))));
  }
  return bins;
}

/// Returns the cells along one axis to which a position is assigned, with their shares of 256;
/// LandingBy::cell has one cell with the share 1.
inline std::vector<std::pair<int, std::uint32_t>> plain_shares(std::int32_t position,
                                                               LandingBy landing) {
  if (landing == LandingBy::cell) {
    return {{static_cast<int>(std::floor((position + 128) / 256.0)), 1u}};
  }
  const int first = static_cast<int>(std::floor(position / 256.0));
  const auto second = static_cast<std::uint32_t>(position - first * 256);
  return {{first, 256 - second}, {first + 1, second}};
}

/// Returns the counts that every engine must compute.
inline Counts count_plainly(const CountingProblem& problem, const PositionRule& rule,
                            const std::vector<Action>& actions,
                            const std::vector<std::uint32_t>& weights = {}) {
  const LevelView level = problem.level();
  const double x_step = problem.info.time.step / problem.info.grid.dx;
  const double y_step = problem.info.time.step / problem.info.grid.dy;
  const auto displacement = [](float mean, double step) {
    return static_cast<std::int64_t>(std::nearbyint(mean * static_cast<float>(step * 0x1p20)));
  };
  const auto shared_part = [](std::int64_t mean, std::int32_t action) {
    return static_cast<std::int32_t>(
        std::floor((static_cast<double>(mean + action) + 2048) / 4096));
  };
  Counts counts;
  for (const CellIndex index : problem.cells) {
    const auto cell = static_cast<std::size_t>(index.value);
    const auto x = plain_bins(level, level.u_mode, cell, x_step, rule.bin_bits);
    const auto y = plain_bins(level, level.v_mode, cell, y_step, rule.bin_bits);
    const std::int64_t mean_x = displacement(level.u_mean[cell], x_step);
    const std::int64_t mean_y = displacement(level.v_mean[cell], y_step);
    const std::int32_t bin = 256 >> rule.bin_bits;
    for (std::size_t a = 0; a < actions.size(); ++a) {
      const std::int32_t tx = shared_part(mean_x, actions[a].displacement.x);
      const std::int32_t ty = shared_part(mean_y, actions[a].displacement.y);
      for (std::size_t r = 0; r < x.size(); ++r) {
        for (const auto& [dx, east] : plain_shares(x[r] * bin + tx, rule.landing)) {
          for (const auto& [dy, north] : plain_shares(y[r] * bin + ty, rule.landing)) {
            const std::uint32_t count = east * north * (weights.empty() ? 1 : weights[r]);
            if (count != 0) counts[{index.value, static_cast<int>(a), dy, dx}] += count;
          }
        }
      }
    }
  }
  return counts;
}

}  // namespace tidewise::test

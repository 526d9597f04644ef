#pragma once

#include <cstdint>
#include <vector>

#include "env/level_fields.h"

namespace tidewise {

/// Some realizations of an ensemble and what each of them counts for.
struct RealizationShares {
  std::vector<std::int32_t> realization;  ///< by number
  std::vector<double> share;              ///< sums to 1
};

/// All alike where `weight` is empty; else by their weights, whose sum must be above 0.
RealizationShares realization_shares(const std::vector<std::int32_t>& realization,
                                     const std::vector<std::uint32_t>& weight);

/// The flow that these realizations have on average, by their first `mode_count` modes: mean + Σ_m
/// (Σ_r share_r · coefficient_mr) · mode_m, in double and rounded once. That is not the level's own
/// mean where coefficients do not average to 0. u, v: (y, x).
void average_flow(const LevelView& level, const RealizationShares& shares, std::int32_t mode_count,
                  View<float> u, View<float> v);

}  // namespace tidewise

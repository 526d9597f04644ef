#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>

#include "base/host_device.h"
#include "solver/policy/policy.h"

namespace tidewise {

/// The best of the actions that one lane has compared; the first on a tie. NaN is ignored.
/// Trivially copyable.
struct BestAction {
  float value = -INFINITY;
  std::int32_t action = no_action;

  /// Replaces the action by `candidate` if `expected` is greater than the value.
  TIDEWISE_HOST_DEVICE void consider(float expected, std::int32_t candidate) {
    if (expected > value) {
      value = expected;
      action = candidate;
    }
  }
};

/// Maps a number to an integer of the same order, because hardware computes maxima over lanes only
/// for integers. NaN is not allowed. −0 orders before +0, but no expectation is −0 (a sum that
/// begins at +0 never is).
TIDEWISE_HOST_DEVICE inline std::uint32_t ordered_bits(float value) {
  std::uint32_t bits = 0;
  std::memcpy(&bits, &value, sizeof bits);
  return (bits & 0x80000000u) != 0 ? ~bits : bits | 0x80000000u;
}
/// Inverse of ordered_bits().
TIDEWISE_HOST_DEVICE inline float number_of(std::uint32_t ordered) {
  const std::uint32_t bits = (ordered & 0x80000000u) != 0 ? ordered & 0x7fffffffu : ~ordered;
  float value = 0;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

/// The best action of all lanes of a warp, returned to each lane; the lowest index on a tie.
/// Requires that lanes have different actions.
template <class Warp>
TIDEWISE_HOST_DEVICE BestAction best_of(const Warp& warp, const BestAction& lane_best) {
  const std::uint32_t key = ordered_bits(lane_best.value);
  const std::uint32_t best = warp.greatest(key);
  constexpr std::int32_t none = 1 << 30;
  return {number_of(best), warp.least(key == best ? lane_best.action : none)};
}

}  // namespace tidewise

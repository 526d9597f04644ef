#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>

#include "base/host_device.h"
#include "solver/policy/policy.h"

namespace tidewise {

/// The best of the actions that one lane has seen; the first where several are as good. An
/// expectation that is no number is passed over. Trivially copyable.
struct BestAction {
  float value = -INFINITY;
  std::int32_t action = no_action;

  TIDEWISE_HOST_DEVICE void consider(float expected, std::int32_t candidate) {
    if (expected > value) {
      value = expected;
      action = candidate;
    }
  }
};

/// Bits that order as the numbers do: for maxima over lanes, which integers alone have in hardware.
/// Not for NaN; −0 comes before +0, and no expectation is −0 (a sum that begins at +0 never is).
TIDEWISE_HOST_DEVICE inline std::uint32_t ordered_bits(float value) {
  std::uint32_t bits = 0;
  std::memcpy(&bits, &value, sizeof bits);
  return (bits & 0x80000000u) != 0 ? ~bits : bits | 0x80000000u;
}
TIDEWISE_HOST_DEVICE inline float number_of(std::uint32_t ordered) {
  const std::uint32_t bits = (ordered & 0x80000000u) != 0 ? ordered & 0x7fffffffu : ~ordered;
  float value = 0;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

/// The best over all lanes of a warp, known to each: the lowest action on a tie. Requires that no
/// lane's actions repeat another's.
template <class Warp>
TIDEWISE_HOST_DEVICE BestAction best_of(const Warp& warp, const BestAction& mine) {
  const std::uint32_t key = ordered_bits(mine.value);
  const std::uint32_t best = warp.greatest(key);
  constexpr std::int32_t none = 1 << 30;
  return {number_of(best), warp.least(key == best ? mine.action : none)};
}

}  // namespace tidewise

#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>

namespace tidewise::mdp {

/// Number of independent sums over the entries of a long row.
inline constexpr std::int64_t sum_lanes = 8;

/// Σ p v(s') of a row of `count` entries, in the order and with the bits of bellman.h.
template <class Real>
Real sum_in_order(const std::int32_t* successor, const Real* probability, std::int64_t count,
                  const Real* value) {
  Real sum = 0;
  for (std::int64_t n = 0; n < count; ++n) sum = std::fma(probability[n], value[successor[n]], sum);
  return sum;
}

/// Adds the lanes of a long row, always in this order.
template <class Real>
Real sum_of(const Real (&lane)[sum_lanes]) {
  return ((lane[0] + lane[4]) + (lane[2] + lane[6])) + ((lane[1] + lane[5]) + (lane[3] + lane[7]));
}

/// Σ p v(s') of a row of `count` entries, in an order of its own, so that the CPU does not wait for
/// a single sum. Rows with consecutive successors, such as dense rows, are read without their
/// successors. The bits are independent of that and of the number of threads, but differ from those
/// of bellman.h.
template <class Real>
[[gnu::always_inline]] inline Real row_sum(const std::int32_t* successor, const Real* probability,
                                           std::int64_t count, const Real* value) {
  if (count < sum_lanes) return sum_in_order(successor, probability, count, value);
  Real lane[sum_lanes] = {};
  const std::int64_t full_count = count - count % sum_lanes;
  if (successor[count - 1] - successor[0] == count - 1) {
    const Real* const dense = value + successor[0];
    for (std::int64_t n = 0; n < full_count; n += sum_lanes) {
      for (std::int64_t k = 0; k < sum_lanes; ++k) {
        lane[k] = std::fma(probability[n + k], dense[n + k], lane[k]);
      }
    }
  } else {
    for (std::int64_t n = 0; n < full_count; n += sum_lanes) {
      for (std::int64_t k = 0; k < sum_lanes; ++k) {
        lane[k] = std::fma(probability[n + k], value[successor[n + k]], lane[k]);
      }
    }
  }
  for (std::int64_t n = full_count; n < count; ++n) {
    lane[n - full_count] = std::fma(probability[n], value[successor[n]], lane[n - full_count]);
  }
  return sum_of(lane);
}

}  // namespace tidewise::mdp

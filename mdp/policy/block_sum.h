#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>

#include "base/host_device.h"

namespace tidewise::mdp {

/// Threads of a block that evaluates one state: thread t sums the row's entries t, t + 32, …, and
/// then, for d = 16, 8, 4, 2, 1, each thread t < d adds the sum of thread t + d.
inline constexpr std::int64_t block_sum_threads = 32;

/// The part of thread `thread` in Σ p v(s') of a row of `count` entries.
template <class Real>
TIDEWISE_HOST_DEVICE Real thread_sum(const std::int32_t* successor, const Real* probability,
                                     std::int64_t count, const Real* value, std::int64_t thread) {
  Real sum = 0;
  for (std::int64_t n = thread; n < count; n += block_sum_threads) {
    sum = std::fma(probability[n], value[successor[n]], sum);
  }
  return sum;
}

/// The block's sum, computed by one thread in the order of the block.
template <class Real>
Real block_sum(const std::int32_t* successor, const Real* probability, std::int64_t count,
               const Real* value) {
  Real sum[block_sum_threads];
  for (std::int64_t t = 0; t < block_sum_threads; ++t) {
    sum[t] = thread_sum(successor, probability, count, value, t);
  }
  for (std::int64_t d = block_sum_threads / 2; d > 0; d /= 2) {
    for (std::int64_t t = 0; t < d; ++t) sum[t] += sum[t + d];
  }
  return sum[0];
}

}  // namespace tidewise::mdp

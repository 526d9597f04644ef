#pragma once

#include <atomic>
#include <cmath>
#include <cstdint>

#include "base/host_device.h"
#include "base/memory/view.h"

namespace tidewise::mdp {

/// What Q holds for an action that the state does not have: below everything, so that a maximum
/// needs to know no more.
template <class Real>
TIDEWISE_HOST_DEVICE Real no_action() {
  return -static_cast<Real>(INFINITY);
}

/// Adds to a number that others add to at the same time, and returns what it was. Unsigned, since a
/// device adds no other: two's complement makes it serve signed sums too.
template <class Unsigned>
TIDEWISE_HOST_DEVICE Unsigned fetch_and_add(Unsigned* sum, Unsigned value) {
#if defined(__CUDA_ARCH__)
  return atomicAdd(sum, value);
#else
  return std::atomic_ref<Unsigned>(*sum).fetch_add(value, std::memory_order_relaxed);
#endif
}

/// factor · … · factor, `count` times: by squaring, in the same order everywhere.
TIDEWISE_HOST_DEVICE inline double power(double factor, std::uint32_t count) {
  double product = 1;
  for (; count > 0; count /= 2) {
    if (count % 2 == 1) product *= factor;
    factor *= factor;
  }
  return product;
}

/// Q(s, a) of all rows, which agents read during a round and change at its end. Errors of a round
/// are summed as integers, so that no order of agents changes a bit.
template <class Real>
struct QTable {
  View<Real> value;                    ///< Q, (row); no_action() where there is none
  View<unsigned long long> error_sum;  ///< of this round [1/to_fixed], signed, (row)
  View<unsigned> hits;                 ///< visits in this round, (row)
  View<std::int64_t> visits;           ///< visits before this round, (row)
  double to_fixed = 1;                 ///< a power of two: units of error_sum in 1
  double learning_rate = 0.1;          ///< α of a row never visited …
  double learning_decay = 0;           ///< … and α / (1 + decay · visits) later

  /// Takes a temporal-difference error of a row. True for one of those that do so in a round: this
  /// one has to settle the row.
  TIDEWISE_HOST_DEVICE bool add_error(std::int64_t row, Real error) const {
    const auto at = static_cast<std::size_t>(row);
    const auto units = static_cast<long long>(std::rint(static_cast<double>(error) * to_fixed));
    fetch_and_add(&error_sum[at], static_cast<unsigned long long>(units));
    return fetch_and_add(&hits[at], 1u) == 0;
  }

  /// Moves Q by the round's mean error, as far as its visits would one after another: n visits
  /// leave (1 − α)^n of the error.
  TIDEWISE_HOST_DEVICE void settle(std::int64_t row) const {
    const auto at = static_cast<std::size_t>(row);
    const unsigned count = hits[at];
    const auto sum = static_cast<double>(static_cast<long long>(error_sum[at]));
    const double mean = sum / to_fixed / count;
    const double rate = learning_rate / (1 + learning_decay * static_cast<double>(visits[at]));
    const double moved = 1 - power(1 - rate, count);
    value[at] = static_cast<Real>(std::fma(moved, mean, static_cast<double>(value[at])));
    visits[at] += count;
    hits[at] = 0;
    error_sum[at] = 0;
  }
};

}  // namespace tidewise::mdp

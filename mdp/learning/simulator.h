#pragma once

#include <cstdint>

#include "base/host_device.h"
#include "base/memory/view.h"
#include "mdp/process/view.h"

namespace tidewise::mdp {

/// What came of an action.
template <class Real>
struct SimulatedStep {
  std::int32_t successor = 0;
  Real reward = 0;
};

/// A finite process as agents meet it: one successor at a time. Trivially copyable.
template <class Real>
struct Simulator {
  ProcessView<Real> process;
  View<const Real> row_reward;    ///< what a row brings in any case, (row)
  View<const Real> entry_reward;  ///< what a transition brings besides, (entry); empty: nothing

  /// Draws a transition of `row` by 64 random bits: the first entry up to which the probabilities,
  /// summed in double, exceed them. What the row's sum lacks to 1 goes to the last one possible.
  /// Requires a row with entries.
  TIDEWISE_HOST_DEVICE SimulatedStep<Real> step(std::int64_t row, std::uint32_t high,
                                                std::uint32_t low) const {
    const auto at = static_cast<std::size_t>(row);
    const std::uint64_t bits = (std::uint64_t{high} << 32 | low) >> 11;
    const double drawn = static_cast<double>(bits) * 0x1p-53;
    const auto end = static_cast<std::size_t>(process.row_begin[at + 1]);
    auto chosen = static_cast<std::size_t>(process.row_begin[at]);
    double up_to = 0;
    for (std::size_t entry = chosen; entry < end && !(drawn < up_to); ++entry) {
      const Real probability = process.probability[entry];
      if (probability > 0) chosen = entry;
      up_to += static_cast<double>(probability);
    }
    const Real besides = entry_reward.empty() ? Real{0} : entry_reward[chosen];
    return {process.successor[chosen], row_reward[at] + besides};
  }
};

}  // namespace tidewise::mdp

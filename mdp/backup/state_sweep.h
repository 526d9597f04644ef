#pragma once

#include <cstddef>
#include <cstdint>

#include "base/host_device.h"
#include "mdp/backup/bellman.h"

namespace tidewise::mdp {

/// One Jacobi sweep V' = T V, a state a call, which tells its change.
template <class Real>
struct StateSweep {
  ProcessView<Real> process;
  const Real* before = nullptr;    ///< V, (state)
  Real* after = nullptr;           ///< V', (state); another array
  std::int32_t* action = nullptr;  ///< greedy for V, (state); −1 in terminal states

  TIDEWISE_HOST_DEVICE double operator()(std::size_t state) const {
    const BestAction<Real> best = best_action(process, before, static_cast<std::int32_t>(state));
    after[state] = best.value;
    action[state] = best.action;
    return static_cast<double>(best.value) - static_cast<double>(before[state]);
  }
};

}  // namespace tidewise::mdp

#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>

#include "base/host_device.h"
#include "mdp/process/solution.h"
#include "mdp/stop/criterion.h"

namespace tidewise::mdp {

/// Adds `shift` to the value of a state that is not terminal: a sum in double, rounded once.
/// Trivially copyable, for devices.
template <class Real>
struct MoveValue {
  Real* value;                 ///< (state)
  const std::int32_t* action;  ///< (state), −1 in terminal states
  double shift;

  TIDEWISE_HOST_DEVICE void operator()(std::size_t state) const {
    if (action[state] < 0) return;
    value[state] = static_cast<Real>(static_cast<double>(value[state]) + shift);
  }
};

/// If centres() is true, moves the values of states that are not terminal to the middle of the
/// bounds from the last sweep's change. Requires value and action of `solution`. `Middle`: type to
/// which the middle is rounded first.
template <class Middle = double, class Real>
void centre_values(const ValueChange& change, double discount, const SolveOptions& options,
                   ProcessSolution<Real>& solution) {
  if (!centres(discount, options)) return;
  const auto middle = static_cast<Middle>(bounds_after(change, discount).middle());
  if (!std::isfinite(middle)) return;
  const MoveValue<Real> move{solution.value.data(), solution.action.data(),
                             static_cast<double>(middle)};
  for (std::size_t state = 0; state < solution.value.size(); ++state) move(state);
}

}  // namespace tidewise::mdp

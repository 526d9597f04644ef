#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "base/error.h"
#include "mdp/process/decision_process.h"

namespace tidewise::test {

/// Returns the values of a policy in double, (state). Gauss-Seidel sweeps run until no value
/// changes by more than 1e-12 of the largest. `action`: (state), an allowed action; ignored in
/// terminal states. Errors: RunError after 10^6 sweeps, as with γ = 1 and a policy that never ends.
template <class Real>
std::vector<double> value_of_policy(const mdp::DecisionProcess<Real>& process,
                                    const std::vector<std::int32_t>& action) {
  std::vector<double> value(static_cast<std::size_t>(process.state_count), 0.0);
  std::copy(process.initial_value.begin(), process.initial_value.end(), value.begin());
  for (int sweep = 0; sweep < 1'000'000; ++sweep) {
    double change = 0;
    double max = 1;
    for (std::int32_t state = 0; state < process.state_count; ++state) {
      const auto s = static_cast<std::size_t>(state);
      if (process.is_terminal(state)) continue;
      const auto row = static_cast<std::size_t>(process.row(state, action[s]));
      double expected = 0;
      for (auto n = static_cast<std::size_t>(process.row_begin[row]);
           n < static_cast<std::size_t>(process.row_begin[row + 1]); ++n) {
        expected += static_cast<double>(process.probability[n]) *
                    value[static_cast<std::size_t>(process.successor[n])];
      }
      const double next = static_cast<double>(process.reward[row]) + process.discount * expected;
      change = std::max(change, std::abs(next - value[s]));
      max = std::max(max, std::abs(next));
      value[s] = next;
    }
    if (change <= 1e-12 * max) return value;
  }
  throw RunError("the policy's value does not settle: with a discount of 1 it must come to an end");
}

}  // namespace tidewise::test

#include "mdp/process/first_values.h"

#include <cmath>

#include "base/error.h"
#include "mdp/error/codes.h"

namespace tidewise::mdp {

void require_one_per_state(std::size_t count, std::int32_t states, const char* what) {
  if (count == static_cast<std::size_t>(states)) return;
  throw input_error(errors::first_values_count, what, count, states);
}

template <class Real>
std::vector<Real> first_values_from(const DecisionProcess<Real>& process,
                                    const std::vector<double>& values, Direction direction,
                                    bool are_final_rewards) {
  require_one_per_state(values.size(), process.state_count, "first values");
  std::vector<Real> first = first_values(process);
  for (std::int32_t state = 0; state < process.state_count; ++state) {
    const auto s = static_cast<std::size_t>(state);
    if (process.is_terminal(state)) continue;
    if (std::isinf(values[s]) && !are_final_rewards) continue;
    const auto value = static_cast<Real>(values[s]);
    if (!std::isfinite(value)) {
      throw input_error(errors::first_value_not_finite, state, values[s]);
    }
    first[s] = direction == Direction::minimize ? 0 - value : value;
  }
  return first;
}

template std::vector<float> first_values_from(const DecisionProcess<float>&,
                                              const std::vector<double>&, Direction, bool);
template std::vector<double> first_values_from(const DecisionProcess<double>&,
                                               const std::vector<double>&, Direction, bool);

}  // namespace tidewise::mdp

#include "mdp/graph/out_of_reach.h"

#include <cstdint>
#include <utility>
#include <vector>

#include "mdp/graph/proper_policy.h"
#include "mdp/process/terminal_states.h"

namespace tidewise::mdp {

template <class Real>
DecisionProcess<Real> end_out_of_reach(DecisionProcess<Real> process, Direction direction) {
  std::vector<std::int32_t> targets;
  for (std::int32_t s = 0; s < process.state_count; ++s) {
    if (process.is_terminal(s) && process.initial_value[s] == 1) targets.push_back(s);
  }
  const auto reaches = may_reach(
      process, targets,
      direction == Direction::greatest ? Quantifier::some_policy : Quantifier::every_policy);
  std::vector<std::int32_t> out_of_reach;
  for (std::int32_t s = 0; s < process.state_count; ++s) {
    if (!process.is_terminal(s) && reaches[s] == 0) out_of_reach.push_back(s);
  }
  return make_terminal(std::move(process), out_of_reach, Real{0});
}

template DecisionProcess<float> end_out_of_reach(DecisionProcess<float>, Direction);
template DecisionProcess<double> end_out_of_reach(DecisionProcess<double>, Direction);

}  // namespace tidewise::mdp

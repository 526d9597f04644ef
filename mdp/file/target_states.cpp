#include "mdp/file/target_states.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "mdp/file/label_expression.h"
#include "mdp/process/terminal_states.h"

namespace tidewise::mdp {

template <class Real>
void end_in_target(const ReadOptions& options, const std::string& place,
                   DecisionProcess<Real>& process) {
  const bool is_probability = options.objective == ReadObjective::probability;
  if (options.target.empty()) {
    if (!is_probability) return;
    throw InputError(place + ": a probability is asked for, and of no target; name its labels");
  }
  if (process.labels.empty()) {
    throw InputError(
        fmt::format("{}: the target '{}' needs labels, and the model has none; .json, .h5 and a "
                    ".lab file beside a .tra can hold them",
                    place, options.target));
  }
  const auto states =
      states_that_satisfy(options.target, process.labels, process.state_count, place);
  if (is_probability) {
    std::fill(process.reward.begin(), process.reward.end(), Real{0});
    process.entry_reward = {};
    process.initial_value = {};
    process.discount = 1;
  }
  process = make_terminal(std::move(process), states, is_probability ? Real{1} : Real{0});
}

template void end_in_target(const ReadOptions&, const std::string&, DecisionProcess<float>&);
template void end_in_target(const ReadOptions&, const std::string&, DecisionProcess<double>&);

}  // namespace tidewise::mdp

#include "mdp/file/target_states.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/error.h"
#include "mdp/formula/path_formula.h"
#include "mdp/process/terminal_states.h"

namespace tidewise::mdp {

namespace {

/// Where the formula is decided one way or the other.
struct DecidedStates {
  std::vector<std::int32_t> all;
  std::vector<std::int32_t> target;
};

DecidedStates decided_states(const PathFormula& formula, const std::vector<StateLabel>& labels,
                             std::int32_t state_count, const std::string& place) {
  const auto stays = formula.stay.holds(labels, state_count, place);
  const auto arrives = formula.target.holds(labels, state_count, place);
  const bool has_steps = !formula.most_steps || *formula.most_steps > 0;
  DecidedStates decided;
  for (std::int32_t state = 0; state < state_count; ++state) {
    const auto s = static_cast<std::size_t>(state);
    if (arrives[s] != 0) decided.target.push_back(state);
    if (arrives[s] != 0 || stays[s] == 0 || !has_steps) decided.all.push_back(state);
  }
  return decided;
}

}  // namespace

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
        fmt::format("{}: the target '{}' needs labels, and the model has none; .json and .h5 can "
                    "hold them",
                    place, options.target));
  }
  const PathFormula formula = parse_path_formula(options.target, place);
  if (!is_probability) require_for_reward(formula, place);
  const DecidedStates decided = decided_states(formula, process.labels, process.state_count, place);
  if (is_probability) {
    if (!formula.most_reward) {
      std::fill(process.reward.begin(), process.reward.end(), Real{0});
      process.entry_reward = {};
    }
    process.initial_value = {};
    process.discount = 1;
  }
  process = make_terminal(std::move(process), decided.all, Real{0});
  if (!is_probability) return;
  // States that the file leaves without actions are worth nothing, unless they are targets.
  for (const std::int32_t state : decided.target) {
    process.initial_value[static_cast<std::size_t>(state)] = 1;
  }
}

template void end_in_target(const ReadOptions&, const std::string&, DecisionProcess<float>&);
template void end_in_target(const ReadOptions&, const std::string&, DecisionProcess<double>&);

}  // namespace tidewise::mdp

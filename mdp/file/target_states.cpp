#include "mdp/file/target_states.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"
#include "mdp/error/codes.h"
#include "mdp/process/terminal_states.h"
#include "mdp/text/file_text.h"

namespace tidewise::mdp {
namespace {

template <class Real>
[[noreturn]] void refuse_name(std::string_view name, const std::string& place,
                              const DecisionProcess<Real>& process) {
  std::vector<std::string_view> names;
  for (const StateLabel& label : process.labels) names.push_back(label.name);
  throw input_error(
      errors::target_unknown, place, in_quotes(name),
      names.empty() ? "the model has none" : fmt::format("{}", fmt::join(names, ", ")),
      process.state_count - 1);
}

/// The states that `target` names.
template <class Real>
std::vector<std::int32_t> states_of(std::string_view target, const std::string& place,
                                    const DecisionProcess<Real>& process) {
  std::vector<std::int32_t> states;
  for (bool is_last = false; !is_last;) {
    const std::size_t comma = target.find(',');
    const std::string_view name = trimmed(target.substr(0, comma));
    is_last = comma == std::string_view::npos;
    if (!is_last) target.remove_prefix(comma + 1);
    const auto label =
        std::find_if(process.labels.begin(), process.labels.end(),
                     [&](const StateLabel& candidate) { return candidate.name == name; });
    if (label != process.labels.end()) {
      states.insert(states.end(), label->states.begin(), label->states.end());
    } else if (is_plain_index(name) && *to_integer(name) < process.state_count) {
      states.push_back(static_cast<std::int32_t>(*to_integer(name)));
    } else {
      refuse_name(name, place, process);
    }
  }
  return states;
}

}  // namespace

template <class Real>
void end_in_target(const ReadOptions& options, const std::string& place,
                   DecisionProcess<Real>& process) {
  const bool is_probability = options.objective == ReadObjective::probability;
  if (options.target.empty()) {
    if (!is_probability) return;
    throw input_error(errors::goal_target_missing, place);
  }
  const std::vector<std::int32_t> states = states_of<Real>(options.target, place, process);
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

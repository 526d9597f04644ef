#include <type_traits>
#include <utility>

#include "mdp/graph/collapsed_process.h"
#include "mdp/graph/predecessor_rows.h"

namespace tidewise::mdp {
namespace {

/// The row that a state of the collapsed process takes in the end, in its tree.
template <class Real>
std::int64_t way_taken(const CollapsedProcess<Real>& collapsed,
                       const std::vector<std::int32_t>& action, std::int32_t state) {
  const DecisionProcess<Real>& process = collapsed.process;
  while (action[state] >= 0) {
    const std::int64_t row = process.row(state, action[state]);
    if (collapsed.row_of[row] != CollapsedProcess<Real>::deeper) return collapsed.row_of[row];
    state = process.successor[process.row_begin[row]];
  }
  return CollapsedProcess<Real>::rest;
}

template <class Real>
std::vector<std::int32_t> expand_policy(const DecisionProcess<Real>& process,
                                        const CollapsedProcess<Real>& collapsed,
                                        const std::vector<std::int32_t>& taken) {
  constexpr std::int32_t unknown = -2;
  std::vector<std::int32_t> action(static_cast<std::size_t>(process.state_count));
  std::vector<std::uint8_t> is_known(static_cast<std::size_t>(collapsed.components.count), 0);
  std::vector<std::int64_t> exits;  // rows
  for (std::int32_t state = 0; state < process.state_count; ++state) {
    const std::int32_t component = collapsed.components.of_state[state];
    const std::int32_t here = collapsed.state_of[state];
    action[state] = component < 0 ? taken[here] : unknown;
    if (component < 0 || std::exchange(is_known[component], 1) != 0) continue;
    const std::int64_t row = way_taken(collapsed, taken, here);
    if (row >= 0) exits.push_back(row);
  }
  std::vector<std::int32_t> reached;
  for (const std::int64_t row : exits) {
    action[process.state_of(row)] = process.action_of(row);
    reached.push_back(process.state_of(row));
  }
  // The other states of each component get actions that lead to where it is left.
  const PredecessorRows predecessors(process);
  for (std::size_t n = 0; n < reached.size(); ++n) {
    predecessors.for_rows(reached[n], [&](std::int64_t row) {
      const std::int32_t state = process.state_of(row);
      if (action[state] != unknown || !stays_for_nothing(process, collapsed.components, row))
        return;
      action[state] = process.action_of(row);
      reached.push_back(state);
    });
  }
  for (std::int32_t state = 0; state < process.state_count; ++state) {
    std::int32_t& one = action[state];
    if (one != unknown) continue;
    for (one = 0; !stays_for_nothing(process, collapsed.components, process.row(state, one));)
      ++one;
  }
  return action;
}

}  // namespace

template <class Real>
ProcessSolution<Real> expand(const DecisionProcess<Real>& process,
                             const CollapsedProcess<Real>& collapsed,
                             ProcessSolution<Real> solution) {
  const auto of_states = [&](auto& values) {
    if (values.empty()) return;
    std::decay_t<decltype(values)> spread(collapsed.state_of.size());
    for (std::size_t s = 0; s < spread.size(); ++s) spread[s] = values[collapsed.state_of[s]];
    values = std::move(spread);
  };
  solution.action = expand_policy(process, collapsed, solution.action);
  of_states(solution.value);
  of_states(solution.lower);
  of_states(solution.upper);
  solution.endless = collapsed.states_behind(solution.endless);
  return solution;
}

template ProcessSolution<float> expand(const DecisionProcess<float>&,
                                       const CollapsedProcess<float>&, ProcessSolution<float>);
template ProcessSolution<double> expand(const DecisionProcess<double>&,
                                        const CollapsedProcess<double>&, ProcessSolution<double>);

}  // namespace tidewise::mdp

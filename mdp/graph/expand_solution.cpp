#include <type_traits>
#include <utility>

#include "mdp/graph/collapsed_process.h"
#include "mdp/graph/free_rows.h"
#include "mdp/graph/predecessor_rows.h"
#include "mdp/graph/process_ends.h"

namespace tidewise::mdp {
namespace {

/// Gives the states of each component actions that lead to where it is left.
template <class Row, class Real>
class WaysWithin {
 public:
  WaysWithin(const DecisionProcess<Real>& process, const CollapsedProcess<Real>& collapsed,
             std::vector<std::int32_t>& action)
      : process_(process), collapsed_(collapsed), action_(action), predecessors_(process) {}

  void lead_to(const std::vector<std::int32_t>& exits) {
    std::vector<std::int32_t> reached = exits;
    for (std::size_t n = 0; n < reached.size(); ++n) {
      for (const Row row : predecessors_.of(reached[n])) {
        const auto state = static_cast<std::int32_t>(std::int64_t(row) / process_.action_count);
        std::int32_t& action = action_[static_cast<std::size_t>(state)];
        if (action != unknown || !stays_for_nothing(process_, collapsed_.components, row)) continue;
        action = static_cast<std::int32_t>(std::int64_t(row) - process_.row(state, 0));
        reached.push_back(state);
      }
    }
  }

  static constexpr std::int32_t unknown = -2;

 private:
  const DecisionProcess<Real>& process_;
  const CollapsedProcess<Real>& collapsed_;
  std::vector<std::int32_t>& action_;
  PredecessorRows<Row> predecessors_;
};

/// The row that a state of the collapsed process takes in the end, in its tree.
template <class Real>
std::int64_t way_taken(const CollapsedProcess<Real>& collapsed,
                       const std::vector<std::int32_t>& action, std::int32_t state) {
  const DecisionProcess<Real>& process = collapsed.process;
  while (action[std::size_t(state)] >= 0) {
    const std::int64_t row = process.row(state, action[std::size_t(state)]);
    if (collapsed.row_of[std::size_t(row)] != CollapsedProcess<Real>::deeper) {
      return collapsed.row_of[std::size_t(row)];
    }
    state = process.successor[std::size_t(process.row_begin[std::size_t(row)])];
  }
  return CollapsedProcess<Real>::rest;
}

template <class Row, class Real>
std::vector<std::int32_t> expand_policy(const DecisionProcess<Real>& process,
                                        const CollapsedProcess<Real>& collapsed,
                                        const std::vector<std::int32_t>& taken) {
  std::vector<std::int32_t> action(static_cast<std::size_t>(process.state_count));
  WaysWithin<Row, Real> ways(process, collapsed, action);
  std::vector<std::int64_t> way(static_cast<std::size_t>(collapsed.components.count));
  std::vector<std::uint8_t> is_known(way.size(), 0);
  std::vector<std::int32_t> exits;
  for (std::int32_t state = 0; state < process.state_count; ++state) {
    const std::int32_t component = collapsed.components.of_state[std::size_t(state)];
    const std::int32_t here = collapsed.state_of[std::size_t(state)];
    action[std::size_t(state)] = component < 0 ? taken[std::size_t(here)] : ways.unknown;
    if (component < 0 || is_known[std::size_t(component)] != 0) continue;
    is_known[std::size_t(component)] = 1;
    way[std::size_t(component)] = way_taken(collapsed, taken, here);
    const std::int64_t row = way[std::size_t(component)];
    if (row >= 0) exits.push_back(static_cast<std::int32_t>(row / process.action_count));
  }
  for (const std::int32_t state : exits) {
    const std::int64_t row =
        way[static_cast<std::size_t>(collapsed.components.of_state[std::size_t(state)])];
    action[std::size_t(state)] = static_cast<std::int32_t>(row - process.row(state, 0));
  }
  ways.lead_to(exits);
  for (std::int32_t state = 0; state < process.state_count; ++state) {
    std::int32_t& one = action[std::size_t(state)];
    if (one != ways.unknown) continue;
    for (one = 0; !stays_for_nothing(process, collapsed.components, process.row(state, one));) {
      ++one;
    }
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
    for (std::size_t s = 0; s < spread.size(); ++s) {
      spread[s] = values[static_cast<std::size_t>(collapsed.state_of[s])];
    }
    values = std::move(spread);
  };
  solution.action = rows_are_few(process)
                        ? expand_policy<std::uint32_t>(process, collapsed, solution.action)
                        : expand_policy<std::int64_t>(process, collapsed, solution.action);
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

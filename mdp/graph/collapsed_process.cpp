#include "mdp/graph/collapsed_process.h"

#include <algorithm>
#include <type_traits>
#include <utility>

#include "mdp/graph/predecessor_rows.h"
#include "mdp/graph/process_ends.h"
#include "mdp/process/first_values.h"

namespace tidewise::mdp {
namespace {

/// True if each component is one state that all methods already treat as an end.
template <class Real>
bool are_all_ends(const DecisionProcess<Real>& process, const EndComponents& components) {
  for (std::int32_t state = 0; state < process.state_count; ++state) {
    if (components.of_state[state] < 0) continue;
    const bool is_zero = process.initial_value.empty() || process.initial_value[state] == 0;
    if (!is_zero || !is_end(process, state)) return false;
  }
  return true;
}

template <class Real>
class Collapse {
 public:
  Collapse(const DecisionProcess<Real>& process, EndComponents components, Endings endings)
      : process_(process), endings_(endings) {
    collapsed_.components = std::move(components);
  }

  CollapsedProcess<Real> make() {
    number_states();
    list_exits();
    if (needs_rest_) rest_state_ = state_count_++;
    write();
    return std::move(collapsed_);
  }

 private:
  using Collapsed = CollapsedProcess<Real>;

  /// A state of a component's tree, whose root represents the component. Its actions lead to
  /// exits_[begin, end), directly or through further nodes.
  struct Node {
    std::int64_t begin;
    std::int64_t end;
  };

  std::int32_t component_of(std::int32_t state) const {
    return collapsed_.components.of_state[state];
  }

  void number_states() {
    collapsed_.state_of.resize(static_cast<std::size_t>(process_.state_count));
    std::vector<std::int32_t> number(static_cast<std::size_t>(collapsed_.components.count), -1);
    for (std::int32_t state = 0; state < process_.state_count; ++state) {
      const std::int32_t component = component_of(state);
      std::int32_t& new_state = component < 0 ? collapsed_.state_of[state] : number[component];
      if (component < 0 || new_state < 0) {
        new_state = state_count_++;
        first_.push_back(state);
      }
      collapsed_.state_of[state] = new_state;
    }
  }

  /// Lists the rows by which each component can be left, and rest if it is allowed.
  void list_exits() {
    const auto count = static_cast<std::size_t>(collapsed_.components.count);
    exits_begin_.assign(count + 1, 0);
    const auto for_exits = [&](const auto& take) {
      for (std::int32_t state = 0; state < process_.state_count; ++state) {
        const std::int32_t component = component_of(state);
        if (component < 0) continue;
        process_.for_actions(state, [&](std::int32_t, std::int64_t row) {
          if (!stays_without_reward(process_, collapsed_.components, row)) take(component, row);
        });
      }
    };
    for_exits([&](std::int32_t component, std::int64_t) { ++exits_begin_[component + 1]; });
    for (std::size_t n = 1; n <= count; ++n) {
      const bool may_rest = endings_ != Endings::sure && exits_begin_[n] > 0;
      needs_rest_ = needs_rest_ || may_rest;
      exits_begin_[n] += exits_begin_[n - 1] + (may_rest ? 1 : 0);
    }
    // Rest comes last, so that other exits win a tie.
    exits_.assign(static_cast<std::size_t>(exits_begin_[count]), Collapsed::rest);
    std::vector<std::int64_t> next(exits_begin_.begin(), exits_begin_.end() - 1);
    for_exits([&](std::int32_t component, std::int64_t row) { exits_[next[component]++] = row; });
  }

  /// Divides the exits into nearly equal parts, at most as many as a state has actions.
  template <class Take>
  void for_children(const Node& node, const Take& take) const {
    const std::int64_t exit_count = node.end - node.begin;
    const std::int64_t parts = std::min<std::int64_t>(exit_count, process_.action_count);
    for (std::int64_t part = 0; part < parts; ++part) {
      take(Node{node.begin + exit_count * part / parts,
                node.begin + exit_count * (part + 1) / parts});
    }
  }

  void write() {
    // Nodes below the roots come after all other states, each after its parent.
    std::vector<Node> nodes;
    std::int32_t next_node = state_count_;
    DecisionProcess<Real>& process = collapsed_.process;
    process.action_count = process_.action_count;
    process.discount = process_.discount;
    process.initial_state = collapsed_.state_of[process_.initial_state];
    const std::vector<Real> first_value = first_values(process_);
    const auto write_node = [&](const Node& node) {
      for_children(node, [&](const Node& child) {
        if (child.end - child.begin == 1) {
          write_exit(exits_[child.begin]);
        } else {
          nodes.push_back(child);
          write_entry(next_node++);
          end_row(Collapsed::deeper, 0);
        }
      });
    };
    for (std::int32_t state = 0; state < state_count_; ++state) {
      const std::int32_t original =
          state < static_cast<std::int32_t>(first_.size()) ? first_[state] : -1;
      const std::int32_t component = original < 0 ? -1 : component_of(original);
      process.initial_value.push_back(component < 0 && original >= 0 ? first_value[original]
                                                                     : Real{0});
      if (component >= 0) {
        write_node({exits_begin_[component], exits_begin_[component + 1]});
      } else if (original >= 0) {
        for (std::int32_t action = 0; action < process_.action_count; ++action) {
          write_exit(process_.row(original, action));
        }
      }
      end_state(state);
    }
    for (std::size_t n = 0; n < nodes.size(); ++n) {
      const Node node = nodes[n];  // a copy, because nodes grows
      write_node(node);
      process.initial_value.push_back(Real{0});
      end_state(state_count_++);
    }
    process.state_count = state_count_;
  }

  /// Writes a row: an action of the process, or resting.
  void write_exit(std::int64_t exit_row) {
    if (exit_row == Collapsed::rest) {
      write_entry(rest_state_);
      return end_row(Collapsed::rest, 0);
    }
    merged_.clear();
    for (auto n = process_.row_begin[exit_row]; n < process_.row_begin[exit_row + 1]; ++n) {
      merged_.push_back(
          {collapsed_.state_of[process_.successor[n]], double(process_.probability[n])});
    }
    std::sort(merged_.begin(), merged_.end(),
              [](const auto& a, const auto& b) { return a.first < b.first; });
    for (std::size_t n = 0; n < merged_.size();) {
      const std::int32_t to = merged_[n].first;
      double probability = 0;
      for (; n < merged_.size() && merged_[n].first == to; ++n) probability += merged_[n].second;
      collapsed_.process.successor.push_back(to);
      collapsed_.process.probability.push_back(static_cast<Real>(std::min(probability, 1.0)));
    }
    end_row(merged_.empty() ? Collapsed::none : exit_row, process_.reward[exit_row]);
  }

  void write_entry(std::int32_t to) {
    collapsed_.process.successor.push_back(to);
    collapsed_.process.probability.push_back(Real{1});
  }
  void end_row(std::int64_t origin, Real reward) {
    collapsed_.process.row_begin.push_back(collapsed_.process.entry_count());
    collapsed_.process.reward.push_back(origin == Collapsed::none ? Real{0} : reward);
    collapsed_.row_of.push_back(origin);
  }
  void end_state(std::int32_t state) {
    const auto rows = static_cast<std::size_t>(std::int64_t{state + 1} * process_.action_count);
    collapsed_.process.row_begin.resize(rows + 1, collapsed_.process.entry_count());
    collapsed_.process.reward.resize(rows, Real{0});
    collapsed_.row_of.resize(rows, Collapsed::none);
  }

  const DecisionProcess<Real>& process_;
  Endings endings_;
  Collapsed collapsed_;
  std::int32_t state_count_ = 0;
  std::int32_t rest_state_ = -1;
  bool needs_rest_ = false;
  std::vector<std::int32_t> first_;        // (new state): the lowest state that it represents
  std::vector<std::int64_t> exits_begin_;  // (component + 1)
  std::vector<std::int64_t> exits_;        // rows, or rest
  std::vector<std::pair<std::int32_t, double>> merged_;
};

/// The exit that a policy takes from a state of the collapsed process, through its tree.
template <class Real>
std::int64_t chosen_exit(const CollapsedProcess<Real>& collapsed,
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
                                        const std::vector<std::int32_t>& collapsed_action) {
  constexpr std::int32_t unknown = -2;
  std::vector<std::int32_t> action(static_cast<std::size_t>(process.state_count));
  std::vector<std::uint8_t> is_known(static_cast<std::size_t>(collapsed.components.count), 0);
  std::vector<std::int64_t> exits;  // rows
  for (std::int32_t state = 0; state < process.state_count; ++state) {
    const std::int32_t component = collapsed.components.of_state[state];
    const std::int32_t collapsed_state = collapsed.state_of[state];
    action[state] = component < 0 ? collapsed_action[collapsed_state] : unknown;
    if (component < 0 || std::exchange(is_known[component], 1) != 0) continue;
    const std::int64_t row = chosen_exit(collapsed, collapsed_action, collapsed_state);
    if (row >= 0) exits.push_back(row);
  }
  std::vector<std::int32_t> reached;
  for (const std::int64_t row : exits) {
    action[process.state_of(row)] = process.action_of(row);
    reached.push_back(process.state_of(row));
  }
  // The other states of each component get actions that lead to its exit.
  const PredecessorRows predecessors(process);
  for (std::size_t n = 0; n < reached.size(); ++n) {
    predecessors.for_rows(reached[n], [&](std::int64_t row) {
      const std::int32_t state = process.state_of(row);
      if (action[state] != unknown || !stays_without_reward(process, collapsed.components, row))
        return;
      action[state] = process.action_of(row);
      reached.push_back(state);
    });
  }
  for (std::int32_t state = 0; state < process.state_count; ++state) {
    std::int32_t& chosen = action[state];
    if (chosen != unknown) continue;
    for (chosen = 0;
         !stays_without_reward(process, collapsed.components, process.row(state, chosen));)
      ++chosen;
  }
  return action;
}

}  // namespace

template <class Real>
std::vector<std::int32_t> CollapsedProcess<Real>::original_states(
    const std::vector<std::int32_t>& states) const {
  std::vector<std::int32_t> originals;
  if (states.empty()) return originals;
  for (std::size_t s = 0; s < state_of.size(); ++s) {
    if (std::binary_search(states.begin(), states.end(), state_of[s])) {
      originals.push_back(static_cast<std::int32_t>(s));
    }
  }
  return originals;
}

template <class Real>
std::optional<CollapsedProcess<Real>> collapse_free_loops(const DecisionProcess<Real>& process,
                                                          Endings endings) {
  std::vector<std::uint8_t> is_free(static_cast<std::size_t>(process.row_count()));
  for (std::size_t row = 0; row < is_free.size(); ++row) is_free[row] = process.reward[row] == 0;
  EndComponents components = find_end_components(process, std::move(is_free));
  if (are_all_ends(process, components)) return std::nullopt;
  return Collapse<Real>(process, std::move(components), endings).make();
}

template struct CollapsedProcess<float>;
template struct CollapsedProcess<double>;
template std::optional<CollapsedProcess<float>> collapse_free_loops(const DecisionProcess<float>&,
                                                                    Endings);
template std::optional<CollapsedProcess<double>> collapse_free_loops(const DecisionProcess<double>&,
                                                                     Endings);

template <class Real>
ProcessSolution<Real> expand(const DecisionProcess<Real>& process,
                             const CollapsedProcess<Real>& collapsed,
                             ProcessSolution<Real> solution) {
  const auto expand_values = [&](auto& values) {
    if (values.empty()) return;
    std::decay_t<decltype(values)> expanded(collapsed.state_of.size());
    for (std::size_t s = 0; s < expanded.size(); ++s) expanded[s] = values[collapsed.state_of[s]];
    values = std::move(expanded);
  };
  solution.action = expand_policy(process, collapsed, solution.action);
  expand_values(solution.value);
  expand_values(solution.lower);
  expand_values(solution.upper);
  solution.endless = collapsed.original_states(solution.endless);
  return solution;
}

template ProcessSolution<float> expand(const DecisionProcess<float>&,
                                       const CollapsedProcess<float>&, ProcessSolution<float>);
template ProcessSolution<double> expand(const DecisionProcess<double>&,
                                        const CollapsedProcess<double>&, ProcessSolution<double>);

}  // namespace tidewise::mdp

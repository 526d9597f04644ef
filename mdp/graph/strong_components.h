#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "mdp/process/decision_process.h"

namespace tidewise::mdp {

/// Sets of states, stored in sequence.
struct StateGroups {
  std::vector<std::int32_t> states = {};
  std::vector<std::int64_t> begin{0};  ///< in `states`, (group + 1)

  std::int64_t count() const { return static_cast<std::int64_t>(begin.size()) - 1; }
  std::int64_t size(std::int64_t group) const { return begin[group + 1] - begin[group]; }
  const std::int32_t* first(std::int64_t group) const { return states.data() + begin[group]; }
};

/// Strongly connected components of the graph of some rows of a process, by Tarjan's search without
/// recursion: memory is linear in the states, time in the transitions. Source: Tarjan, "Depth-first
/// search and linear graph algorithms", SIAM J. Comput. 1, 1972.
template <class Real>
class StrongComponents {
 public:
  explicit StrongComponents(const DecisionProcess<Real>& process)
      : process_(process),
        index_(static_cast<std::size_t>(process.state_count), unseen),
        low_(index_.size(), 0) {}

  /// Appends the components of `roots` and of all states reachable from them by rows for which
  /// `is_selected`(row) is true, each after those that it leads to. Skips states of earlier calls
  /// unless forget() reset them.
  template <class IsSelected>
  void find(const std::int32_t* roots, std::size_t root_count, const IsSelected& is_selected,
            StateGroups& groups) {
    next_ = 0;  // earlier calls left no open states
    for (std::size_t n = 0; n < root_count; ++n) {
      if (index_[roots[n]] == unseen) search(roots[n], is_selected, groups);
    }
  }
  /// Makes find() visit the state again.
  void forget(std::int32_t state) { index_[state] = unseen; }

 private:
  static constexpr std::int32_t unseen = -1;
  static constexpr std::int32_t assigned = std::numeric_limits<std::int32_t>::max();

  struct Frame {
    std::int32_t state;
    std::int64_t row;    // the current row
    std::int64_t entry;  // the next entry
  };

  std::int32_t& index(std::int32_t state) { return index_[state]; }
  std::int32_t& low(std::int32_t state) { return low_[state]; }

  void enter(std::int32_t state) {
    index(state) = low(state) = next_++;
    open_.push_back(state);
    const std::int64_t row = process_.row(state, 0);
    frames_.push_back({state, row, process_.row_begin[row]});
  }

  /// The next successor of the frame's state, or −1.
  template <class IsSelected>
  std::int32_t successor_of(Frame& frame, const IsSelected& is_selected) const {
    const std::int64_t end = process_.row(frame.state + 1, 0);
    while (frame.row < end) {
      const std::int64_t last = process_.row_begin[frame.row + 1];
      if (is_selected(frame.row)) {
        while (frame.entry < last) {
          const auto entry = static_cast<std::size_t>(frame.entry++);
          if (process_.probability[entry] > 0) return process_.successor[entry];
        }
      }
      frame.entry = last;
      ++frame.row;
    }
    return -1;
  }

  template <class IsSelected>
  void search(std::int32_t root, const IsSelected& is_selected, StateGroups& groups) {
    enter(root);
    while (!frames_.empty()) {
      const std::int32_t state = frames_.back().state;
      const std::int32_t to = successor_of(frames_.back(), is_selected);
      if (to >= 0) {
        if (index(to) == unseen) {
          enter(to);
        } else if (index(to) != assigned) {
          low(state) = std::min(low(state), index(to));
        }
        continue;
      }
      frames_.pop_back();
      if (!frames_.empty()) {
        const std::int32_t parent = frames_.back().state;
        low(parent) = std::min(low(parent), low(state));
      }
      if (low(state) == index(state)) close(state, groups);
    }
  }

  void close(std::int32_t root, StateGroups& groups) {
    std::int32_t state = -1;
    do {
      state = open_.back();
      open_.pop_back();
      index(state) = assigned;
      groups.states.push_back(state);
    } while (state != root);
    groups.begin.push_back(static_cast<std::int64_t>(groups.states.size()));
  }

  const DecisionProcess<Real>& process_;
  std::vector<std::int32_t> index_;  // (state): order of discovery
  std::vector<std::int32_t> low_;    // (state): lowest index that it reaches
  std::vector<std::int32_t> open_;   // states of components that are not complete
  std::vector<Frame> frames_;
  std::int32_t next_ = 0;
};

/// All states of a process in strongly connected components, each after those that it leads to.
/// Without cycles one sweep in this order suffices.
template <class Real>
StateGroups in_topological_order(const DecisionProcess<Real>& process) {
  StateGroups groups;
  groups.states.reserve(static_cast<std::size_t>(process.state_count));
  StrongComponents<Real> components(process);
  for (std::int32_t state = 0; state < process.state_count; ++state) {
    components.find(
        &state, 1, [](std::int64_t) { return true; }, groups);
  }
  return groups;
}

}  // namespace tidewise::mdp

#include "mdp/graph/proper_policy.h"

#include <cstdint>
#include <utility>
#include <vector>

#include "mdp/graph/predecessor_rows.h"
#include "mdp/graph/process_ends.h"
#include "mdp/process/terminal_states.h"

namespace tidewise::mdp {
namespace {

/// The states from which some policy terminates with probability one: the greatest Z that is the
/// least Y of { ends, states with an action that surely stays in Z and may lead into Y }. A state
/// outside of Y is removed from Z, with every action that may lead to it and every state that so
/// loses its last action. Each pass is linear in the transitions; passes are few, since only cycles
/// that lose their exit require another one.
template <class Real>
class SureEnds {
 public:
  explicit SureEnds(const DecisionProcess<Real>& process)
      : process_(process),
        predecessors_(process),
        is_row_live_(static_cast<std::size_t>(process.row_count()), 0),
        live_rows_(static_cast<std::size_t>(process.state_count), 0),
        mark_(static_cast<std::size_t>(process.state_count), out) {
    for (std::int32_t state = 0; state < process.state_count; ++state) {
      process.for_actions(state, [&](std::int32_t, std::int64_t row) {
        is_row_live_[row] = 1;
        ++live_rows_[state];
      });
      if (is_end(process, state)) ends_.push_back(state);
    }
  }

  ProperPolicies find() {
    do {
      reach();
    } while (remove_unreached());
    ProperPolicies proper_policies;
    for (std::int32_t state = 0; state < process_.state_count; ++state) {
      if (mark_of(state) == gone) proper_policies.improper.push_back(state);
    }
    return proper_policies;
  }

 private:
  enum Mark : std::uint8_t {
    out,  // in Z, and not (yet) in Y
    in,   // in Y
    gone  // not in Z
  };

  Mark& mark_of(std::int32_t state) { return mark_[state]; }

  /// Marks Y: states that lead to an end by live rows.
  void reach() {
    waiting_ = ends_;
    for (const std::int32_t end : ends_) mark_of(end) = in;
    while (!waiting_.empty()) {
      const std::int32_t reached = waiting_.back();
      waiting_.pop_back();
      predecessors_.for_rows(reached, [&](std::int64_t row) {
        const std::int32_t state = process_.state_of(row);
        if (is_row_live_[row] == 0 || mark_of(state) != out) return;
        mark_of(state) = in;
        waiting_.push_back(state);
      });
    }
  }

  /// Removes unreached states from Z and unmarks Y; true if there were any.
  bool remove_unreached() {
    waiting_.clear();
    for (std::int32_t state = 0; state < process_.state_count; ++state) {
      if (mark_of(state) == out) remove(state);
    }
    if (waiting_.empty()) return false;
    while (!waiting_.empty()) {
      const std::int32_t removed = waiting_.back();
      waiting_.pop_back();
      predecessors_.for_rows(removed, [&](std::int64_t row) { remove_row(row); });
    }
    for (Mark& mark : mark_) mark = mark == in ? out : mark;
    return true;
  }

  void remove(std::int32_t state) {
    mark_of(state) = gone;
    waiting_.push_back(state);
  }

  void remove_row(std::int64_t row) {
    if (is_row_live_[row] == 0) return;
    is_row_live_[row] = 0;
    const std::int32_t state = process_.state_of(row);
    if (--live_rows_[state] == 0 && mark_of(state) != gone) remove(state);
  }

  const DecisionProcess<Real>& process_;
  PredecessorRows predecessors_;
  std::vector<std::uint8_t> is_row_live_;  // (row): 1 if it cannot leave Z
  std::vector<std::int32_t> live_rows_;    // (state)
  std::vector<Mark> mark_;                 // (state)
  std::vector<std::int32_t> ends_;
  std::vector<std::int32_t> waiting_;
};

}  // namespace

template <class Real>
ProperPolicies find_proper_policies(const DecisionProcess<Real>& process) {
  return SureEnds<Real>(process).find();
}

// The smallest set that contains the targets and every state with some action, or only actions,
// that may lead into it.
template <class Real>
std::vector<std::uint8_t> may_reach(const DecisionProcess<Real>& process,
                                    const std::vector<std::int32_t>& targets,
                                    Quantifier quantifier) {
  const PredecessorRows predecessors(process);
  std::vector<std::uint8_t> reaches(static_cast<std::size_t>(process.state_count), 0);
  // (state): number of actions that must still lead into the set before the state is in it.
  std::vector<std::int32_t> missing_rows(reaches.size(), 1);
  std::vector<std::uint8_t> row_reaches(static_cast<std::size_t>(process.row_count()), 0);
  if (quantifier == Quantifier::every_policy) {
    for (std::int32_t state = 0; state < process.state_count; ++state) {
      missing_rows[state] = 0;
      process.for_actions(state, [&](std::int32_t, std::int64_t) { ++missing_rows[state]; });
    }
  }
  std::vector<std::int32_t> waiting;
  const auto add = [&](std::int32_t state) {
    if (std::exchange(reaches[state], 1) == 0) waiting.push_back(state);
  };
  for (const std::int32_t target : targets) add(target);
  while (!waiting.empty()) {
    const std::int32_t reached = waiting.back();
    waiting.pop_back();
    predecessors.for_rows(reached, [&](std::int64_t row) {
      if (std::exchange(row_reaches[row], 1) != 0) return;
      if (--missing_rows[process.state_of(row)] == 0) add(process.state_of(row));
    });
  }
  return reaches;
}

#define TIDEWISE_INSTANTIATE(Real)                                            \
  template ProperPolicies find_proper_policies(const DecisionProcess<Real>&); \
  template std::vector<std::uint8_t> may_reach(const DecisionProcess<Real>&,  \
                                               const std::vector<std::int32_t>&, Quantifier);
TIDEWISE_INSTANTIATE(float)
TIDEWISE_INSTANTIATE(double)
#undef TIDEWISE_INSTANTIATE

template <class Real>
DecisionProcess<Real> end_out_of_reach(DecisionProcess<Real> process, Direction direction) {
  std::vector<std::int32_t> targets;
  for (std::int32_t s = 0; s < process.state_count; ++s) {
    if (process.is_terminal(s) && process.initial_value[s] == 1) targets.push_back(s);
  }
  const auto reaches = may_reach(
      process, targets,
      direction == Direction::maximize ? Quantifier::some_policy : Quantifier::every_policy);
  std::vector<std::int32_t> out_of_reach;
  for (std::int32_t s = 0; s < process.state_count; ++s) {
    if (!process.is_terminal(s) && reaches[s] == 0) out_of_reach.push_back(s);
  }
  return make_terminal(std::move(process), out_of_reach, Real{0});
}

template DecisionProcess<float> end_out_of_reach(DecisionProcess<float>, Direction);
template DecisionProcess<double> end_out_of_reach(DecisionProcess<double>, Direction);

}  // namespace tidewise::mdp

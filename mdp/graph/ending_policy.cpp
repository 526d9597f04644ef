#include "mdp/graph/ending_policy.h"

#include <algorithm>
#include <limits>

#include "mdp/backup/exact_backup.h"
#include "mdp/graph/predecessor_rows.h"
#include "mdp/graph/process_ends.h"

namespace tidewise::mdp {
namespace {

/// Goes back from the ends, by rows of the policy as long as there are any, else by one that ties.
/// Each state so has an action that may lead to one from which the policy may end.
template <class Row, class Real>
class WayBack {
 public:
  WayBack(const DecisionProcess<Real>& process, const std::vector<Real>& value, double slack,
          std::vector<std::int32_t>& action)
      : process_(process),
        value_(value),
        slack_(slack),
        action_(action),
        predecessors_(process),
        may_end_(action.size(), 0) {}

  std::int64_t go() {
    for (std::int32_t state = 0; state < process_.state_count; ++state) {
      if (is_end(process_, state)) reach(state);
    }
    std::int64_t changed = 0;
    follow_policy();
    // Nearest states first: reached_ grows behind us.
    for (std::size_t n = 0; n < reached_.size(); ++n) {
      for (const Row row : predecessors_.of(reached_[n])) {
        const std::int32_t state = state_of(row);
        if (may_end_[static_cast<std::size_t>(state)] != 0 || !is_tied(row)) continue;
        action_[static_cast<std::size_t>(state)] =
            static_cast<std::int32_t>(std::int64_t(row) - process_.row(state, 0));
        ++changed;
        reach(state);
        follow_policy();
      }
    }
    return changed;
  }

 private:
  std::int32_t state_of(Row row) const {
    return static_cast<std::int32_t>(std::int64_t(row) / process_.action_count);
  }

  void reach(std::int32_t state) {
    may_end_[static_cast<std::size_t>(state)] = 1;
    reached_.push_back(state);
  }

  /// Reaches all that the policy leads from to what is reached.
  void follow_policy() {
    for (; followed_ < reached_.size(); ++followed_) {
      for (const Row row : predecessors_.of(reached_[followed_])) {
        const std::int32_t state = state_of(row);
        if (may_end_[static_cast<std::size_t>(state)] != 0) continue;
        const std::int32_t taken = action_[static_cast<std::size_t>(state)];
        if (process_.row(state, taken) == std::int64_t(row)) reach(state);
      }
    }
  }

  bool is_tied(Row row) const {
    const std::int32_t state = state_of(row);
    double best = -std::numeric_limits<double>::infinity();
    for (std::int32_t action = 0; action < process_.action_count; ++action) {
      const std::int64_t other = process_.row(state, action);
      if (process_.is_allowed(other)) {
        best = std::max(best, exact_row_value(process_, value_, other));
      }
    }
    return exact_row_value(process_, value_, std::int64_t(row)) >= best - slack_;
  }

  const DecisionProcess<Real>& process_;
  const std::vector<Real>& value_;
  double slack_;
  std::vector<std::int32_t>& action_;
  PredecessorRows<Row> predecessors_;
  std::vector<std::uint8_t> may_end_;  // (state)
  std::vector<std::int32_t> reached_;  // in order
  std::size_t followed_ = 0;           // of reached_
};

}  // namespace

template <class Real>
std::int64_t make_policy_terminate(const DecisionProcess<Real>& process,
                                   const std::vector<Real>& value, double slack,
                                   std::vector<std::int32_t>& action) {
  if (rows_are_few(process)) {
    return WayBack<std::uint32_t, Real>(process, value, slack, action).go();
  }
  return WayBack<std::int64_t, Real>(process, value, slack, action).go();
}

template std::int64_t make_policy_terminate(const DecisionProcess<float>&,
                                            const std::vector<float>&, double,
                                            std::vector<std::int32_t>&);
template std::int64_t make_policy_terminate(const DecisionProcess<double>&,
                                            const std::vector<double>&, double,
                                            std::vector<std::int32_t>&);

}  // namespace tidewise::mdp

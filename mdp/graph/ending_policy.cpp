#include "mdp/graph/ending_policy.h"

#include <algorithm>
#include <limits>

#include "mdp/backup/exact_backup.h"
#include "mdp/graph/predecessor_rows.h"
#include "mdp/graph/process_ends.h"

namespace tidewise::mdp {
namespace {

template <class Real>
double best_value(const DecisionProcess<Real>& process, const std::vector<Real>& value,
                  std::int32_t state) {
  double best = -std::numeric_limits<double>::infinity();
  process.for_actions(state, [&](std::int32_t, std::int64_t row) {
    best = std::max(best, exact_row_value(process, value, row));
  });
  return best;
}

}  // namespace

// Searches backward from the ends, by rows of the policy while there are any, otherwise by a row
// within `slack` of the best. Thus each state gets an action that may lead to one from which the
// policy may terminate.
template <class Real>
std::int64_t make_policy_terminate(const DecisionProcess<Real>& process,
                                   const std::vector<Real>& value, double slack,
                                   std::vector<std::int32_t>& action) {
  const PredecessorRows predecessors(process);
  std::vector<std::uint8_t> may_end(action.size(), 0);
  std::vector<std::int32_t> reached;  // in order
  const auto reach = [&](std::int32_t state) {
    may_end[state] = 1;
    reached.push_back(state);
  };
  for (std::int32_t state = 0; state < process.state_count; ++state) {
    if (is_end(process, state)) reach(state);
  }
  std::size_t followed = 0;  // number of processed elements of reached
  const auto follow_policy = [&] {
    for (; followed < reached.size(); ++followed) {
      predecessors.for_rows(reached[followed], [&](std::int64_t row) {
        const std::int32_t state = process.state_of(row);
        if (may_end[state] == 0 && process.row(state, action[state]) == row) reach(state);
      });
    }
  };
  std::int64_t change_count = 0;
  follow_policy();
  // Nearest states first: `reached` grows after n.
  for (std::size_t n = 0; n < reached.size(); ++n) {
    predecessors.for_rows(reached[n], [&](std::int64_t row) {
      const std::int32_t state = process.state_of(row);
      if (may_end[state] != 0) return;
      const double row_q = exact_row_value(process, value, row);
      if (!(row_q >= best_value(process, value, state) - slack)) return;
      action[state] = process.action_of(row);
      ++change_count;
      reach(state);
      follow_policy();
    });
  }
  return change_count;
}

template std::int64_t make_policy_terminate(const DecisionProcess<float>&,
                                            const std::vector<float>&, double,
                                            std::vector<std::int32_t>&);
template std::int64_t make_policy_terminate(const DecisionProcess<double>&,
                                            const std::vector<double>&, double,
                                            std::vector<std::int32_t>&);

}  // namespace tidewise::mdp

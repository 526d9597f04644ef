#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "mdp/graph/strong_components.h"
#include "mdp/interval/direct_policy.h"
#include "mdp/interval/reward_rows.h"
#include "mdp/interval/row_rule.h"

namespace tidewise::mdp {

/// in_topological_order() with the states of a component by their distance to an end, so that one
/// sweep in place carries values from the ends as far as possible.
/// Source: Dai, Hansen, "Prioritizing Bellman backups without a priority queue", ICAPS 2007.
template <class Real>
StateGroups in_sweep_order(const DecisionProcess<Real>& process);

/// Finds values one strongly connected component after another, each once those that it leads to
/// are known: by policy iteration with direct solves where a factorisation takes little work, by
/// sweeps in place otherwise. The result is an estimate without bounds.
/// Source: Dai, Mausam, Weld, Goldsmith, "Topological value iteration algorithms", JAIR 42, 2011.
template <class Real>
class ComponentValues {
 public:
  /// Borrows both; `order` is in_sweep_order() of rows.solved(). after_sweep(): called for
  /// each sweep of a component, and may throw to end it.
  ComponentValues(
      const RewardRows<Real>& rows, const StateGroups& order,
      std::function<void()> after_sweep = [] {});

  /// Improves `values` and `action`, (state). Sweeps of a component end when one changes none of
  /// its values by `change` or more, or after `max_sweeps`.
  void solve(const RowRule& rule, double change, std::int64_t max_sweeps, TwoPartValues& values,
             std::vector<std::int32_t>& action);

  /// The states of the largest component, at least 1, where all are solved directly; else 0.
  std::int32_t largest_direct() const;

 private:
  enum class Actions { all, taken };
  double back_up(const RowRule& rule, std::int32_t state, Actions actions, TwoPartValues& values,
                 std::vector<std::int32_t>& action) const;
  void sweep(const RowRule& rule, std::int64_t group, double change, std::int64_t max_sweeps,
             TwoPartValues& values, std::vector<std::int32_t>& action);
  DirectPolicy<Real> policies_of(const RowRule& rule, std::int64_t group, double max_work) const;
  bool iterate_policies(const RowRule& rule, std::int64_t group, double max_work,
                        TwoPartValues& values, std::vector<std::int32_t>& action) const;
  bool improve(const RowRule& rule, const std::vector<std::int32_t>& states,
               const TwoPartValues& values, std::vector<std::int32_t>& action) const;

  const RewardRows<Real>& rows_;
  const StateGroups& order_;
  std::function<void()> after_sweep_;
  std::vector<std::int32_t> group_of_;  // (state)
  std::vector<double> max_work_;        // (group): of a direct solve; 0: the group is swept first
};

}  // namespace tidewise::mdp

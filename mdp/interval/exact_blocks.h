#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "mdp/graph/strong_components.h"
#include "mdp/interval/component_rows.h"
#include "mdp/interval/policy_elimination.h"
#include "mdp/interval/reward_rows.h"
#include "mdp/interval/row_rule.h"

namespace tidewise::mdp {

/// Finds values one strongly connected component after another, each once those that it leads to
/// are known: a small one by policy iteration, whose policies are evaluated by elimination, a large
/// one by sweeps in place. Where rewards bring little at a time, or chance leads back nearly to the
/// start, that is exact to rounding where sweeps over all states would go on for ever. It is an
/// answer to be judged: nothing is promised where going round for ever does not cost.
/// Source: Dai, Mausam, Weld, Goldsmith, "Topological value iteration algorithms", JAIR 42, 2011.
template <class Real>
class ExactBlocks {
 public:
  /// Borrows both; `order` is in_topological_order() of rows.solved(). after_sweep(): called for
  /// each sweep of a large component, and may throw to end it.
  ExactBlocks(
      const RewardRows<Real>& rows, const StateGroups& order,
      std::function<void()> after_sweep = [] {});

  /// Improves `value` and `action`, (state). Large components end when a sweep changes none of
  /// their values by `change` or more, or after `most_sweeps`. Returns the sweeps of the one that
  /// took most.
  std::int64_t solve(const RowRule& rule, double change, std::int64_t most_sweeps,
                     std::vector<double>& value, std::vector<std::int32_t>& action);

  /// Bounds of the optimum, (state), by what elimination knows of its own error: of a component's
  /// policy as `action` has it, which no other row betters by them; and of single states. Infinite
  /// where that proves nothing.
  void bound(const std::vector<std::int32_t>& action, std::vector<double>& lower,
             std::vector<double>& upper) const;

  /// Brings nearer what bound() found where `is_near`, (state), says no: of a small component by
  /// its optimum without any rounding (exact_policies.h), whose policy `action` then has; of a
  /// single state behind one by what it leads to.
  void bound_exactly(const std::function<bool(std::int32_t)>& is_near,
                     std::vector<std::int32_t>& action, std::vector<double>& lower,
                     std::vector<double>& upper) const;

  /// The states of the largest component, 1 at least, where elimination takes all of them; else 0.
  std::int32_t largest_exact() const;

 private:
  struct Best {
    double value;
    std::int32_t action;
  };

  double reward(const RowRule& rule, std::int64_t row) const {
    return rule.steps ? 1 : rows_.reward(row);
  }
  Best best_of(const RowRule& rule, std::int32_t state, const std::vector<double>& value) const;
  double back_up(const RowRule& rule, std::int32_t state, std::vector<double>& value,
                 std::vector<std::int32_t>& action) const;
  std::int64_t sweep(const RowRule& rule, std::int64_t group, double change,
                     std::int64_t most_sweeps, ComponentRows<Real>& rows,
                     std::vector<double>& value, std::vector<std::int32_t>& action);
  PolicyElimination<Real> elimination_of(const RowRule& rule, std::int64_t group,
                                         double most) const;
  bool improve(const RowRule& rule, const std::vector<std::int32_t>& states, bool finely,
               const std::vector<double>& value, std::vector<std::int32_t>& action) const;
  void bound_state(std::int32_t state, std::vector<double>& lower,
                   std::vector<double>& upper) const;
  void bound_policy(std::int64_t group, const std::vector<std::int32_t>& action,
                    std::vector<double>& lower, std::vector<double>& upper) const;
  void bound_optimum(std::int64_t group, double& most_work, std::vector<std::int32_t>& action,
                     std::vector<double>& lower, std::vector<double>& upper) const;
  bool iterate_policies(const RowRule& rule, std::int64_t group, double most,
                        ComponentRows<Real>* rows, std::vector<double>& value,
                        std::vector<std::int32_t>& action) const;
  static bool improve_in_place(ComponentRows<Real>& rows, std::vector<double>& value,
                               std::vector<std::int32_t>& action);

  const RewardRows<Real>& rows_;
  const StateGroups& order_;
  std::function<void()> after_sweep_;
  std::vector<std::int32_t> group_of_;  // (state)
  std::vector<std::int32_t> place_of_;  // (state): in its group
  std::vector<double> most_work_;       // (group): that elimination may be for it; 0: it is swept
};

}  // namespace tidewise::mdp

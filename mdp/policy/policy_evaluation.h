#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "base/memory/array.h"
#include "mdp/fused/sweeps.h"
#include "mdp/policy/krylov_evaluation.h"
#include "mdp/policy/policy_rows.h"
#include "mdp/process/options.h"

namespace tidewise::mdp {

/// Measure of a change: the range between its minimum and maximum, because a common offset of all
/// states is bounded separately (MacQueen); or, if that does not apply, the range of both and 0.
enum class ChangeMeasure { between_states, from_zero };
/// The measure of a change.
double measure_of(const ValueChange& change, ChangeMeasure measure);

/// Evaluates a policy to a given accuracy, starting from existing values: by sweeps or, if sweeps
/// reduce the change slowly, by Krylov steps. Steps that do not improve the values are undone.
template <class Real>
class PolicyEvaluation {
 public:
  /// Borrows `process`. `evaluator`: sweeps or krylov; otherwise the progress of sweeps decides.
  PolicyEvaluation(const ProcessView<Real>& process, ChangeMeasure measure, Evaluator evaluator,
                   std::int32_t threads);

  /// Takes another policy, as PolicyRows does. If it differs in many states, evaluation is shallow,
  /// because the policy will probably change again.
  void take(const std::vector<std::int32_t>& action, const Real* value);
  /// next = r_π + γ P_π value. Returns the change of values.
  ValueChange sweep(const SliceValues<Real>& value, SliceValues<Real>& next) const;
  /// Improves `value` until a sweep would change it by at most `goal`, or by `max_sweeps` sweeps
  /// and products with P_π; returns their number. `last_change`: change of the last sweep over
  /// actions. `may_step`: allows Krylov steps; false if only recurring rounding is left, which
  /// sweeps settle and Krylov steps disturb. `next` is scratch space.
  std::int64_t evaluate(double last_change, double goal, bool may_step, std::int64_t max_sweeps,
                        SliceValues<Real>& value, SliceValues<Real>& next);

 private:
  std::int64_t step(double present_change, double goal, std::int64_t max_products,
                    SliceValues<Real>& value, SliceValues<Real>& next);

  bool should_step(double present_change, double rate, double goal, std::int64_t sweeps) const;

  ChangeMeasure measure_;
  Evaluator evaluator_;
  std::int32_t threads_;
  PolicyRows<Real> rows_;
  std::unique_ptr<KrylovEvaluation<Real>> krylov_;  // created when needed
  bool may_go_deep_ = false;
  std::int64_t shallow_ = 0;   // number of shallow evaluations
  std::int32_t failures_ = 0;  // consecutive failures of Krylov steps
};

}  // namespace tidewise::mdp

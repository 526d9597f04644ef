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

/// How far a change is from none: what lies between its least and its greatest, since a change that
/// is alike in all states is bounded away (MacQueen); or, where that does not count, what lies
/// between them and 0.
enum class ChangeMeasure { between_states, from_zero };
double measure_of(const ValueChange& change, ChangeMeasure measure);

/// Evaluates a policy as far as it is asked to, from values that are there: by sweeps, and where
/// these are seen to shrink the change slowly by Krylov steps. Steps that do not bring values
/// closer are taken back.
template <class Real>
class PolicyEvaluation {
 public:
  /// Borrows `process`. `evaluator`: sweeps or krylov, where not by what sweeps show.
  PolicyEvaluation(const ProcessView<Real>& process, ChangeMeasure measure, Evaluator evaluator,
                   std::int32_t threads);

  /// Takes another policy, as PolicyRows does. Where it differs in many states, evaluation does
  /// not go deep: it is likely to be left again.
  void take(const std::vector<std::int32_t>& action, const Real* value);
  /// next = r_π + γ P_π value. Returns how values changed.
  ValueChange sweep(const SliceValues<Real>& value, SliceValues<Real>& next) const;
  /// Improves `value` until a sweep would change it by `goal` at most, or by `most_sweeps` sweeps
  /// and products with P_π, which are counted. `before`: what the last sweep over actions changed.
  /// `may_step`: whether Krylov steps may be made; not where nothing but rounding is left and
  /// comes again, which sweeps bring to rest and they stir up. `next` is room.
  std::int64_t evaluate(double before, double goal, bool may_step, std::int64_t most_sweeps,
                        SliceValues<Real>& value, SliceValues<Real>& next);

 private:
  std::int64_t step(double now, double goal, std::int64_t most_products, SliceValues<Real>& value,
                    SliceValues<Real>& next);

  bool should_step(double now, double rate, double goal, std::int64_t sweeps) const;

  ChangeMeasure measure_;
  Evaluator evaluator_;
  std::int32_t threads_;
  PolicyRows<Real> rows_;
  std::unique_ptr<KrylovEvaluation<Real>> krylov_;  // made when first needed
  bool may_go_deep_ = false;
  std::int64_t shallow_ = 0;   // evaluations that might not
  std::int32_t failures_ = 0;  // of Krylov steps, in a row
};

}  // namespace tidewise::mdp

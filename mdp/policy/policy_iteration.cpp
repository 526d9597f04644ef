#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "base/stopwatch.h"
#include "mdp/backup/bellman.h"
#include "mdp/backup/policy_sweep.h"
#include "mdp/error/codes.h"
#include "mdp/methods/functions.h"
#include "mdp/policy/policy_alternation.h"
#include "mdp/policy/policy_rows.h"
#include "mdp/process/first_values.h"
#include "mdp/process/state_blocks.h"
#include "mdp/stop/centre_values.h"

namespace tidewise::mdp {
namespace {

/// Values and policy in host memory. Policies are evaluated on copies of their rows, with the bits
/// of a GPU's sweeps over the process.
template <class Real>
class HostPolicies {
 public:
  HostPolicies(const DecisionProcess<Real>& process, const SolveOptions& options)
      : view_(view_of(process)),
        threads_(options.threads),
        order_(options.evaluator == Evaluator::block ? SumOrder::of_block : SumOrder::of_rows),
        tie_(tie_to_keep(process.discount, options)),
        value_(first_values(process)),
        next_(value_.size()),
        action_(value_.size(), -1),
        next_action_(value_.size()) {}

  PolicyStep improve() {
    const ValidateState<Real> validate{value_, next_, action_, next_action_};
    const auto step = gather_over_blocks<PolicyStep>(
        view_.state_count, threads_, [&](std::int64_t begin, std::int64_t end) {
          PolicyStep part;
          for (std::int64_t s = begin; s < end; ++s) {
            const auto at = static_cast<std::size_t>(s);
            const auto state = static_cast<std::int32_t>(s);
            const BestAction<Real> best = best_action(view_, value_.data(), state);
            next_[at] = best.value;
            next_action_[at] = keep_action(view_, value_.data(), state, action_[at], best, tie_);
            part.include(validate(at));
          }
          return part;
        });
    std::swap(value_, next_);
    std::swap(action_, next_action_);
    return step;
  }

  template <class Report>
  std::int64_t evaluate(EvaluationEnd end, bool /*policy_changed*/, const Report& report) {
    if (end.is_due()) return 0;
    if (!rows_) rows_.emplace(view_, threads_, order_);
    rows_->take(action_, value_.data());
    while (!end.is_due()) {
      end.include(rows_->sweep(value_.data(), next_.data()).residual());
      std::swap(value_, next_);
      report(end.sweeps());
    }
    return end.sweeps();
  }

  bool rounds_alike() const { return order_ == SumOrder::of_rows; }

  const std::vector<Real>& values() const { return value_; }
  std::vector<Real> take_values() { return std::move(value_); }
  std::vector<std::int32_t> take_actions() { return std::move(action_); }

 private:
  ProcessView<Real> view_;
  std::int32_t threads_;
  SumOrder order_;
  double tie_;                             // tolerance of keep_action()
  std::vector<Real> value_;                // (state)
  std::vector<Real> next_;                 // (state)
  std::vector<std::int32_t> action_;       // (state)
  std::vector<std::int32_t> next_action_;  // (state)
  std::optional<PolicyRows<Real>> rows_;   // created when needed
};

}  // namespace

void require_evaluation_sweeps(const SolveOptions& options) {
  if (options.evaluation_sweeps < 0) throw input_error(errors::evaluation_sweeps_negative);
}

template <class Real>
ProcessSolution<Real> iterate_policies(const DecisionProcess<Real>& process,
                                       const SolveOptions& options, Progress& progress) {
  const Stopwatch watch;
  ProcessSolution<Real> solution;
  HostPolicies<Real> policies(process, options);
  const ValueChange change = alternate(policies, process, options, progress, solution);
  solution.value = policies.take_values();
  solution.action = policies.take_actions();
  centre_values(change, process.discount, options, solution);
  solution.seconds = watch.seconds();
  return solution;
}

TIDEWISE_INSTANTIATE_METHOD(iterate_policies)

}  // namespace tidewise::mdp

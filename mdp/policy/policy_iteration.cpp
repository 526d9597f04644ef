#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/stopwatch.h"
#include "mdp/backup/bellman.h"
#include "mdp/backup/policy_sweep.h"
#include "mdp/methods/host.h"
#include "mdp/methods/instantiate.h"
#include "mdp/policy/policy_alternation.h"
#include "mdp/process/first_values.h"
#include "mdp/stop/centre_values.h"

namespace tidewise::mdp {
namespace {

/// Values and policy in host memory; both halves of the method state by state, row by row.
template <class Real>
class HostPolicies {
 public:
  HostPolicies(const DecisionProcess<Real>& process, std::int32_t threads)
      : view_(view_of(process)),
        threads_(threads),
        value_(first_values(process)),
        next_(value_.size()),
        action_(value_.size(), -1),
        next_action_(value_.size()) {}

  PolicyStep improve() {
    PolicyStep step;
    const ValidateState<Real> validate{value_, next_, action_, next_action_};
#pragma omp parallel num_threads(threads_) if (threads_ > 1)
    {
      PolicyStep mine;
#pragma omp for schedule(static)
      for (std::int32_t s = 0; s < view_.state_count; ++s) {
        const auto at = static_cast<std::size_t>(s);
        const BestAction<Real> best = best_action(view_, value_.data(), s);
        next_[at] = best.value;
        next_action_[at] = best.action;
        mine.include(validate(at));
      }
#pragma omp critical(tidewise_policy_improvement)
      step.include(mine);  // the same in any order
    }
    std::swap(value_, next_);
    std::swap(action_, next_action_);
    return step;
  }

  void evaluate(std::int64_t sweeps, bool /*policy_changed*/) {
    for (std::int64_t sweep = 0; sweep < sweeps; ++sweep) {
      const EvaluateState<Real> state{view_, action_, value_, next_};
#pragma omp parallel for schedule(static) num_threads(threads_) if (threads_ > 1)
      for (std::int32_t s = 0; s < view_.state_count; ++s) state(static_cast<std::size_t>(s));
      std::swap(value_, next_);
    }
  }

  static bool rounds_alike() { return true; }

  const std::vector<Real>& values() const { return value_; }
  std::vector<Real> take_values() { return std::move(value_); }
  std::vector<std::int32_t> take_actions() { return std::move(action_); }

 private:
  ProcessView<Real> view_;
  std::int32_t threads_;
  std::vector<Real> value_;                // (state)
  std::vector<Real> next_;                 // (state)
  std::vector<std::int32_t> action_;       // (state)
  std::vector<std::int32_t> next_action_;  // (state)
};

}  // namespace

template <class Real>
ProcessSolution<Real> iterate_policies(const DecisionProcess<Real>& process,
                                       const SolveOptions& options, Progress& progress) {
  const Stopwatch watch;
  ProcessSolution<Real> solution;
  HostPolicies<Real> policies(process, options.threads);
  const ValueChange change = alternate(policies, process, options, progress, solution);
  solution.value = policies.take_values();
  solution.action = policies.take_actions();
  centre_values(change, process.discount, options, solution);
  solution.seconds = watch.seconds();
  return solution;
}

TIDEWISE_INSTANTIATE_METHOD(iterate_policies)

}  // namespace tidewise::mdp

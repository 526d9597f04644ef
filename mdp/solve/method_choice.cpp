#include "mdp/solve/method_choice.h"

#include <fmt/format.h>

#include "mdp/fused/model_sample.h"

namespace tidewise::mdp {

namespace {

constexpr std::int64_t small_model_entries = 20'000;  // any method is fast for these
// Above this discount sweeps may be so many that even small models take long.
constexpr double high_discount = 0.999;
// Entries of a state over all its actions. With fewer, a vectorized sweep over all actions costs
// hardly more than one over a policy's.
constexpr double many_entries = 24;

}  // namespace

// Measured on grid worlds and on those of sample_worlds.h; see bench/results/mdp.md. If rows
// repeat, a sweep over all actions costs hardly more than one over a policy's. If rows have no
// structure and actions are many, most need not be examined in most sweeps. In between, the number
// of sweeps matters, which only the first sweeps show, not a sample.
template <class Real>
MethodChoice choose_method(const DecisionProcess<Real>& process, const SolveOptions& options) {
  if (options.horizon > 0) {
    return {Method::backward, fmt::format("{} steps are requested", options.horizon)};
  }
  if (options.stop == StoppingRule::policy) {
    return {Method::policy_iteration, "a stable policy ends it"};
  }
  if (options.backend == BackendChoice::cuda) {
    return {Method::fused, "its sweeps run on the GPU without the host"};
  }
  if (!(process.discount < 1)) return {Method::fused, "the discount is 1"};
  if (process.entry_count() < small_model_entries) {
    if (process.discount > high_discount) {
      return {Method::inexact_policy_iteration,
              fmt::format("the model is small and the discount {} near 1", process.discount)};
    }
    return {Method::fused, "the model is small"};
  }
  const ModelSample sample = sample_model(process);
  if (sample.repeats()) return {Method::fused, "the same rows recur throughout the model"};
  if (!sample.has_structure() && sample.state_entries >= many_entries) {
    return {Method::inexact_policy_iteration,
            fmt::format("rows are {}, of {:.3g} entries on average",
                        sample.is_dense() ? "dense" : "unlike each other", sample.row_entries)};
  }
  return {
      Method::fused,
      fmt::format("a state's rows are {}, of {:.3g} entries on average",
                  sample.has_structure() ? "like its neighbours'" : "short", sample.row_entries),
      true};
}

template MethodChoice choose_method(const DecisionProcess<float>&, const SolveOptions&);
template MethodChoice choose_method(const DecisionProcess<double>&, const SolveOptions&);

BackendChoice suitable_backend(const SolverOptions& options) {
  if (options.backend != BackendChoice::automatic) return options.backend;
  if (is_for_host_alone(options.method)) return BackendChoice::cpu;
  if (options.method != Method::policy_iteration) return options.backend;
  switch (options.evaluator) {
    case Evaluator::serial:
      return BackendChoice::cpu;
    case Evaluator::cuda:
    case Evaluator::cusparse:
      return BackendChoice::cuda;
    default:  // both are possible, or it is refused later
      return options.backend;
  }
}

}  // namespace tidewise::mdp

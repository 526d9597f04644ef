#include "mdp/solve/method_choice.h"

#include <fmt/format.h>

#include "mdp/fused/model_sample.h"

namespace tidewise::mdp {

namespace {

constexpr std::int64_t few_entries = 20'000;  // which any method goes through in no time
// Above it sweeps alone may take so many of them that no model is small.
constexpr double far_discount = 0.999;
// Of a state, over all its actions. With fewer a sweep over all of them by vectors costs hardly
// more than one over a policy's.
constexpr double many_entries = 24;

}  // namespace

// Measured on grid worlds and on those of sample_worlds.h; the figures are in bench/results/mdp.md.
// Where rows repeat, a sweep over all actions costs hardly more than one over a policy's. Where
// rows have no structure and actions are many, most need not be looked at in most sweeps. Between
// these two what counts is how many sweeps there will be, which no sample tells: the first ones do.
template <class Real>
MethodChoice choose_method(const DecisionProcess<Real>& process, const SolveOptions& options) {
  if (options.horizon > 0) {
    return {Method::backward, fmt::format("{} steps are asked for", options.horizon)};
  }
  if (options.stop == StoppingRule::policy) {
    return {Method::policy_iteration, "a stable policy ends it"};
  }
  if (options.backend == BackendChoice::cuda) {
    return {Method::fused, "a GPU computes, which its sweeps leave to itself"};
  }
  if (!(process.discount < 1)) return {Method::fused, "the discount is 1"};
  if (process.entry_count() < few_entries) {
    if (process.discount > far_discount) {
      return {Method::inexact_policy_iteration,
              fmt::format("the model is small and the discount {} near 1", process.discount)};
    }
    return {Method::fused, "the model is small"};
  }
  const ModelSample sample = sample_model(process);
  if (sample.repeats()) return {Method::fused, "the same rows come again all over the model"};
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
    default:  // of either, or refused later
      return options.backend;
  }
}

}  // namespace tidewise::mdp

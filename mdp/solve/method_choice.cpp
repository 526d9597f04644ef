#include "mdp/solve/method_choice.h"

#include <fmt/format.h>

#include "mdp/solve/model_sample.h"

namespace tidewise::mdp {

namespace {

// Above it the fused method needs so many sweeps that even structured rows, which it reads by
// vectors, are better looked at seldom.
constexpr double far_discount = 0.95;
constexpr std::int64_t few_entries = 20'000;  // which any method goes through in no time

}  // namespace

// Measured on grid worlds and on those of sample_worlds.h; the figures are in bench/results/mdp.md.
// Where rows repeat, a sweep over all actions costs hardly more than one over a policy's. Where
// they have no structure, most actions need not be looked at in most sweeps.
template <class Real>
MethodChoice choose_method(const DecisionProcess<Real>& process, const SolveOptions& options) {
  if (options.horizon > 0) {
    return {SolveMethod::backward, fmt::format("{} steps are asked for", options.horizon)};
  }
  if (options.compute_on == ComputeOn::device) {
    return {SolveMethod::fused, "a GPU computes, which its sweeps leave to itself"};
  }
  if (!(process.discount < 1)) return {SolveMethod::fused, "the discount is 1"};
  if (process.entry_count() < few_entries) return {SolveMethod::fused, "the model is small"};
  const ModelSample sample = sample_model(process);
  if (sample.repeats()) {
    return {SolveMethod::fused, "the same rows come again all over the model"};
  }
  if (!sample.has_structure()) {
    return {SolveMethod::inexact_policy_iteration,
            fmt::format("rows are {}, of {:.3g} entries on average",
                        sample.is_dense() ? "dense" : "unlike each other", sample.row_entries)};
  }
  const bool is_far = process.discount > far_discount;
  return {is_far ? SolveMethod::inexact_policy_iteration : SolveMethod::fused,
          fmt::format("neighbours' rows are alike and the discount {:g} is {}", process.discount,
                      is_far ? "near 1" : "not near 1")};
}

template MethodChoice choose_method(const DecisionProcess<float>&, const SolveOptions&);
template MethodChoice choose_method(const DecisionProcess<double>&, const SolveOptions&);

}  // namespace tidewise::mdp

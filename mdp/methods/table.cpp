#include "mdp/methods/table.h"

#include <algorithm>

#include "mdp/methods/functions.h"

namespace tidewise::mdp {

// NOLINTBEGIN(bugprone-macro-parentheses): the name of a template takes no parentheses.
#define TIDEWISE_BOTH(function) \
  { function<float>, function<double> }
// NOLINTEND(bugprone-macro-parentheses)

// To add a method, add a row here, a word of Method, its functions, their declarations, and its
// options in mdp/api/named_options.cpp.
const std::vector<MethodRow>& method_rows() {
  static const std::vector<MethodRow> rows{
      {Method::automatic, "auto"},
      {Method::fused,
       "fused",
       TIDEWISE_BOTH(iterate_fused),
       TIDEWISE_BOTH(fused_on_device),
       {"layout"}},
      {Method::value_iteration, "value-iteration", TIDEWISE_BOTH(iterate_values),
       TIDEWISE_BOTH(values_on_device)},
      {.method = Method::gauss_seidel,
       .name = "gauss-seidel",
       .host = TIDEWISE_BOTH(iterate_gauss_seidel),
       .host_alone = "gauss-seidel updates states one after another, which no GPU supports; use "
                     "--backend cpu, or block-divided"},
      {Method::block_divided, "block-divided", TIDEWISE_BOTH(iterate_block_divided),
       TIDEWISE_BOTH(block_divided_on_device)},
      {Method::result_divided, "result-divided", TIDEWISE_BOTH(iterate_result_divided),
       TIDEWISE_BOTH(result_divided_on_device)},
      {Method::policy_iteration,
       "policy-iteration",
       TIDEWISE_BOTH(iterate_policies),
       TIDEWISE_BOTH(policies_on_device),
       {"evaluator"}},
      {.method = Method::inexact_policy_iteration,
       .name = "inexact-policy-iteration",
       .host = TIDEWISE_BOTH(iterate_inexact_policies),
       .options = {"evaluator"},
       .host_alone = "inexact-policy-iteration runs only on the CPU; use --backend cpu, "
                     "or policy-iteration or fused"},
      {.method = Method::backward,
       .name = name_of_backward,
       .host = TIDEWISE_BOTH(induce_backward),
       .device = TIDEWISE_BOTH(backward_on_device),
       .options = {"horizon", "layout"},
       .has_fixed_point = false},
      {.method = Method::q_learning,
       .name = "q-learning",
       .host = TIDEWISE_BOTH(learn_by_simulation),
       .device = TIDEWISE_BOTH(q_learning_on_device),
       .options = {"agents", "steps", "seed"},
       .has_fixed_point = false}};
  return rows;
}

const MethodRow& row_of(Method method) {
  return *std::find_if(method_rows().begin(), method_rows().end(),
                       [&](const MethodRow& row) { return row.method == method; });
}

std::string_view name_of(Method method) { return row_of(method).name; }
bool is_for_host_alone(Method method) { return !row_of(method).host_alone.empty(); }
bool has_fixed_point(Method method) { return row_of(method).has_fixed_point; }

std::string_view compared_policies(double discount, const SolveOptions& options) {
  if (discount != 1 || !has_fixed_point(options.method)) return "";
  return options.endings == Endings::sure ? "sure" : "free";
}

}  // namespace tidewise::mdp

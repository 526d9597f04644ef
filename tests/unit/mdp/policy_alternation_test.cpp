#include "mdp/policy/policy_alternation.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <vector>

#include "base/progress.h"
#include "mdp/backup/bellman.h"
#include "mdp/process/state_blocks.h"
#include "mdp/stop/centre_values.h"
#include "support/mdp/process_cases.h"

namespace tidewise::mdp {
namespace {

/// Policies whose evaluation sums in another order, as a library may: each value differs by a few
/// units in the last place, up in one sweep and down in the next.
class RoundingPolicies {
 public:
  RoundingPolicies(const DecisionProcess<float>& process, bool reports_rounding)
      : view_(view_of(process)),
        reports_rounding_(reports_rounding),
        value(static_cast<std::size_t>(process.state_count)),
        action(value.size(), -1) {}

  PolicyStep improve() {
    PolicyStep step;
    std::vector<float> next(value.size());
    std::vector<std::int32_t> next_action(value.size());
    const ValidateState<float> validate{value, next, action, next_action};
    for (std::size_t s = 0; s < value.size(); ++s) {
      const auto best = best_action(view_, value.data(), static_cast<std::int32_t>(s));
      next[s] = best.value;
      next_action[s] = best.action;
      step.include(validate(s));
    }
    value = next;
    action = next_action;
    return step;
  }

  template <class Report>
  std::int64_t evaluate(EvaluationEnd end, bool /*policy_changed*/, const Report& report) {
    for (std::int64_t sweep = 0; !end.is_due(); ++sweep) {
      std::vector<float> next(value.size());
      const EvaluateState<float> evaluate{view_, action, value, next};
      for (std::size_t s = 0; s < value.size(); ++s) {
        evaluate(s);
        const float towards = (s + static_cast<std::size_t>(sweep)) % 2 == 0 ? 1e9F : -1e9F;
        for (int units = 0; action[s] >= 0 && units < 3; ++units) {
          next[s] = std::nextafter(next[s], towards);
        }
      }
      end.include(change_between(value.data(), next.data(), 0, std::ssize(value)).residual());
      value = next;
    }
    report(end.sweeps());
    return end.sweeps();
  }

  std::vector<float> values() const { return value; }
  bool rounds_alike() const { return !reports_rounding_; }

 private:
  ProcessView<float> view_;
  bool reports_rounding_;

 public:
  std::vector<float> value;
  std::vector<std::int32_t> action;
};

ProcessSolution<float> solve_alternating(bool reports_rounding) {
  auto process = test::make_process<float>({.seed = 21, .discount = 0.99, .terminal_share = 0});
  for (float& reward : process.reward) reward += 3;
  RoundingPolicies policies(process, reports_rounding);
  SolveOptions options;
  options.tolerance = 1e-3;
  options.max_sweeps = 20'000;
  SilentProgress silent;
  ProcessSolution<float> solution;
  const ValueChange change = alternate(policies, process, options, silent, solution);
  solution.value = policies.value;
  solution.action = policies.action;
  centre_values(change, process.discount, options, solution);
  if (solution.converged) {
    const auto optimum = test::reference_values(process);
    for (std::size_t s = 0; s < optimum.size(); ++s) {
      EXPECT_NEAR(solution.value[s], optimum[s], 4e-3);  // the tolerance, and float's rounding
    }
  }
  return solution;
}

TEST(PolicyAlternation, EndsIfEvaluationRoundsDifferently) {
  const auto solution = solve_alternating(true);
  EXPECT_TRUE(solution.converged);
  EXPECT_LT(solution.sweeps, 5000);
}

TEST(PolicyAlternation, DoesNotConvergeWithoutDetectingRounding) {
  EXPECT_FALSE(solve_alternating(false).converged);
}

}  // namespace
}  // namespace tidewise::mdp

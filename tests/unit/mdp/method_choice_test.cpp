#include "mdp/solve/method_choice.h"

#include <gmock/gmock.h>

#include "base/progress.h"
#include "mdp/solve/model_sample.h"
#include "mdp/solve/solve_process.h"
#include "mdp/worlds/gridworld.h"
#include "mdp/worlds/sample_worlds.h"
#include "support/mdp/process_cases.h"

namespace tidewise::mdp {
namespace {

SolveMethod chosen(const DecisionProcess<double>& process, const SolveOptions& options = {}) {
  const MethodChoice choice = choose_method(process, options);
  EXPECT_FALSE(choice.reason.empty());
  return choice.method;
}

DecisionProcess<double> sample(const char* kind, double discount) {
  return make_sample_world<double>({kind, discount, 0.02});
}

TEST(MethodChoice, TakesTheFusedMethodWhereRowsRepeat) {
  EXPECT_EQ(chosen(make_gridworld<double>(wet_floor_world(128, 4), 1)), SolveMethod::fused);
  GridworldOptions far = slip_world(200, 100, 0.1);
  far.discount = 0.999;
  EXPECT_EQ(chosen(make_gridworld<double>(far, 1)), SolveMethod::fused);
}

TEST(MethodChoice, LooksAtFewActionsWhereRowsAreUnlikeEachOther) {
  for (const double discount : {0.5, 0.9, 0.99}) {
    EXPECT_EQ(chosen(sample("random", discount)), SolveMethod::inexact_policy_iteration);
    EXPECT_EQ(chosen(sample("car", discount)), SolveMethod::inexact_policy_iteration);
    EXPECT_EQ(chosen(sample("inventory", discount)), SolveMethod::inexact_policy_iteration);
  }
}

TEST(MethodChoice, GoesByTheDiscountWhereNeighboursAreAlike) {
  EXPECT_EQ(chosen(sample("queues", 0.9)), SolveMethod::fused);
  EXPECT_EQ(chosen(sample("queues", 0.99)), SolveMethod::inexact_policy_iteration);
  GridworldOptions rewired = wet_floor_world(128, 4);
  rewired.rewired_share = 0.1;
  EXPECT_EQ(chosen(make_gridworld<double>(rewired, 1)), SolveMethod::fused);
  rewired.discount = 0.99;
  EXPECT_EQ(chosen(make_gridworld<double>(rewired, 1)), SolveMethod::inexact_policy_iteration);
}

TEST(MethodChoice, DoesNotLookAtSmallModels) {
  EXPECT_EQ(chosen(test::three_state_process<double>()), SolveMethod::fused);
}

TEST(MethodChoice, GoesByWhatIsAskedFor) {
  auto process = sample("random", 0.9);
  EXPECT_EQ(chosen(process, {.compute_on = ComputeOn::device}), SolveMethod::fused);
  EXPECT_EQ(chosen(process, {.horizon = 5}), SolveMethod::backward);
  process.discount = 1;
  EXPECT_EQ(chosen(process), SolveMethod::fused);
}

TEST(MethodChoice, TakesAnyProcess) {
  SilentProgress progress;
  const SolveOptions options{.method = SolveMethod::automatic};
  for (const test::RandomProcess& wanted :
       {test::RandomProcess{.states = 1}, test::RandomProcess{.states = 33},
        test::RandomProcess{.states = 40, .terminal_share = 1},
        test::RandomProcess{.states = 65, .actions = 1, .successors = 1}}) {
    const auto process = test::make_process<double>(wanted);
    const auto solution = solve_process(process, options, progress);
    EXPECT_TRUE(solution.converged);
    const auto optimum = test::reference_values(process);
    for (std::size_t s = 0; s < optimum.size(); ++s) {
      EXPECT_NEAR(solution.value[s], optimum[s], 1e-4);
    }
  }
}

TEST(ModelSample, TellsKindsApart) {
  const ModelSample wet = sample_model(make_gridworld<double>(wet_floor_world(128, 4), 1));
  EXPECT_TRUE(wet.repeats());
  EXPECT_NEAR(wet.row_entries, 4, 0.1);
  const ModelSample random = sample_model(sample("random", 0.9));
  EXPECT_FALSE(random.has_structure());
  EXPECT_NEAR(random.row_entries, 8, 0.1);
  EXPECT_TRUE(sample_model(make_sample_world<double>({"inventory", {}, 0.2})).is_dense());
}

}  // namespace
}  // namespace tidewise::mdp

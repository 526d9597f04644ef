// Adaptive and clairvoyant flights of missions with via points. Without forecast error, all of them
// equal those of the plan.

#include <gtest/gtest.h>

#include <cmath>

#include "planner/learning/adaptive_flights.h"
#include "planner/learning/clairvoyant_flights.h"
#include "solver/induction/backward_induction.h"
#include "solver/legs/legs.h"
#include "support/backend.h"
#include "support/ocean/environment_builder.h"
#include "support/ocean/landing_rules.h"
#include "support/ocean/leg_tables.h"
#include "support/temporary_folder.h"

namespace tidewise {
namespace {

/// A mission in four equal realizations of a flow that changes from level to level.
class LearningLegs : public testing::Test {
 protected:
  LearningLegs() {
    info_ = test::plain_info(15, 15, 25, 2, 4);
    test::write_environment(folder_ / "env.h5", info_, [](TimeLevel k, LevelFields<>& fields) {
      for (std::size_t cell = 0; cell < fields.u_mean.size(); ++cell) {
        fields.u_mean[cell] = 0.3F * std::sin(0.7F * static_cast<float>(cell % 15 + k.value));
        fields.v_mean[cell] = 0.2F;
        fields.u_mode[cell] = 1;
      }
    });
    reader_.emplace(folder_ / "env.h5");
    const Grid& grid = info_.grid;
    mission_.start = grid.cell(7, 2);
    mission_.start_x = grid.x(7) + 0.2;
    mission_.start_y = grid.y(2) - 0.3;
    mission_.target = target_cells(grid, grid.x(7), grid.y(12), 1);
    mission_.disc = target_disc(grid, grid.x(7), grid.y(12), 1);
    mission_.last = TimeLevel(info_.time.level_count - 1);
    mission_.failure = {-900, -800, -200, 2};
    mission_.via = {test::via_block(grid, mission_, -3, 3, 8),
                    test::via_block(grid, mission_, 2, 6, 4)};
    actions_ = make_actions({0.7}, 8, grid, info_.time);
    policy_.emplace(grid, mission_);
    solve_mission(*reader_, problem(), {}, *policy_, progress_);
    planned_ = fly(*reader_, problem(), *policy_, {}, progress_);
    levels_.emplace(*reader_, mission_.departure, mission_.last);
    effects_ = action_effects(problem(), info_.time.step);
    backend_.threads = 2;
    solver_.emplace(*reader_, *levels_, problem(), Engine::lattice, backend_, notes_);
  }
  PlanningProblem problem() const { return {actions_, mission_, test::by_cell}; }
  OceanToFly ocean() const { return {info_, *levels_, problem(), effects_}; }

  test::TemporaryFolder folder_;
  SilentProgress progress_;
  EnvironmentInfo info_;
  std::optional<EnvironmentReader> reader_;
  Mission mission_;
  std::vector<Action> actions_;
  std::optional<test::LegTables> policy_;
  RolloutResult planned_;
  std::optional<InMemoryLevels> levels_;
  std::vector<ActionEffect> effects_;
  Backend backend_{};
  std::vector<std::string> notes_;
  std::optional<ManySolver> solver_;
};

TEST_F(LearningLegs, ReplanningPassesViaPoints) {
  ASSERT_EQ(planned_.trajectories.front().passed.size(), 2u);
  LearningOptions options;
  options.observation_error = 0.3;
  for (const std::int32_t every : {2, 1000}) {
    options.replan_every = every;
    const AdaptiveFlights flown =
        fly_adaptive(ocean(), TruthIs::another, {0, 1, 2, 3}, {info_, *levels_, *policy_}, options,
                     *solver_, 2, 1, progress_);
    EXPECT_TRUE(test::same_bits(flown.rollout, planned_)) << "every " << every;
    EXPECT_EQ(flown.replans > 10, every == 2);
    EXPECT_EQ(flown.steps_beyond_plan, 0);
  }
}

TEST_F(LearningLegs, ClairvoyantFlightsPassViaPoints) {
  const ClairvoyantFlights flown = fly_clairvoyant(ocean(), {0, 1, 2, 3}, *solver_, progress_);
  EXPECT_TRUE(test::same_bits(flown.rollout, planned_));
  const float value = policy_->tables.front().value[static_cast<std::size_t>(mission_.start.value)];
  EXPECT_EQ(flown.predicted, std::vector<double>(4, value));
}

}  // namespace
}  // namespace tidewise

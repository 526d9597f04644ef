#include "output/model/ocean_process.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "base/error.h"
#include "mdp/methods/functions.h"
#include "solver/induction/backward_induction.h"
#include "support/mdp/process_cases.h"
#include "support/ocean/environment_builder.h"
#include "support/ocean/landing_rules.h"
#include "support/ocean/random_case.h"
#include "support/temporary_folder.h"

namespace tidewise::mdp {
namespace {

/// A random environment with obstacles that come and go, its model, and missions on both.
class OceanProcess : public testing::Test {
 protected:
  void SetUp() override {
    info_ = test::plain_info(14, 12, 8, 2, 25);
    write();
  }

  void write() {
    test::write_random_environment(folder_ / "env.h5", info_, 0.9F);
    actions_ = make_actions({0.6, 1.2}, 5, info_.grid, info_.time);
    const EnvironmentReader reader(folder_ / "env.h5");
    write_model(folder_ / "model.h5", reader, test::by_cell, actions_, {.threads = 1},
                ModelForm::compact, "", silent_);
  }

  template <class Real>
  DecisionProcess<Real> make(const Mission& mission) {
    const EnvironmentReader reader(folder_ / "env.h5");
    const ModelFile model(folder_ / "model.h5");
    return make_ocean_process<Real>(model, reader, {actions_, mission, test::by_cell}, silent_);
  }

  PolicyTable plan(const Mission& mission) {
    const EnvironmentReader reader(folder_ / "env.h5");
    PolicyTable policy(info_.grid, mission.last);
    solve_mission(reader, {actions_, mission, test::by_cell}, {.threads = 1}, policy, silent_);
    return policy;
  }

  template <class Real>
  void expect_the_plan(const Mission& mission) {
    const auto process = make<Real>(mission);
    EXPECT_NO_THROW(require_sound(process, "ocean"));
    const PolicyTable planned = plan(mission);
    const auto optimum = test::reference_values(process);
    ASSERT_EQ(optimum.size(), planned.value.size() + 1);
    EXPECT_EQ(optimum.back(), 0);
    double scale = 1;
    for (const float value : planned.value) scale = std::max<double>(scale, std::abs(value));
    std::vector<std::int32_t> action(optimum.size(), -1);
    for (std::size_t s = 0; s < planned.value.size(); ++s) {
      ASSERT_NEAR(planned.value[s], optimum[s], 1e-5 * scale) << "state " << s;
      action[s] = planned.action[s];
    }
    EXPECT_TRUE(test::is_greedy(process, optimum, action));
    EXPECT_EQ(process.initial_state,
              mission.departure.value * info_.grid.cell_count() + mission.start.value);
    EXPECT_EQ(process.action_count, 10);
    EXPECT_EQ(process.entry_reward.size(), process.successor.size());
  }

  test::TemporaryFolder folder_;
  EnvironmentInfo info_;
  std::vector<Action> actions_;
  SilentProgress silent_;
};

TEST_F(OceanProcess, IsWorthWhatThePlanIsByEveryObjective) {
  for (const Objective objective :
       {Objective::time, Objective::energy, Objective::net_energy, Objective::weighted}) {
    SCOPED_TRACE(to_string(objective));
    Mission mission = test::random_mission(info_);
    mission.objective = objective;
    expect_the_plan<double>(mission);
    expect_the_plan<float>(mission);
  }
}

TEST_F(OceanProcess, EndsWithTheMissionsHorizon) {
  Mission mission = test::random_mission(info_);
  mission.last = TimeLevel(4);
  mission.departure = TimeLevel(1);
  mission.failure = {-39.5F, -38.5F, -37.5F, 0.125};
  mission.arrival_reward = 11;
  expect_the_plan<double>(mission);
  EXPECT_EQ(make<float>(mission).state_count, 5 * 14 * 12 + 1);
}

TEST_F(OceanProcess, PaysForBeingNearWhereItWouldFail) {
  Mission mission = test::random_mission(info_);
  mission.margin = 2.5 * info_.grid.dx;
  expect_the_plan<double>(mission);
}

TEST_F(OceanProcess, TakesWeights) {
  info_.realization_weight = test::random_weights(25);
  write();
  expect_the_plan<double>(test::random_mission(info_));
}

TEST_F(OceanProcess, IsSolvedByPolicyIteration) {
  const Mission mission = test::random_mission(info_);
  const auto process = make<float>(mission);
  SolveOptions options;
  options.tolerance = 1e-3;
  const auto solution = iterate_policies(process, options, silent_);
  EXPECT_TRUE(solution.converged);
  const PolicyTable planned = plan(mission);
  for (std::size_t s = 0; s < planned.value.size(); ++s) {
    ASSERT_NEAR(solution.value[s], planned.value[s], 1e-2) << "state " << s;
  }
}

TEST_F(OceanProcess, KeepsWhatEachTransitionBrings) {
  Mission mission = test::random_mission(info_);
  mission.disc = TargetDisc{};  // so that one price is all that the last state can bring
  mission.failure = {-1500, -1500, -1500, 0};
  const auto process = make<double>(mission);
  std::int64_t failures = 0;
  for (std::int64_t row = 0; row < process.row_count(); ++row) {
    double expected = 0;
    const auto end = static_cast<std::size_t>(process.row_begin[std::size_t(row) + 1]);
    for (auto n = static_cast<std::size_t>(process.row_begin[std::size_t(row)]); n < end; ++n) {
      expected += process.probability[n] * process.entry_reward[n];
      if (process.successor[n] != process.state_count - 1) continue;
      ++failures;
      EXPECT_NEAR(process.entry_reward[n], -1500, 1e-9);
    }
    ASSERT_NEAR(process.reward[std::size_t(row)], expected, 1e-9);
  }
  EXPECT_GT(failures, 0);
}

TEST_F(OceanProcess, RefusesAnotherForecastsModel) {
  test::write_random_environment(folder_ / "env.h5", info_, 0.9F, 2);
  EXPECT_THROW(make<float>(test::random_mission(info_)), InputError);
}

}  // namespace
}  // namespace tidewise::mdp

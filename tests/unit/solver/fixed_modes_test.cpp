// Plans and flights in a file with fixed modes have the same bits as in a file with these modes at
// every level. differential_test.cpp compares solves on every backend.
#include <gtest/gtest.h>

#include <cstring>

#include "env/device/device_environment.h"
#include "solver/published/solve.h"
#include "solver/refine/refine_policy.h"
#include "support/backend.h"
#include "support/ocean/environment_builder.h"
#include "support/ocean/landing_rules.h"
#include "support/ocean/leg_tables.h"
#include "support/ocean/random_case.h"
#include "support/ocean/random_problem.h"
#include "support/temporary_folder.h"

namespace tidewise::test {
namespace {

// A random problem with fixed modes, and its copy with modes at every level.
class FixedModesProblem : public testing::TestWithParam<std::uint64_t> {
 protected:
  FixedModesProblem()
      : problem_(make_random_problem(GetParam(), folder_ / "fixed.h5")),
        fixed_(problem_.open(folder_ / "fixed.h5")),
        repeated_(problem_.open(write_repeated())) {
    EXPECT_TRUE(fixed_.info().has_fixed_modes);
  }

  std::filesystem::path write_repeated() const {
    repeat_modes(folder_ / "fixed.h5", folder_ / "own.h5");
    return folder_ / "own.h5";
  }

  static std::vector<Backend> backends() {
    std::vector<Backend> all{Backend::cpu};
    if (device_count() > 0) all.push_back(Backend::cuda);
    return all;
  }

  TemporaryFolder folder_;
  RandomProblem problem_;
  EnvironmentReader fixed_;
  EnvironmentReader repeated_;
  SilentProgress progress_;
};

TEST_P(FixedModesProblem, GivesTheSameFlights) {
  for (const Mission& mission : problem_.missions) {
    const PlanningProblem problem{problem_.actions, mission, problem_.rule};
    const RandomLegs policy(problem.actions.size(), GetParam(), mission.via.size() + 1);
    for (const RolloutMode mode : {RolloutMode::continuous, RolloutMode::chain}) {
      RolloutOptions options;
      options.mode = mode;
      if (mode == RolloutMode::chain) options.flights = 12;
      const RolloutResult expected = fly_on(Backend::cpu, repeated_, problem, policy, options);
      for (const Backend backend : backends()) {
        EXPECT_TRUE(same_bits(fly_on(backend, fixed_, problem, policy, options), expected));
      }
    }
    const ExpectedOutcome expected = evaluate_on(Backend::cpu, repeated_, problem, policy, 2);
    for (const Backend backend : backends()) {
      EXPECT_TRUE(same_bits(evaluate_on(backend, fixed_, problem, policy), expected));
    }
    if (!mission.via.empty() || fixed_.info().velocities > 1) continue;
    const std::vector<BaselineSpeed> speeds{0.7};
    const auto flown = fly_baselines_on(Backend::cpu, repeated_, mission, speeds);
    for (const Backend backend : backends()) {
      EXPECT_TRUE(same_bits(fly_baselines_on(backend, fixed_, mission, speeds), flown));
    }
  }
}

TEST_P(FixedModesProblem, GivesTheSamePublishedPlanAndRefinement) {
  if (fixed_.info().velocities > 1) GTEST_SKIP() << "has several profiles";
  const Mission mission = random_mission(fixed_.info());
  PlanningProblem problem{problem_.actions, mission, by_cell};
  const auto solve = [&](const EnvironmentReader& environment, PublishedOptions options) {
    LegTables plan(environment.info().grid, mission);
    solve_as_published(environment, problem, options, plan, progress_);
    return plan;
  };
  const LegTables expected = solve(repeated_, {});
  const auto expect_same = [&](const LegTables& found) {
    const PolicyTable& table = found.tables.front();
    const PolicyTable& plain = expected.tables.front();
    EXPECT_EQ(table.action, plain.action);
    EXPECT_EQ(
        std::memcmp(table.value.data(), plain.value.data(), table.value.size() * sizeof(float)), 0);
  };
  expect_same(solve(fixed_, {}));
  if (device_count() > 0) {
    for (const PublishedMemory memory : {PublishedMemory::device, PublishedMemory::host}) {
      expect_same(solve(fixed_, {.on_device = memory, .device_memory = std::size_t{1} << 28}));
    }
  }
  const RefinementOptions options{.steps = 10, .rounds = 2};
  const auto refined = [&](const EnvironmentReader& environment) {
    const RefinedPolicy found =
        refine_policy(environment, problem, expected, nullptr, options, progress_);
    return fly_refined(environment, problem, expected, found, {}, progress_);
  };
  EXPECT_TRUE(same_bits(refined(fixed_), refined(repeated_)));
}

INSTANTIATE_TEST_SUITE_P(Seeds, FixedModesProblem, testing::Values(2, 4, 6, 8, 12, 18, 24, 30));

}  // namespace
}  // namespace tidewise::test

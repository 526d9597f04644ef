// A backend that cannot limit its solve to reachable cells, such as a GPU, gives the CPU's results.

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "env/file/reader.h"
#include "planner/backend/planner_backend.h"
#include "solver/step/target_circles.h"
#include "support/ocean/environment_builder.h"
#include "support/ocean/landing_rules.h"
#include "support/ocean/leg_tables.h"
#include "support/ocean/random_case.h"
#include "support/temporary_folder.h"

namespace tidewise {
namespace {

TEST(SolveFromStart, EqualsTheCompletePlanInReachableStates) {
  const test::TemporaryFolder folder;
  const EnvironmentInfo info = test::plain_info(25, 21, 9, 2, 20);
  test::write_random_environment(folder / "env.h5", info, 0.4F, 3);
  const EnvironmentReader reader(folder / "env.h5");
  const auto actions = make_actions({0.5, 1.2}, 8, info.grid, info.time);
  const RunRequest request;
  Backend backend;
  backend.threads = 2;
  const auto planner = make_cpu_planner(backend, {reader, actions, request, test::by_area});
  Mission mission = test::random_mission(info);
  mission.departure = TimeLevel(2);
  for (const std::size_t via_points : {0, 1}) {
    if (via_points == 1) {
      const std::int32_t cell = mission.start.value + 3 * info.grid.nx;
      std::vector<std::uint8_t> inside(static_cast<std::size_t>(info.grid.cell_count()), 0);
      inside[static_cast<std::size_t>(cell)] = 1;
      mission.via = {{{cell}, target_circles(info.grid, inside), 5}};
    }
    SilentProgress silent;
    test::LegTables reachable(info.grid, mission);
    test::LegTables complete(info.grid, mission);
    const ReachableReport a = planner->solve_from_start(mission, reachable, silent);
    const ReachableReport b = planner->PlannerBackend::solve_from_start(mission, complete, silent);
    EXPECT_EQ(a.solve.states, b.solve.states);
    EXPECT_GT(a.solve.states, 100);
    for (std::size_t leg = 0; leg <= via_points; ++leg) {
      const PolicyTable& found = reachable.tables[leg];
      const PolicyTable& expected = complete.tables[leg];
      EXPECT_EQ(found.action, expected.action) << "leg " << leg;
      // Values are compared bit by bit, because most are not numbers.
      EXPECT_EQ(std::memcmp(found.value.data(), expected.value.data(),
                            expected.value.size() * sizeof(float)),
                0)
          << "leg " << leg;
    }
  }
}

}  // namespace
}  // namespace tidewise

#include <gtest/gtest.h>

#include <cstdlib>

#include "solver/induction/backward_induction.h"
#include "support/ocean/environment_builder.h"
#include "support/ocean/landing_rules.h"
#include "support/temporary_folder.h"

namespace tidewise {
namespace {

/// Returns the steps that a vehicle needs to a cell at the offset (dx, dy), both even, in a flow of
/// (2, 0) cells per step. The vehicle may drift or move 2 cells along an axis, so that this is the
/// smallest n with |dx − 2n| + |dy| <= 2n.
int steps_needed(int dx, int dy) {
  for (int n = 0;; ++n) {
    if (std::abs(dx - 2 * n) + std::abs(dy) <= 2 * n) return n;
  }
}

TEST(UniformFlow, MatchesTheClosedForm) {
  const test::TemporaryFolder folder;
  const auto info = test::plain_info(41, 17, 30);
  test::write_environment(folder / "env.h5", info, [](TimeLevel, LevelFields<>& fields) {
    std::fill(fields.u_mean.begin(), fields.u_mean.end(), 2.0F);
  });
  const EnvironmentReader reader(folder / "env.h5");
  Mission mission;
  mission.target = target_cells(info.grid, info.grid.x(36), info.grid.y(8), 0);
  mission.last = TimeLevel(29);
  PolicyTable policy(info.grid, mission.last);
  SilentProgress progress;
  solve_mission(reader, {make_actions({0, 2}, 4, info.grid, info.time), mission, test::by_area}, {},
                policy, progress);
  int compared = 0;
  for (int j = 0; j < info.grid.ny; j += 2) {
    for (int i = 0; i < 36; i += 2) {
      // From nearer columns the flow carries the vehicle past the target, and it cannot return.
      if (36 - i < std::abs(8 - j)) continue;
      const auto cell = static_cast<std::size_t>(info.grid.cell(i, j).value);
      EXPECT_EQ(policy.value[cell], 100.0F - static_cast<float>(steps_needed(36 - i, 8 - j)))
          << i << " " << j;
      ++compared;
    }
  }
  EXPECT_GT(compared, 100);
}

}  // namespace
}  // namespace tidewise

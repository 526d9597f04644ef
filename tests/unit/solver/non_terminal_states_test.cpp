#include "solver/induction/non_terminal_states.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "support/ocean/environment_builder.h"
#include "support/temporary_folder.h"

namespace tidewise {
namespace {

// Two rows of three cells. The third cells are the target; the second of row 0 is closed at
// level 1. The policy acts only in the first cells, but not in that of row 0 at level 1.
class OpenStatesTest : public testing::Test {
 protected:
  OpenStatesTest() : policy_({3, 2, 0.5, 0.5, 1, 1}, TimeLevel(3)) {
    mission_.target = {0, 0, 1, 0, 0, 1};
    mission_.departure = TimeLevel(0);
    mission_.last = TimeLevel(3);
    for (int k = 0; k < 3; ++k) {
      for (int cell : {0, 3}) policy_.action[static_cast<std::size_t>(6 * k + cell)] = 0;
    }
    policy_.action[6] = no_action;
  }
  OpenStates count(Obstacles obstacles, int closed_level) const {
    EnvironmentInfo info = test::plain_info(3, 2, 4);
    info.obstacles = obstacles;
    test::write_environment(folder_ / "e.h5", info, [&](TimeLevel k, LevelFields<>& fields) {
      if (k.value == closed_level) fields.masked[1] = 1;
    });
    return count_open_states(EnvironmentReader(folder_ / "e.h5"), mission_, policy_);
  }

  const test::TemporaryFolder folder_;
  PolicyTable policy_;
  Mission mission_;
};

TEST_F(OpenStatesTest, AreCountedLevelByLevel) {
  const OpenStates found = count(Obstacles::moving, 1);
  EXPECT_EQ(found.count, 3 * 4 - 1);
  EXPECT_EQ(found.without_action, 2 + 2 + 2);  // level 1: the first cell, and row 1's second
  mission_.departure = TimeLevel(2);
  EXPECT_EQ(count(Obstacles::moving, 1).count, 4);
  EXPECT_EQ(count(Obstacles::moving, 1).without_action, 2);
}

TEST_F(OpenStatesTest, AreCountedWithAFixedMaskAndWithoutMask) {
  const OpenStates fixed_mask = count(Obstacles::fixed, 0);
  EXPECT_EQ(fixed_mask.count, 3 * 3);
  EXPECT_EQ(fixed_mask.without_action, 3 + 1);
  const OpenStates without_mask = count(Obstacles::none, -1);
  EXPECT_EQ(without_mask.count, 3 * 4);
  EXPECT_EQ(without_mask.without_action, 3 * 2 + 1);
}

}  // namespace
}  // namespace tidewise

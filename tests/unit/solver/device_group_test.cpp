// Memory of a group of missions on a device, and cases that need a device.

#include <gtest/gtest.h>

#include "base/error.h"
#include "solver/missions/memory.h"
#include "support/ocean/environment_builder.h"
#include "support/ocean/landing_rules.h"
#include "support/ocean/mission_group_cases.h"
#include "support/temporary_folder.h"

namespace tidewise {
namespace {

TEST(GroupMemory, GrowsWithMembersAndLimitsTheirNumber) {
  const auto info = test::plain_info(200, 200, 10, 10, 5000);
  constexpr std::size_t actions = 32;
  const PositionRule& rule = test::by_area;
  const std::size_t memory_32 = group_memory(info, rule, actions, 32);
  const std::size_t memory_64 = group_memory(info, rule, actions, 64);
  EXPECT_EQ(memory_64 - memory_32, std::size_t{32} * (40000 * 53 + 2 * actions * sizeof(float)));
  EXPECT_EQ(members_at_once(info, rule, actions, 100, 0), 0U);
  EXPECT_EQ(members_at_once(info, rule, actions, 1, memory_32 * 10), 0U);
  EXPECT_EQ(members_at_once(info, rule, actions, 100, memory_32 / 2), 0U);
  EXPECT_EQ(members_at_once(info, rule, actions, 100, memory_32 + memory_32 / 3 + 4), 32U);
  EXPECT_EQ(members_at_once(info, rule, actions, 100, memory_64 * 10), 100U);
}

TEST(GroupOnDevice, IsRejectedWithoutCuda) {
  if (cuda_support() == CudaSupport::compiled) GTEST_SKIP() << "this build holds CUDA";
  const test::TemporaryFolder folder;
  const auto info = test::plain_info(4, 4, 3);
  test::write_environment(folder / "env.h5", info);
  const EnvironmentReader reader(folder / "env.h5");
  EXPECT_THROW(
      test::solve_group(test::device_group(Engine::lattice), reader, test::by_cell,
                        make_actions({1}, 4, info.grid, info.time), test::varied_missions(info, 2)),
      RunError);
}

struct DeviceGroupCase {
  const char* name;
  Engine engine;
  std::int32_t members;
  float speed;  ///< speed of the currents, approximately [cells/step]
  std::int32_t realizations;
  std::int32_t headings;
  bool weighted;
  bool has_harvest;
};
std::ostream& operator<<(std::ostream& stream, const DeviceGroupCase& test_case) {
  return stream << test_case.name;
}

class GroupOnDevice : public testing::TestWithParam<DeviceGroupCase> {
 protected:
  void SetUp() override {
    TIDEWISE_REQUIRE_DEVICE();
    const DeviceGroupCase& test_case = GetParam();
    auto info = test::plain_info(37, 29, 7, 5, test_case.realizations);
    if (test_case.weighted) info.realization_weight = test::random_weights(test_case.realizations);
    test::write_random_environment(folder_ / "env.h5", info, test_case.speed);
    reader_.emplace(folder_ / "env.h5");
    actions_ = make_actions({0.5, 1}, test_case.headings, info.grid, info.time);
    missions_ = test::varied_missions(info, test_case.members);
    for (std::size_t m = 0; m < missions_.size(); ++m) {
      Mission& mission = missions_[m];
      if (!test_case.has_harvest && mission.objective == Objective::net_energy) {
        mission.objective = Objective::energy;
      }
      if (m % 16 == 1) test::add_via_points(mission, info.grid);
    }
  }

  void expect_like_single_solves(std::size_t memory) {
    test::expect_like_single_solves(test::device_group(GetParam().engine, memory), *reader_,
                                    test::by_area, actions_, missions_);
  }

  test::TemporaryFolder folder_;
  std::optional<EnvironmentReader> reader_;
  std::vector<Action> actions_;
  std::vector<Mission> missions_;
};

TEST_P(GroupOnDevice, MatchesSingleSolvesBitForBit) { expect_like_single_solves(0); }

TEST_P(GroupOnDevice, LimitsMembersToTheMemory) {
  const std::size_t memory_32 = group_memory(reader_->info(), test::by_area, actions_.size(), 32);
  // The memory holds little more than two blocks per row. Cells without rows are counted directly.
  expect_like_single_solves(memory_32 * 4 / 3 + 16);
  expect_like_single_solves(1);  // one member at a time
}

INSTANTIATE_TEST_SUITE_P(
    Cases, GroupOnDevice,
    testing::Values(
        DeviceGroupCase{"few", Engine::lattice, 5, 0.5F, 200, 16, false, true},
        DeviceGroupCase{"few_directly", Engine::direct, 5, 0.5F, 200, 16, false, true},
        DeviceGroupCase{"two_a_lane", Engine::lattice, 45, 0.5F, 200, 16, false, true},
        DeviceGroupCase{"without_harvest", Engine::lattice, 100, 0.5F, 500, 16, false, false},
        DeviceGroupCase{"two_warps", Engine::lattice, 150, 0.4F, 100, 10, false, true},
        DeviceGroupCase{"weighted", Engine::lattice, 33, 0.5F, 200, 16, true, true},
        DeviceGroupCase{"weighted_without_harvest", Engine::direct, 70, 0.5F, 200, 12, true, false},
        DeviceGroupCase{"rows_that_outgrow_their_room", Engine::lattice, 9, 2.0F, 900, 16, false,
                        true},
        DeviceGroupCase{"clouds_wider_than_rows", Engine::lattice, 4, 9.0F, 300, 16, false, true},
        DeviceGroupCase{"clouds_wider_than_rows_directly", Engine::direct, 3, 9.0F, 300, 16, true,
                        true},
        DeviceGroupCase{"more_actions_than_tables_hold", Engine::direct, 3, 0.5F, 60, 140, false,
                        true}),
    [](const auto& instance) { return std::string(instance.param.name); });

}  // namespace
}  // namespace tidewise

#include <gmock/gmock.h>

#include <deque>

#include "base/error.h"
#include "solver/missions/group.h"
#include "support/error_code.h"
#include "support/ocean/environment_builder.h"
#include "support/ocean/landing_rules.h"
#include "support/ocean/leg_tables.h"
#include "support/ocean/mission_group_cases.h"
#include "support/temporary_folder.h"

namespace tidewise {
namespace {

using test::expect_like_single_solve;
using test::plain_info;
using test::solve_group;
using test::SolvedGroup;
using test::varied_missions;

constexpr double too_much = 1e39;  // harvest that overflows float32

// A small random problem with moving obstacles, for each solver of groups.
class MissionGroup : public testing::TestWithParam<test::GroupBackend> {
 protected:
  void SetUp() override { TIDEWISE_REQUIRE_BACKEND(GetParam().kind); }

  void write_random(const EnvironmentInfo& info, std::uint64_t seed = 1) {
    test::write_random_environment(folder_ / "env.h5", info, 0.7F, seed);
    reader_.emplace(folder_ / "env.h5");
    actions_ = make_actions({0, 0.4, 1.2}, 5, info.grid, info.time);
  }
  EnvironmentInfo small() const { return plain_info(13, 11, 7, 3, 40); }

  SolvedGroup solve(const std::vector<Mission>& missions) {
    return solve_group(GetParam(), *reader_, test::by_cell, actions_, missions);
  }
  void expect_like_single_solves(const std::vector<Mission>& missions) {
    test::expect_like_single_solves(GetParam(), *reader_, test::by_cell, actions_, missions);
  }

  test::TemporaryFolder folder_;
  std::optional<EnvironmentReader> reader_;
  std::vector<Action> actions_;
};

TEST_P(MissionGroup, MatchesSingleSolvesBitForBit) {
  write_random(small());
  for (const std::int32_t count : {1, 17, 40}) {
    SCOPED_TRACE(std::to_string(count) + " members");
    expect_like_single_solves(varied_missions(reader_->info(), count));
  }
}

TEST_P(MissionGroup, TakesOverValuesOfTheNextLegs) {
  write_random(small());
  std::vector<Mission> missions = varied_missions(reader_->info(), 1);
  test::add_via_points(missions.front(), reader_->info().grid);
  expect_like_single_solves(missions);
  missions = varied_missions(reader_->info(), 20);
  for (std::size_t m = 1; m < missions.size(); m += 3) {
    test::add_via_points(missions[m], reader_->info().grid);
  }
  expect_like_single_solves(missions);
}

TEST_P(MissionGroup, SolvesGridsSmallerThanAWindow) {
  write_random(plain_info(3, 2, 5, 2, 30), 3);
  expect_like_single_solves(varied_missions(reader_->info(), 18));
}

// One window over all these actions would be too large to search in every cell.
TEST_P(MissionGroup, SolvesActionsWithDistantWindows) {
  write_random(small());
  actions_ = make_actions({0, 1.2, 9}, 5, reader_->info().grid, reader_->info().time);
  expect_like_single_solves(varied_missions(reader_->info(), 18));
}

TEST_P(MissionGroup, SolvesEqualTargetsAndTargetsOfAllCells) {
  write_random(small());
  std::vector<Mission> missions = varied_missions(reader_->info(), 2);
  for (Mission& mission : missions) std::fill(mission.target.begin(), mission.target.end(), 1);
  expect_like_single_solves(missions);
  missions.push_back(varied_missions(reader_->info(), 3).back());
  missions.push_back(missions.back());
  expect_like_single_solves(missions);
}

TEST_P(MissionGroup, AddsUpTheMembersReports) {
  write_random(small());
  std::vector<Mission> missions = varied_missions(reader_->info(), 5);
  test::add_via_points(missions[3], reader_->info().grid);
  const SolvedGroup solved = solve(missions);
  SolveReport sum;
  for (const Mission& mission : missions) {
    test::LegTables policy(reader_->info().grid, mission);
    SilentProgress progress;
    const SolveReport single =
        solve_mission(*reader_, {actions_, mission, test::by_cell}, {}, policy, progress);
    sum.states += single.states;
    sum.rows += single.rows;
    sum.transitions += single.transitions;
  }
  EXPECT_EQ(solved.report.all.states, sum.states);
  EXPECT_EQ(solved.report.all.rows, sum.rows);
  EXPECT_EQ(solved.report.all.transitions, sum.transitions);
}

std::string message_of(const std::exception_ptr& failure) {
  try {
    if (failure) std::rethrow_exception(failure);
  } catch (const std::exception& error) {
    return error.what();
  }
  return "";
}

TEST_P(MissionGroup, EndsOnlyTheMemberWhoseValueOverflows) {
  write_random(small());
  std::vector<Mission> missions = varied_missions(reader_->info(), 6);
  missions[4].objective = Objective::net_energy;
  missions[4].energy.c_r = too_much;
  missions[4].last = missions[0].last;
  const SolvedGroup solved = solve(missions);
  for (std::size_t m = 0; m < missions.size(); ++m) {
    SCOPED_TRACE("member " + std::to_string(m));
    if (m == 4) continue;
    EXPECT_EQ(solved.report.failure[m], nullptr);
    expect_like_single_solve(*reader_, {actions_, missions[m], test::by_cell}, solved.policies[m]);
  }
  PolicyTable policy(reader_->info().grid, missions[4].last);
  SilentProgress progress;
  std::string single_error;
  try {
    solve_mission(*reader_, {actions_, missions[4], test::by_cell}, {}, policy, progress);
  } catch (const InputError& error) {
    single_error = error.what();
  }
  EXPECT_EQ(message_of(solved.report.failure[4]), single_error);
  EXPECT_NE(single_error, "");
}

// A sink that fails at one level and expects no level afterwards.
class FailingSink final : public PolicySink {
 public:
  explicit FailingSink(TimeLevel at) : at_(at) {}
  void accept(std::size_t /*leg*/, TimeLevel k, View<const std::int16_t>,
              View<const float>) override {
    if (failed_) ADD_FAILURE() << "level " << k.value << " came after the failure";
    failed_ = k == at_;
    if (failed_) throw RunError("the disk is full");
  }

 private:
  TimeLevel at_;
  bool failed_ = false;
};

TEST_P(MissionGroup, EndsOnlyTheMemberWhoseSinkThrows) {
  write_random(small());
  const std::vector<Mission> missions = varied_missions(reader_->info(), 4);
  const Grid& grid = reader_->info().grid;
  for (const TimeLevel at : {missions[0].last, TimeLevel(3), TimeLevel(0)}) {
    SCOPED_TRACE("level " + std::to_string(at.value));
    FailingSink failing(at);
    std::deque<test::LegTables> policies;
    std::vector<GroupMember> members{{&missions[0], &failing}};
    for (const Mission& mission : missions) policies.emplace_back(grid, mission);
    for (std::size_t m = 1; m < missions.size(); ++m)
      members.push_back({&missions[m], &policies[m]});
    SilentProgress progress;
    const GroupReport report =
        GetParam().solve(*reader_, test::by_cell, actions_, members, progress);
    EXPECT_EQ(message_of(report.failure[0]), "the disk is full");
    for (std::size_t m = 1; m < missions.size(); ++m) {
      EXPECT_EQ(report.failure[m], nullptr);
      expect_like_single_solve(*reader_, {actions_, missions[m], test::by_cell}, policies[m]);
    }
  }
}

TEST_P(MissionGroup, ReportsTheFailureOfASingleMember) {
  write_random(small());
  std::vector<Mission> missions = varied_missions(reader_->info(), 1);
  missions[0].energy.c_r = too_much;
  EXPECT_THAT(message_of(solve(missions).report.failure[0]), test::has_code("value_overflows"));

  FailingSink failing(TimeLevel(2));
  missions = varied_missions(reader_->info(), 1);
  SilentProgress progress;
  const GroupReport report =
      GetParam().solve(*reader_, test::by_cell, actions_, {{&missions[0], &failing}}, progress);
  EXPECT_EQ(message_of(report.failure[0]), "the disk is full");
}

TEST_P(MissionGroup, FailsWhenCountingFails) {
  EnvironmentInfo info = small();
  test::write_environment(folder_ / "env.h5", info, [](TimeLevel k, LevelFields<>& fields) {
    if (k.value == 2) std::fill(fields.u_mean.begin(), fields.u_mean.end(), 5000.0F);
  });
  reader_.emplace(folder_ / "env.h5");
  actions_ = make_actions({1}, 4, info.grid, info.time);
  EXPECT_THROW(solve(varied_missions(info, 1)), InputError);
  EXPECT_THROW(solve(varied_missions(info, 3)), InputError);
}

TEST_P(MissionGroup, FailsWhenReadingFails) {
  write_random(small());
  std::filesystem::resize_file(folder_ / "env.h5",
                               std::filesystem::file_size(folder_ / "env.h5") / 2);
  EXPECT_ANY_THROW(solve(varied_missions(reader_->info(), 1)));
  EXPECT_ANY_THROW(solve(varied_missions(reader_->info(), 3)));
}

TEST_P(MissionGroup, ReturnsNothingWithoutMembers) {
  write_random(small());
  EXPECT_TRUE(solve({}).report.failure.empty());
}

INSTANTIATE_TEST_SUITE_P(Backends, MissionGroup, testing::ValuesIn(test::group_backends()),
                         [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace tidewise

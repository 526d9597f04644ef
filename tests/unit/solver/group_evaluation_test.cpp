// Evaluations of a group share transition counts and have the same bits as single evaluations.

#include "solver/evaluate/group_evaluation.h"

#include <gmock/gmock.h>

#include <deque>
#include <functional>
#include <limits>
#include <optional>
#include <string>

#include "base/error.h"
#include "solver/evaluate/device_evaluation.h"
#include "support/error_code.h"
#include "support/ocean/environment_builder.h"
#include "support/ocean/landing_rules.h"
#include "support/ocean/leg_tables.h"
#include "support/ocean/mission_group_cases.h"
#include "support/ocean/policies.h"
#include "support/temporary_folder.h"
#include "unit/solver/flight/flight_on_gyre.h"

namespace tidewise::test {
namespace {

// A policy that throws from a level on, and counts how often its actions are read.
class WatchedPolicy final : public PolicySource {
 public:
  WatchedPolicy(std::size_t action_count, std::uint64_t seed, std::int32_t fails_from = INT32_MAX)
      : random_(action_count, seed), fails_from_(fails_from) {}
  void read_action(TimeLevel k, View<std::int16_t> action) const override {
    ++reads;
    if (k.value >= fails_from_) throw RunError("the policy is spoilt");
    random_.read_action(k, action);
  }
  void read_value(TimeLevel k, View<float> value) const override { random_.read_value(k, value); }

  mutable int reads = 0;

 private:
  RandomPolicy random_;
  std::int32_t fails_from_;
};

class GroupEvaluation : public testing::TestWithParam<Backend> {
 protected:
  void SetUp() override { TIDEWISE_REQUIRE_BACKEND(GetParam()); }

  void write_random(const EnvironmentInfo& info, float speed = 1, std::uint64_t seed = 1) {
    write_random_environment(folder_ / "env.h5", info, speed, seed);
    open();
    actions_ = make_actions({0, 1.5}, 5, info.grid, info.time);
  }
  void open() {
    device_environment_.reset();
    reader_.emplace(folder_ / "env.h5");
  }
  EnvironmentInfo small() const { return plain_info(25, 21, 9, 2, 30); }

  // Missions with different starts, departures, targets, last levels and objectives; every third
  // follows the policy of the one before, some have via points, and some an action hold.
  void add_members(std::int32_t count) {
    const EnvironmentInfo& info = reader_->info();
    missions_ = varied_missions(info, count);
    members_.clear();
    policies_.clear();
    for (std::int32_t n = 0; n < count; ++n) {
      Mission& mission = missions_[static_cast<std::size_t>(n)];
      mission.start = info.grid.cell((n * 7 + 12) % info.grid.nx, (n * 3 + 5) % info.grid.ny);
      mission.departure = TimeLevel(std::min(n % 4, mission.last.value));
      mission.begun = n % 4 == 2 ? 0.3 : 0;
      if (n % 5 == 3) mission.via = {via_block(info.grid, mission, 1, 1, 2)};
      if (n % 4 > 1) mission.decisions = {2 + n % 3, TimeLevel(n % 2)};
      if (policies_.empty() || n % 3 != 2) {
        policies_.emplace_back(actions_.size(), static_cast<std::uint64_t>(n + 1));
      }
      members_.push_back({&mission, &policies_.back()});
    }
  }

  ExpectedOutcome evaluate_single(const EvaluationMember& member) {
    SilentProgress progress;
    return evaluate_policy(*reader_, {actions_, *member.mission, rule_}, *member.policy, 1,
                           progress);
  }
  std::vector<MemberOutcome> evaluate_group(std::int32_t threads = 1,
                                            const EvaluationLimits& limits = {}) {
    SilentProgress progress;
    if (GetParam() == Backend::cpu) {
      return evaluate_policies(*reader_, rule_, actions_, members_, threads, progress, limits);
    }
    // A second pass starts with the levels that the first pass left on the device.
    if (!device_environment_) device_environment_.emplace(*reader_, std::size_t{64} << 20);
    const bool is_unlimited = limits.memory == EvaluationLimits{}.memory;
    return evaluate_policies_on_device(*device_environment_, rule_, actions_, members_, threads,
                                       progress, is_unlimited ? 0 : limits.memory);
  }
  void expect_like_single_evaluations(std::int32_t threads = 1,
                                      const EvaluationLimits& limits = {}) {
    const auto outcomes = evaluate_group(threads, limits);
    ASSERT_EQ(outcomes.size(), members_.size());
    for (std::size_t m = 0; m < members_.size(); ++m) {
      SCOPED_TRACE("member " + std::to_string(m));
      EXPECT_EQ(outcomes[m].failure, nullptr);
      EXPECT_TRUE(same_bits(outcomes[m].expected, evaluate_single(members_[m])));
    }
  }

  TemporaryFolder folder_;
  std::optional<EnvironmentReader> reader_;
  std::optional<DeviceEnvironment> device_environment_;  // of reader_
  std::vector<Action> actions_;
  PositionRule rule_ = by_cell;
  std::vector<Mission> missions_;
  std::deque<WatchedPolicy> policies_;
  std::vector<EvaluationMember> members_;
};

TEST_P(GroupEvaluation, HasMembersWithEveryEnd) {  // otherwise the comparisons would prove little
  write_random(small(), 3);
  add_members(17);
  ExpectedOutcome sum;
  for (const MemberOutcome& outcome : evaluate_group()) {
    sum.arrival_probability += outcome.expected.arrival_probability;
    sum.obstacle_probability += outcome.expected.obstacle_probability;
    sum.out_of_domain_probability += outcome.expected.out_of_domain_probability;
    sum.out_of_time_probability += outcome.expected.out_of_time_probability;
  }
  EXPECT_GT(sum.arrival_probability, 0);
  EXPECT_GT(sum.obstacle_probability, 0);
  EXPECT_GT(sum.out_of_domain_probability, 0);
  EXPECT_GT(sum.out_of_time_probability, 0);
}

TEST_P(GroupEvaluation, MatchesSingleEvaluationsWithWideClouds) {
  for (const float speed : {9.0F, 40.0F}) {
    write_random(plain_info(25, 21, 4, 2, 200), speed);
    add_members(5);
    expect_like_single_evaluations(2);
  }
  if (GetParam() == Backend::cpu) return;
  // Shared memory has counters for four cells, two, one or none (then in global memory).
  for (const float speed : {0.5F, 3.0F, 9.0F, 16.0F, 40.0F, 100.0F}) {
    SCOPED_TRACE(speed);
    write_random(plain_info(19, 17, 3, 2, 1500), speed);
    add_members(1);
    expect_like_single_evaluations(2);
  }
}

TEST_P(GroupEvaluation, MatchesSingleEvaluationsWithManyModes) {
  for (const std::int32_t modes : {200, 1000, 4000}) {
    if (modes > 200 && GetParam() == Backend::cpu) break;
    SCOPED_TRACE(modes);
    write_random(plain_info(7, 8, 4, modes, 40), 0.02F);
    add_members(1);
    expect_like_single_evaluations(2);
  }
}

TEST_P(GroupEvaluation, MatchesSingleEvaluationsWithoutScalarsAndObstacles) {
  EnvironmentInfo info = small();
  info.has_scalar = false;
  info.obstacles = Obstacles::none;
  write_random(info);
  add_members(7);
  expect_like_single_evaluations(2);
}

TEST_P(GroupEvaluation, DividesManyCellsAmongThreads) {
  write_random(plain_info(60, 50, 9, 2, 60), 3);
  add_members(2);
  expect_like_single_evaluations(3);  // fewer members than threads
}

TEST_P(GroupEvaluation, EvaluatesInPartsAndSlices) {
  write_random(small());
  add_members(9);
  for (const std::size_t landings : {1, 20, 300})
    expect_like_single_evaluations(2, {.landings = landings});
  for (const std::size_t memory : {1, 400'000})
    expect_like_single_evaluations(2, {.memory = memory});
}

TEST_P(GroupEvaluation, PredictsItsMemory) {
  const Grid grid = small().grid;
  const std::size_t single = evaluation_memory(grid, 1);
  EXPECT_GT(single, static_cast<std::size_t>(grid.cell_count()) * 2 * 3 * sizeof(double));
  EXPECT_EQ(evaluation_memory(grid, 5), 5 * single);
  EXPECT_EQ(evaluation_memory(grid, 5, {.memory = 3 * single + 1}), 3 * single);
  EXPECT_EQ(evaluation_memory(grid, 5, {.memory = 0}), single);
  EXPECT_EQ(evaluation_memory(grid, 0), 0u);
}

TEST_P(GroupEvaluation, ReadsASharedPolicyOncePerLevel) {
  write_random(small());
  add_members(1);
  const Mission mission = missions_.front();
  members_.assign(5, {&mission, &policies_.front()});
  evaluate_group();
  EXPECT_LE(policies_.front().reads, mission.last.value);
  EXPECT_GT(policies_.front().reads, 0);
}

TEST_P(GroupEvaluation, FailsOnlyTheMembersOfAnUnreadablePolicy) {
  write_random(small());
  add_members(17);
  WatchedPolicy unreadable(actions_.size(), 3, 2);
  const ConstantPolicy impossible(99);
  members_[4].policy = &unreadable;
  members_[5].policy = &unreadable;
  missions_[4].last = missions_[5].last = TimeLevel(8);
  missions_[4].departure = missions_[5].departure = TimeLevel(0);
  members_[9].policy = &impossible;
  missions_[9].last = TimeLevel(8);
  for (const std::int32_t threads : {1, 2}) {
    const auto outcomes = evaluate_group(threads);
    for (std::size_t m = 0; m < members_.size(); ++m) {
      SCOPED_TRACE("member " + std::to_string(m));
      if (m == 4 || m == 5) {
        EXPECT_THROW(std::rethrow_exception(outcomes[m].failure), RunError);
      } else if (m == 9) {
        EXPECT_THROW(std::rethrow_exception(outcomes[m].failure), InputError);
      } else {
        EXPECT_EQ(outcomes[m].failure, nullptr);
        EXPECT_TRUE(same_bits(outcomes[m].expected, evaluate_single(members_[m])));
      }
    }
  }
  members_.assign(1, members_[9]);
  EXPECT_THROW(std::rethrow_exception(evaluate_group()[0].failure), InputError);
}

TEST_P(GroupEvaluation, EndsMissionsAtTheirStart) {
  write_random(small());
  add_members(4);
  missions_[1].departure = missions_[1].last;
  missions_[2].target[static_cast<std::size_t>(missions_[2].start.value)] = 1;
  expect_like_single_evaluations(2);
  members_.assign(1, members_[1]);
  expect_like_single_evaluations();
}

std::string error_of(const std::function<void()>& work) {
  try {
    work();
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST_P(GroupEvaluation, FailsWhenCountingOrReadingFails) {
  write_random(small(), 5000);
  add_members(3);
  const std::string expected = error_of([&] { evaluate_single(members_.front()); });
  EXPECT_THAT(expected, test::has_code("flow_too_fast_for_cells", "1024"));
  EXPECT_EQ(error_of([&] { evaluate_group(); }), expected);
  write_random(small());
  add_members(3);
  write_environment(folder_ / "env.h5", small(), [](TimeLevel k, LevelFields<>& fields) {
    if (k.value == 2) fields.u_mean[0] = std::numeric_limits<float>::quiet_NaN();
  });
  open();
  EXPECT_THROW(evaluate_group(), InputError);
}

TEST_P(GroupEvaluation, ReturnsNothingWithoutMembers) {
  write_random(small());
  EXPECT_TRUE(evaluate_group().empty());
}

INSTANTIATE_TEST_SUITE_P(Backends, GroupEvaluation, testing::ValuesIn(all_backends),
                         name_of_backend);

}  // namespace
}  // namespace tidewise::test

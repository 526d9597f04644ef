// Flights of several missions that pass through the levels together have the same bits as flights
// of single missions.

#include <gmock/gmock.h>

#include <algorithm>
#include <deque>
#include <limits>
#include <optional>

#include "base/error.h"
#include "solver/fly/device_rollout.h"
#include "solver/fly/rollout.h"
#include "support/backend.h"
#include "support/ocean/environment_builder.h"
#include "support/ocean/leg_tables.h"
#include "support/ocean/mission_group_cases.h"
#include "support/ocean/policies.h"
#include "support/temporary_folder.h"

namespace tidewise::test {
namespace {

// A policy that cannot be read from a certain level on.
class UnreadableFrom final : public PolicySource {
 public:
  UnreadableFrom(std::size_t action_count, TimeLevel first_unreadable)
      : random_(action_count, 1), first_unreadable_(first_unreadable) {}
  void read_action(TimeLevel k, View<std::int16_t> action) const override {
    if (k >= first_unreadable_) throw RunError("the policy is spoilt");
    random_.read_action(k, action);
  }
  void read_value(TimeLevel k, View<float> value) const override { random_.read_value(k, value); }

 private:
  RandomPolicy random_;
  TimeLevel first_unreadable_;
};

class FlightGroup : public testing::TestWithParam<Backend> {
 protected:
  void SetUp() override {
    TIDEWISE_REQUIRE_BACKEND(GetParam());
    auto info = plain_info(33, 29, 12, 2, 90);
    info.realization_weight = random_weights(90);
    set_environment(info);
  }
  void set_environment(const EnvironmentInfo& info) {
    write_random_environment(folder_ / "env.h5", info, 1.0F);
    reader_.emplace(folder_ / "env.h5");
    actions_ = make_actions({0, 1.5}, 5, info.grid, info.time);
  }

  // Missions with different starts, departures, targets, last levels, objectives, modes and numbers
  // of flights; every third follows the policy of the one before.
  void add_members(std::int32_t count) {
    const EnvironmentInfo& info = reader_->info();
    missions_ = varied_missions(info, count);
    for (std::int32_t n = 0; n < count; ++n) {
      Mission& mission = missions_[static_cast<std::size_t>(n)];
      mission.start = info.grid.cell((n * 7 + 12) % info.grid.nx, (n * 3 + 5) % info.grid.ny);
      mission.start_x = info.grid.x(info.grid.column(mission.start)) + 0.3;
      mission.start_y = info.grid.y(info.grid.row(mission.start)) - 0.2;
      mission.departure = TimeLevel(std::min(n % 4, mission.last.value));
      mission.begun = n % 4 == 2 ? 0.3 : 0;
      if (policies_.empty() || n % 3 != 2) {
        policies_.emplace_back(actions_.size(), static_cast<std::uint64_t>(n + 1));
      }
      RolloutOptions options;
      options.log_memory = log_memory_;
      if (n % 2 == 1) {
        options.mode = RolloutMode::chain;
        options.flights = 20 + 30 * n;
        options.seed = static_cast<std::uint64_t>(n);
      } else if (n % 4 == 2) {
        options.realizations = {3, 88, 3, n};
      }
      members_.push_back({&mission, &policies_.back(), options});
    }
  }

  std::vector<MemberFlights> fly_together() {
    SilentProgress progress;
    if (GetParam() == Backend::cpu) {
      return fly_policies(*reader_, rule_, actions_, members_, progress);
    }
    DeviceEnvironment device_environment(*reader_, std::size_t{64} << 20);
    return fly_policies_on_device(device_environment, rule_, actions_, members_, progress);
  }

  void expect_like_single_flight(const MemberFlights& flown, const FlightMember& member) {
    ASSERT_EQ(flown.failure, nullptr);
    EXPECT_TRUE(
        same_bits(flown.rollout, fly_on(Backend::cpu, *reader_, {actions_, *member.mission, rule_},
                                        *member.policy, member.options)));
  }
  void expect_like_single_flights() {
    const auto flown = fly_together();
    ASSERT_EQ(flown.size(), members_.size());
    for (std::size_t m = 0; m < members_.size(); ++m) {
      SCOPED_TRACE("member " + std::to_string(m));
      expect_like_single_flight(flown[m], members_[m]);
    }
  }

  TemporaryFolder folder_;
  std::optional<EnvironmentReader> reader_;
  std::vector<Action> actions_;
  PositionRule rule_ = {LandingBy::area, 5};
  std::size_t log_memory_ = RolloutOptions{}.log_memory;
  std::vector<Mission> missions_;
  std::deque<RandomPolicy> policies_;
  std::vector<FlightMember> members_;
};

TEST_P(FlightGroup, HasFlightsWithEveryEnd) {  // otherwise the comparisons would prove little
  add_members(21);
  std::vector<TrajectoryOutcome> ends;
  std::size_t max_points = 0;
  for (const MemberFlights& flown : fly_together()) {
    for (const Trajectory& trajectory : flown.rollout.trajectories) {
      ends.push_back(trajectory.outcome);
      max_points = std::max(max_points, trajectory.points.size());
    }
  }
  for (const auto end : {TrajectoryOutcome::arrived, TrajectoryOutcome::obstacle,
                         TrajectoryOutcome::out_of_domain, TrajectoryOutcome::out_of_time}) {
    EXPECT_GT(std::count(ends.begin(), ends.end(), end), 0);
  }
  EXPECT_GT(max_points, 4U);
}

TEST_P(FlightGroup, KeepsPointsOfTracksAndEndsOfAll) {
  for (const std::size_t memory : {std::size_t{0}, log_memory_}) {
    log_memory_ = memory;
    members_.clear();
    policies_.clear();
    add_members(9);
    const std::vector<MemberFlights> whole = fly_together();
    for (FlightMember& member : members_) member.options.tracks = 7;
    const std::vector<MemberFlights> sampled = fly_together();
    for (std::size_t m = 0; m < members_.size(); ++m) {
      const std::vector<Trajectory>& all = whole[m].rollout.trajectories;
      RolloutResult tracks = sampled[m].rollout;
      ASSERT_EQ(tracks.trajectories.size(), all.size());
      const std::vector<std::size_t> tracked = tracked_flights(all.size(), 7);
      for (std::size_t n = 0; n < all.size(); ++n) {
        SCOPED_TRACE("flight " + std::to_string(n) + " of member " + std::to_string(m));
        Trajectory& flight = tracks.trajectories[n];
        if (!std::binary_search(tracked.begin(), tracked.end(), n)) {
          ASSERT_LE(flight.points.size(), 2U);
          EXPECT_EQ(flight.whole_steps(), all[n].whole_steps());
          EXPECT_EQ(flight.steps(), all[n].steps());
          EXPECT_EQ(flight.points.front().x, all[n].points.front().x);
          EXPECT_EQ(flight.points.back().x, all[n].points.back().x);
          EXPECT_EQ(flight.points.back().y, all[n].points.back().y);
          EXPECT_EQ(flight.points.back().energy, all[n].points.back().energy);
          EXPECT_EQ(flight.points.back().harvested, all[n].points.back().harvested);
          flight.points = all[n].points;  // the other members are compared below
          flight.profiles = all[n].profiles;
          flight.skipped = 0;
        }
      }
      EXPECT_TRUE(same_bits(tracks, whole[m].rollout));
    }
  }
}

TEST_P(FlightGroup, MatchesSingleFlightsWithASmallLog) {
  for (const std::size_t memory :
       {std::size_t{0}, std::size_t{80'000}}) {  // one step, several steps
    log_memory_ = memory;
    members_.clear();
    policies_.clear();
    add_members(9);
    expect_like_single_flights();
  }
}

TEST_P(FlightGroup, MatchesSingleFlightsWithoutScalarsAndObstacles) {
  auto info = plain_info(33, 35, 8, 2, 257);
  info.has_scalar = false;
  info.obstacles = Obstacles::none;
  set_environment(info);
  add_members(3);
  members_[1].options.flights = 1000;
  expect_like_single_flights();
}

TEST_P(FlightGroup, ReturnsNothingWithoutMembers) { EXPECT_TRUE(fly_together().empty()); }

TEST_P(FlightGroup, EndsMembersAtTheirStart) {
  add_members(4);
  missions_[1].departure = missions_[1].last;
  missions_[2].target[static_cast<std::size_t>(missions_[2].start.value)] = 1;
  expect_like_single_flights();
  members_ = {members_[1], members_[2]};
  expect_like_single_flights();
}

TEST_P(FlightGroup, FailsOnlyTheMembersWithErrors) {
  add_members(9);
  const UnreadableFrom unreadable(actions_.size(), TimeLevel(2));
  const ConstantPolicy impossible(99);
  missions_[3].departure = missions_[4].departure = missions_[5].departure = TimeLevel(1);
  missions_[3].last = missions_[4].last = missions_[5].last = TimeLevel(10);
  members_[3].policy = &unreadable;
  members_[4].policy = &impossible;
  members_[6].options.mode = RolloutMode::continuous;
  members_[6].options.realizations = {90};
  const auto flown = fly_together();
  for (std::size_t m = 0; m < members_.size(); ++m) {
    SCOPED_TRACE("member " + std::to_string(m));
    if (m == 3) {
      EXPECT_THROW(std::rethrow_exception(flown[m].failure), RunError);
    } else if (m == 4 || m == 6) {
      EXPECT_THROW(std::rethrow_exception(flown[m].failure), InputError);
    } else {
      expect_like_single_flight(flown[m], members_[m]);
    }
  }
}

TEST_P(FlightGroup, FailsWhenALevelIsUnreadable) {
  const auto info = plain_info(33, 29, 12, 2, 90);
  write_environment(folder_ / "env.h5", info, [](TimeLevel k, LevelFields<>& fields) {
    if (k.value == 3) fields.u_mean[0] = std::numeric_limits<float>::quiet_NaN();
  });
  reader_.emplace(folder_ / "env.h5");
  add_members(5);
  for (Mission& mission : missions_) mission.last = TimeLevel(10);
  EXPECT_THROW(fly_together(), InputError);
}

INSTANTIATE_TEST_SUITE_P(Backends, FlightGroup, testing::ValuesIn(all_backends), name_of_backend);

}  // namespace
}  // namespace tidewise::test

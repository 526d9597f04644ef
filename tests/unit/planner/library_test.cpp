#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "output/run/policy_description.h"
#include "support/error_code.h"
#include "support/ocean/environment_builder.h"
#include "support/temporary_folder.h"
#include "tidewise/mission_file.h"
#include "tidewise/planner.h"
#include "tidewise/prospects.h"

namespace tidewise {
namespace {

namespace fs = std::filesystem;

const std::vector<std::string> small_mission{"vehicle.speeds=[1.0]", "mission.start=[10.5, 5.5]",
                                             "mission.target=[10.5, 14.5]", "planner.threads=2"};

Environment small_gyre() {
  return Environment::double_gyre(
      {.nx = 20, .ny = 20, .levels = 25, .modes = 2, .realizations = 10});
}

/// Counts advances, and throws after a number of them.
class CountedProgress final : public Progress {
 public:
  explicit CountedProgress(int max_advances) : max_advances_(max_advances) {}
  void begin(std::string_view work, std::int64_t, std::string_view) override {
    works.emplace_back(work);
  }
  void advance_to(std::int64_t) override {
    if (++advances > max_advances_) throw std::domain_error("enough");
  }
  void end() override {}

  std::vector<std::string> works = {};
  int advances = 0;

 private:
  int max_advances_;
};

/// Three rows of eight cells without current, for two steps.
Environment still_water() {
  const std::vector<float> still(3 * 8 * 3);
  return Environment::from({.axes = {.nx = 8,
                                     .ny = 3,
                                     .x_first = 0.5,
                                     .y_first = 0.5,
                                     .levels = 3,
                                     .modes = 1,
                                     .realizations = 1},
                            .u_mean = still,
                            .v_mean = still,
                            .u_mode = still,
                            .v_mode = still,
                            .coefficient = std::vector<float>(3)});
}

/// Returns a flight eastwards at one cell per step, from a start `distance` before the target.
Trajectory flight_east(double departure, double distance) {
  const std::vector<std::string> settings{"vehicle.speeds=[1.0]",
                                          "vehicle.headings=4",
                                          "mission.start=[1.5, 1.5]",
                                          "mission.target=[4.5, 1.5]",
                                          "mission.target_radius=" + std::to_string(3 - distance),
                                          "mission.departure=" + std::to_string(departure)};
  return fly(plan(still_water(), mission_of_settings(settings, "mission"))).trajectories().front();
}

void expect_error(const std::vector<std::string>& settings, const std::string& text) {
  try {
    (void)mission_of_settings(settings, "mission");
    ADD_FAILURE() << "accepted";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), test::has_code_of(text));
  }
}

TEST(Library, AMissionOfSettingsEqualsThatOfStructs) {
  const MissionFile mission = mission_of_settings(small_mission, "mission");
  EXPECT_TRUE(mission.environment.empty());
  MissionRequest request;
  request.vehicle.speeds = {1.0};
  request.goal.start = {Position::Frame::plane, 10.5, 5.5};
  request.goal.target = {Position::Frame::plane, 10.5, 14.5};
  const Environment gyre = small_gyre();
  const ExpectedOutcome from_settings = plan(gyre, mission).expected();
  const ExpectedOutcome from_structs = plan(gyre, request).expected();
  EXPECT_GT(from_settings.arrival_probability, 0.5);
  EXPECT_EQ(from_settings.value, from_structs.value);
  EXPECT_EQ(from_settings.time, from_structs.time);
}

/// The power of dives makes values energies in J, although the struct leaves c_f at 1.
TEST(Library, DivePowerIsInWatts) {
  const test::TemporaryFolder folder;
  EnvironmentInfo info = test::plain_info(8, 3, 12);
  info.units = Units::metric;
  info.time_units = "s";
  info.profiles = {{"shallow", "0:50"}, {"deep", "0:1000"}};
  test::write_profiles(folder.path() / "sea.h5", info,
                       [](TimeLevel, std::size_t, LevelFields<>&) {});
  MissionRequest mission;
  mission.vehicle.speeds = {1.0};
  mission.vehicle.profiles = {"shallow", "deep"};
  mission.goal.objective = Objective::energy;
  mission.goal.start = {Position::Frame::plane, 1.5, 1.5};
  mission.goal.target = {Position::Frame::plane, 6.5, 1.5};
  const auto unit = [&](const std::string& run) {
    plan(Environment::open(folder.path() / "sea.h5"), mission).save(folder.path() / run);
    return value_units(PolicyFile(folder.path() / run / "policy.h5"));
  };
  EXPECT_EQ(unit("unsaid"), "m2 s-1");
  mission.vehicle.profile_power = {0, 0};
  EXPECT_EQ(unit("drawn"), "J");
}

TEST(Library, APolicyHasLegsForViaPoints) {
  auto settings = small_mission;
  settings.push_back("mission.via=[{point = [14.5, 10.5], radius = 1.5}]");
  const Policy first = plan(small_gyre(), mission_of_settings(settings, "mission")).policy();
  ASSERT_EQ(first.legs(), 2);
  const Policy second = first.leg(2);
  EXPECT_TRUE(first.at(3, 10.5, 14.5));
  EXPECT_FALSE(second.at(3, 10.5, 14.5));  // the target
  EXPECT_EQ(first.value(3, 14.5, 10.5), second.value(3, 14.5, 10.5));
  EXPECT_LT(first.value(3, 10.5, 5.5), second.value(3, 10.5, 5.5));
  EXPECT_EQ(second.leg(1).action_plane(3), first.action_plane(3));
  EXPECT_THROW((void)first.leg(0), InputError);
  EXPECT_THROW((void)first.leg(3), InputError);
}

TEST(Library, ADepartureBetweenLevelsUsesTheRestOfTheStep) {
  // 0.4 of the first step and 0.6 of the second.
  const Trajectory arriving = flight_east(0.6, 1);
  EXPECT_EQ(arriving.outcome, TrajectoryOutcome::arrived);
  EXPECT_EQ(arriving.begun, 0.6);
  EXPECT_NEAR(arriving.steps(), 1, 1e-6);
  ASSERT_EQ(arriving.points.size(), 3u);
  EXPECT_NEAR(arriving.points[1].x, 1.9, 1e-6);
  EXPECT_NEAR(arriving.points[2].x, 2.5, 1e-6);
  // 1.4 of two steps remain, but 1.5 are needed.
  const Trajectory late = flight_east(0.6, 1.5);
  EXPECT_EQ(late.outcome, TrajectoryOutcome::out_of_time);
  EXPECT_NEAR(late.steps(), 1.4, 1e-6);
  EXPECT_NEAR(late.points.back().x, 2.9, 1e-6);
  EXPECT_EQ(flight_east(0.5, 1.5).outcome, TrajectoryOutcome::arrived);
  // A departure of 1.0 is at level 1.
  EXPECT_EQ(flight_east(1.0, 0.5).begun, 0);
  EXPECT_THROW((void)flight_east(2.0, 1), InputError);
  auto settings = small_mission;
  settings.push_back("mission.departure=-0.5");
  expect_error(settings, "[key_value_invalid]");
}

TEST(Library, APolicyWithActionHoldMayDecideAtAllDepartures) {
  const Environment gyre = small_gyre();
  const auto policy_from = [&](std::int32_t departure, bool all) {
    auto settings = small_mission;
    settings.push_back("mission.decide_every=3");
    settings.push_back("mission.departure=" + std::to_string(departure));
    settings.push_back("mission.deadline=20");
    MissionFile mission = mission_of_settings(settings, "mission");
    mission.planner.all_departures = all;
    return plan(gyre, mission).policy();
  };
  const Policy all = policy_from(0, true);
  for (const std::int32_t departure : {0, 1, 2}) {
    const Policy single = policy_from(departure, false);
    for (std::int32_t level = 0; level < 20; ++level) {
      ASSERT_TRUE(all.decides_at(level));
      ASSERT_EQ(single.decides_at(level), level % 3 == departure);
      if (!single.decides_at(level)) continue;
      ASSERT_EQ(single.action_plane(level), all.action_plane(level)) << level;
    }
  }
}

TEST(Library, SettingsAreValidatedLikeFileKeys) {
  auto settings = small_mission;
  settings.push_back("mission.objective=tim");
  expect_error(settings, "mission.objective [key_value_invalid]");
  settings.back() = "mission.targt=[1.5, 1.5]";
  expect_error(settings, "mission.target [key_misspelled]");
  expect_error({"vehicle.speeds=[1.0]"}, "mission.start [key_missing]");
}

TEST(Library, SettingsOverrideAMissionFileThatNamesAnEnvironment) {
  const test::TemporaryFolder folder;
  const fs::path file = folder.path() / "mission.toml";
  std::ofstream(file) << "[environment]\nfile = \"ocean.h5\"\nnames.u_mean = \"ubar\"\n"
                         "[vehicle]\nspeeds = [0.5]\n"
                         "[mission]\nstart = [1.5, 1.5]\ntarget = [2.5, 2.5]\n";
  const MissionFile mission = read_mission(file, {"vehicle.headings=8", "rollout.mode=none"});
  EXPECT_EQ(mission.environment, folder.path() / "ocean.h5");
  EXPECT_EQ(mission.names.u_mean, "ubar");
  EXPECT_EQ(mission.vehicle.headings, 8);
  EXPECT_EQ(mission.rollout.mode, RolloutChoice::none);
  EXPECT_EQ(mission.places.at("vehicle.speeds"), file.string() + ":5");
}

TEST(Library, DeparturesAreFlightsFromTheirLevels) {
  const MissionFile mission = mission_of_settings(small_mission, "mission");
  const Environment gyre = small_gyre();
  const Plan planned = plan(gyre, mission);
  const auto found = departures(planned, {.first = 0, .last = 8, .every = 4});
  ASSERT_EQ(found.size(), 3U);
  EXPECT_EQ(found[1].level, 4);
  EXPECT_EQ(found[1].time, 4);
  const RolloutStatistics flown = fly(planned).statistics();
  EXPECT_EQ(found[0].flights.arrival_rate, flown.arrival_rate);
  EXPECT_EQ(found[0].flights.time.mean, flown.time.mean);
  // A plan for only that departure has the same flights.
  auto later = small_mission;
  later.insert(later.end(), {"mission.departure=4", "mission.horizon=20"});
  const Plan replanned = plan(gyre, mission_of_settings(later, "mission"));
  EXPECT_EQ(found[1].flights.time.mean, fly(replanned).statistics().time.mean);
  EXPECT_THROW((void)departures(planned, {.first = 24}), InputError);
  EXPECT_THROW((void)departures(planned, {.every = 0}), InputError);
}

TEST(Library, ReachAtStartEqualsPrediction) {
  const Plan planned = plan(small_gyre(), mission_of_settings(small_mission, "mission"));
  std::vector<std::int32_t> levels;
  Reach start;
  double smallest = 1;
  double largest = 0;
  reach(planned, [&](std::int32_t level, std::span<const Reach> cells) {
    levels.push_back(level);
    ASSERT_EQ(cells.size(), 400U);
    if (level == 0) start = cells[5 * 20 + 10];
    for (const Reach& cell : cells) {
      if (std::isnan(cell.arrival_probability)) continue;
      smallest = std::min(smallest, cell.arrival_probability);
      largest = std::max(largest, cell.arrival_probability);
    }
  });
  EXPECT_EQ(levels.size(), 25U);
  EXPECT_EQ(levels.front(), 24);
  EXPECT_EQ(levels.back(), 0);
  // The prediction was propagated from the start, the reach back from the target.
  const ExpectedOutcome& expected = planned.expected();
  EXPECT_NEAR(start.arrival_probability, expected.arrival_probability, 1e-6);
  EXPECT_NEAR(start.time, expected.time, 1e-4);
  EXPECT_NEAR(start.energy, expected.energy, 1e-4);
  EXPECT_GE(smallest, 0);
  EXPECT_LE(largest, 1 + 1e-12);
}

TEST(Library, ReportsProgressAndStopsOnException) {
  const Environment gyre = small_gyre();
  const MissionFile mission = mission_of_settings(small_mission, "mission");
  CountedProgress patient(1 << 20);
  const Plan planned = plan(gyre, mission, &patient);
  EXPECT_GE(patient.works.size(), 2U);
  EXPECT_GE(patient.advances, 24);
  CountedProgress impatient(5);
  EXPECT_THROW((void)plan(gyre, mission, &impatient), std::domain_error);
  EXPECT_EQ(impatient.advances, 6);
  CountedProgress immediate(0);
  EXPECT_THROW((void)fly(planned, {}, &immediate), std::domain_error);
}

TEST(Library, ASavedPolicyIsReadByPlanes) {
  const test::TemporaryFolder folder;
  const Plan planned = plan(small_gyre(), mission_of_settings(small_mission, "mission"));
  planned.save(folder.path() / "run");
  const Policy policy = Policy::open(folder.path() / "run" / "policy.h5");
  ASSERT_EQ(policy.rows(), 20);
  ASSERT_EQ(policy.columns(), 20);
  const auto actions = policy.actions();
  const auto action = policy.action_plane(3);
  const auto value = policy.value_plane(3);
  int steered = 0;
  std::size_t cell = 0;
  for (int j = 0; j < 20; ++j) {
    for (int i = 0; i < 20; ++i, ++cell) {
      const auto steering = policy.at(3, i + 0.5, j + 0.5);
      ASSERT_EQ(steering.has_value(), action[cell] >= 0);
      if (!steering) continue;
      ++steered;
      ASSERT_EQ(steering->heading, actions[static_cast<std::size_t>(action[cell])].heading);
      ASSERT_EQ(policy.value(3, i + 0.5, j + 0.5), value[cell]);
    }
  }
  EXPECT_GT(steered, 300);
  EXPECT_THROW((void)policy.action_plane(25), InputError);
  EXPECT_THROW((void)policy.value_plane(-1), InputError);
}

TEST(Library, ATemporaryEnvironmentIsSavedOrReferenced) {
  const test::TemporaryFolder folder;
  const fs::path file = folder.path() / "made.h5";
  small_gyre().save(file);
  const Environment taken = Environment::take(file);
  EXPECT_FALSE(fs::exists(file));
  EXPECT_TRUE(taken.is_temporary());
  const Plan planned = plan(taken, mission_of_settings(small_mission, "mission"));
  planned.save(folder.path() / "along");
  planned.save(folder.path() / "stays", SavedEnvironment::where_it_is);
  EXPECT_TRUE(fs::exists(folder.path() / "along" / "environment.h5"));
  EXPECT_FALSE(fs::exists(folder.path() / "stays" / "environment.h5"));
  EXPECT_THROW((void)Environment::take(folder.path() / "none.h5"), InputError);
}

}  // namespace
}  // namespace tidewise

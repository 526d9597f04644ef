#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/file/atomic_file.h"
#include "output/run/attributes.h"
#include "planner/mission/read/echo.h"
#include "planner/mission/read/file.h"
#include "planner/mission/read/key_table.h"
#include "planner/mission/read/keys.h"
#include "support/error_code.h"
#include "support/temporary_folder.h"

namespace tidewise {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

constexpr const char* minimal_mission = R"([environment]
file = "ocean.h5"
[vehicle]
speeds = [0.5, 1]
[mission]
start = [1, 2]
target = [3.5, 4.5]
)";

/// Returns the error of a mission, or "" if it is valid.
std::string error_of(const std::string& text, const std::vector<Setting>& settings = {}) {
  try {
    parse_mission(text, "m.toml", settings);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(MissionFile, RejectsContradictorySurfaceDrift) {
  for (const char* drift : {"2", "\"10m\"", "\"8\"", "true"}) {
    const std::string message =
        error_of(minimal_mission, {std::string("vehicle.surface_drift=") + drift});
    EXPECT_THAT(message, test::has_code("key_value_invalid", "a duration such as \"8min\""))
        << drift;
    EXPECT_THAT(message, testing::Not(HasSubstr("step"))) << drift;
  }
  EXPECT_EQ(error_of(minimal_mission, {"vehicle.surface_drift=\"8min\""}), "");
}

TEST(MissionFile, RejectsNumbersWithUnits) {
  const auto battery = [](const char* value) {
    return error_of(minimal_mission, {std::string("vehicle.battery=") + value});
  };
  EXPECT_THAT(battery("\"2.5MJ\""),
              test::has_code("key_value_invalid", "without its unit: m, m/s, s, J where"));
  EXPECT_THAT(battery("\"3 J\""),
              test::has_code("key_value_invalid", "without its unit: m, m/s, s, J where"));
  EXPECT_EQ(battery("2.5e6"), "");
}

TEST(MissionFile, HasDefaultsForOptionalKeys) {
  const RunRequest request = parse_mission(minimal_mission, "m.toml");
  EXPECT_EQ(request.vehicle.speeds, (std::vector<double>{0.5, 1.0}));
  EXPECT_EQ(request.vehicle.headings, 32);
  EXPECT_EQ(request.goal.objective, Objective::time);
  EXPECT_EQ(request.goal.target.second, 4.5);
  EXPECT_EQ(request.goal.arrival_reward, 100);
  EXPECT_FALSE(request.goal.failure_penalty) << "it waits for the mission's costs";
  EXPECT_FALSE(request.goal.horizon);
  EXPECT_EQ(request.planner.engine, Engine::lattice);
  EXPECT_EQ(request.planner.landing, LandingBy::area);
  EXPECT_EQ(request.rollout.mode, RolloutChoice::continuous);
  EXPECT_EQ(request.rollout.baselines, BaselineChoice::all);
  EXPECT_TRUE(std::holds_alternative<AllRealizations>(request.rollout.realizations));
}

TEST(MissionFile, CombinesPresetWithOtherKeys) {
  const auto parse = [](const std::string& vehicle) {
    return parse_mission("[environment]\nfile = \"ocean.h5\"\n[vehicle]\n" + vehicle +
                             "\n[mission]\nstart = [1, 2]\ntarget = [3.5, 4.5]\n",
                         "m.toml");
  };
  const RunRequest glider = parse("preset = \"seaglider\"");
  EXPECT_EQ(glider.vehicle.speeds, std::vector<double>{0.25});
  // Half of the glider's half watt is spent on propulsion: 4 F² at 0.25 m/s.
  EXPECT_DOUBLE_EQ(glider.goal.energy.c_f * 0.25 * 0.25, 0.25);
  EXPECT_DOUBLE_EQ(glider.goal.energy.c_t, 0.25);
  const RunRequest custom = parse("preset = \"seaglider\"\nspeeds = [0.3]\nenergy = { c_t = 1.0 }");
  EXPECT_EQ(custom.vehicle.speeds, std::vector<double>{0.3});
  EXPECT_EQ(custom.goal.energy.c_t, 1.0);
  EXPECT_EQ(custom.goal.energy.c_f, 4.0);
  // The power of dives is the only power unless other keys add some.
  const RunRequest diving = parse("preset = \"seaglider\"\nprofile_power = [0.6, 0.4]");
  EXPECT_EQ(diving.vehicle.profile_power, (std::vector<double>{0.6, 0.4}));
  EXPECT_EQ(diving.goal.energy.c_f, 0);
  EXPECT_EQ(diving.goal.energy.c_t, 0);
  EXPECT_EQ(parse("speeds = [0.3]\nprofile_power = [1]\nenergy.c_t = 0.5").goal.energy.c_t, 0.5);
  // The power of a dive is in watts, also if it is 0, whatever the other keys.
  const auto unit = [&](const std::string& vehicle) {
    return energy_units(parse("speeds = [0.3]\n" + vehicle).goal.energy, Units::metric);
  };
  EXPECT_EQ(unit("energy = { c_f = 1, c_t = 0 }"), "m2 s-1");
  EXPECT_EQ(unit("energy = { c_f = 2.5e-4, c_t = 0 }"), "1");
  EXPECT_EQ(unit("energy = { c_f = 12, c_t = 2.5 }"), "J");
  EXPECT_EQ(unit("preset = \"seaglider\""), "J");
  EXPECT_EQ(unit("profile_power = [0]"), "J");
  EXPECT_EQ(unit("profile_power = [0]\nenergy = { c_f = 1, c_t = 0 }"), "J");
  EXPECT_THAT(error_of("[environment]\nfile = \"o.h5\"\n[vehicle]\npreset = \"raft\"\n"),
              testing::AllOf(test::has_code("key_value_invalid", "one of slocum-g3"),
                             testing::HasSubstr("vehicle.preset")));
}

TEST(MissionFile, ReadsEveryKeyAndEchoesIt) {
  const std::string text = R"([environment]
file = "/sea/ocean.h5"
names = { x = "easting", u_mean = "u", lat = "phi" }
[vehicle]
speeds = [0, 0.1, 1e-3]
headings = 7
battery = 5e6
speed_error = 0.05
heading_error = 7.5
energy = { c_f = 2.5, c_t = 0.1 }
[mission]
objective = "weighted"
start_lonlat = [-126.0, 46.8]
target_lonlat = [-124.95, 48.45]
target_radius = 1500.0
via = [{point = [1.5, 2.5], radius = 3.0}, {polygon_lonlat = [[1, 2], [3, 2], [3, 4]]}]
departure = 3
horizon = 40
decide_every = "6 h"
arrival_reward = 0.1
failure_penalty = -1e6
harvest = { c_r = 0.3 }
weight = { alpha = 0.7 }
[planner]
engine = "direct"
landing = "area"
backend = "cpu"
threads = 3
subgrid_radius = 5
device = 1
devices = [2, 0]
device_memory = "1.5 GiB"
block_size = 128
[rollout]
mode = "chain"
realizations = [3, 1, 2]
flights = 77
seed = 12345678901
baselines = "none"
deadlines = ["4 d", "2024-11-01T06:00Z", 30]
[output]
directory = "/runs/a \"quoted\" name"
formats = ["netcdf"]
)";
  const RunRequest request = parse_mission(text, "m.toml");
  EXPECT_EQ(request.names.x, "easting");
  EXPECT_EQ(request.names.y, "y");
  EXPECT_EQ(request.goal.start.frame, Position::Frame::geographic);
  EXPECT_EQ(request.goal.energy.alpha, 0.7);
  EXPECT_EQ(request.goal.energy.c_f, 2.5);
  EXPECT_EQ(*request.goal.horizon, 40);
  EXPECT_EQ(*request.goal.decide_every, TimeSpan::of_seconds(21600));
  EXPECT_EQ(request.planner.engine, Engine::direct);
  EXPECT_EQ(request.planner.landing, LandingBy::area);
  EXPECT_EQ(request.planner.device, 1);
  EXPECT_EQ(std::get<std::vector<std::int32_t>>(request.planner.devices),
            (std::vector<std::int32_t>{2, 0}));
  EXPECT_EQ(request.planner.device_memory, 3LL << 29);
  EXPECT_EQ(request.planner.block_size, 128);
  EXPECT_EQ(std::get<std::vector<std::int32_t>>(request.rollout.realizations),
            (std::vector<std::int32_t>{3, 1, 2}));
  EXPECT_EQ(request.rollout.seed, 12345678901u);
  EXPECT_EQ(request.rollout.baselines, BaselineChoice::none);
  EXPECT_EQ(request.vehicle.battery, 5e6);
  EXPECT_EQ(request.vehicle.speed_error, 0.05);
  EXPECT_EQ(request.vehicle.heading_error, 7.5);
  ASSERT_EQ(request.rollout.deadlines.size(), 3U);
  EXPECT_EQ(std::get<TimeSpan>(request.rollout.deadlines[0]), TimeSpan::of_seconds(4 * 86400));
  EXPECT_EQ(std::get<Moment>(request.rollout.deadlines[2]), Moment(30));
  EXPECT_EQ(request.output.directory, "/runs/a \"quoted\" name");

  const std::string echo = to_toml(request);
  const RunRequest again = parse_mission(echo, "echo");
  EXPECT_EQ(to_json(again), to_json(request));
  EXPECT_EQ(to_toml(again), echo);
  // The echo has all keys except: three of the four alternatives for start and for target; the
  // three penalties that failure_penalty replaces; the deadline, which horizon replaces; zones; the
  // preset, whose figures are echoed; the followed track; and keys of profiles, as there is one
  // velocity.
  EXPECT_EQ(again.places.size(), mission_keys().size() - 6 - 3 - 9 + 10) << echo;
}

TEST(MissionFile, ResolvesPathsRelativeToTheirSource) {
  const test::TemporaryFolder folder;
  fs::create_directory(folder / "configs");
  write_text_file(folder / "configs/m.toml", minimal_mission);
  const RunRequest request = read_mission_file(folder / "configs/m.toml");
  EXPECT_EQ(request.environment, folder / "configs/ocean.h5");
  EXPECT_EQ(request.output.directory, fs::current_path() / "runs/m");
  const RunRequest set = read_mission_file(folder / "configs/m.toml",
                                           {"environment.file=sea/b.h5", "output.directory=out"});
  EXPECT_EQ(set.environment, fs::current_path() / "sea/b.h5");
  EXPECT_EQ(set.output.directory, fs::current_path() / "out");
}

TEST(MissionFile, SettingsOverrideAnyKey) {
  const RunRequest request =
      parse_mission(minimal_mission, "m.toml",
                    {"mission.objective=energy", "mission.start=[9, 8]", "vehicle.energy={c_f = 3}",
                     "rollout.realizations=20", "vehicle.headings=8", "vehicle.headings=9"});
  EXPECT_EQ(request.goal.objective, Objective::energy);
  EXPECT_EQ(request.goal.start.first, 9);
  EXPECT_EQ(request.goal.energy.c_f, 3);
  EXPECT_EQ(std::get<std::int32_t>(request.rollout.realizations), 20);
  EXPECT_EQ(request.vehicle.headings, 9);
  EXPECT_THAT(error_of(minimal_mission, {"vehicle.speed_error=-0.1"}),
              test::has_code("key_value_invalid", "vehicle.speed_error"));
  EXPECT_THAT(error_of(minimal_mission, {"vehicle.heading_error=91"}),
              test::has_code("key_value_invalid", "vehicle.heading_error"));
  EXPECT_THAT(error_of(minimal_mission, {"vehicle.headings=0"}),
              testing::AllOf(test::has_code("key_value_invalid", "--set vehicle.headings=0"),
                             testing::HasSubstr("vehicle.headings")));
  EXPECT_THAT(error_of(minimal_mission, {"vehicle.headings"}),
              test::has_code("setting_without_value"));
  EXPECT_THAT(error_of(minimal_mission, {"mission.start=[1,"}),
              test::has_code("setting_value_not_toml"));
}

TEST(MissionFile, AcceptsWholeNumbersInAnyForm) {
  EXPECT_EQ(parse_mission(minimal_mission, "m.toml", {"vehicle.headings=8.0"}).vehicle.headings, 8);
  EXPECT_THAT(error_of(minimal_mission, {"vehicle.headings=8.5"}),
              test::has_code("key_value_invalid", "a whole number from"));
  EXPECT_THAT(error_of(minimal_mission, {"vehicle.headings=1e300"}),
              test::has_code("key_value_invalid", "a whole number"));
}

TEST(MissionFile, RejectsUnusableSpeeds) {
  EXPECT_THAT(error_of(minimal_mission, {"vehicle.speeds=[1e-308]"}),
              test::has_code("key_value_invalid", "each 0 or from 1e-6 on"));
  EXPECT_EQ(error_of(minimal_mission, {"vehicle.speeds=[0, 1e-6]"}), "");
}

TEST(MissionFile, NamesLineKeyAndRemedy) {
  const std::string text(minimal_mission);
  EXPECT_THAT(error_of(text + "horizn = 5\n"),
              testing::AllOf(test::has_code("key_misspelled", "mission.horizon"),
                             testing::HasSubstr("m.toml:8")));
  EXPECT_THAT(error_of(text + "objective = \"tim\"\n"),
              testing::AllOf(test::has_code("key_value_invalid",
                                            "one of time, energy, net_energy, weighted, arrival, "
                                            "stay, follow (did you mean time?)"),
                             testing::HasSubstr("m.toml:8")));
  EXPECT_THAT(error_of(text + "[planer]\nthreads = 2\n"),
              test::has_code("key_misspelled", "planner"));
  EXPECT_THAT(error_of(text + "threads = 2\n"),
              test::has_code("key_misspelled", "planner.threads"));
  EXPECT_THAT(error_of(text + "zzzz = 2\n"),
              testing::AllOf(test::has_code("key_unknown", "objective, start"),
                             testing::HasSubstr("mission")));
  EXPECT_THAT(error_of(text + "horizon = 2.5\n"),
              test::has_code("key_value_invalid", "a whole number from 1 to"));
  EXPECT_THAT(error_of(text + "target_radius = nan\n"),
              test::has_code("key_value_invalid", "a number of 0 or more"));
  EXPECT_THAT(error_of(text + "target_radius = 1979-05-27\n"),
              test::has_code("key_value_invalid", "1979-05-27"));
  EXPECT_THAT(error_of(text + "harvest = 3\n"), test::has_code("key_is_not_table"));
  EXPECT_THAT(error_of(text + "horizon = { a = 1 }\n"), test::has_code("key_is_table"));
  EXPECT_THAT(error_of(text + "start_lonlat = [1, 2]\n"), test::has_code("place_given_twice"));
  EXPECT_THAT(error_of(text + "failure_penalty = 200\n"), test::has_code("failure_pays"));
  EXPECT_THAT(error_of(text + "failure = { late = 2 }\n"),
              test::has_code("key_value_invalid", "mission.failure.late"));
  EXPECT_THAT(error_of(text + "failure = { late = -2 }\nfailure_penalty = -3\n"),
              test::has_code("failure_penalty_twice", "m.toml:9"));
  EXPECT_EQ(error_of(text + "failure = { obstacle = -3, outside = -2, late = -1 }\n"), "");
  EXPECT_THAT(error_of(text + "horizon = \n"), test::has_code("not_toml", "m.toml"));
  EXPECT_THAT(error_of("[environment]\nfile = \"a.h5\"\n"),
              test::has_code("key_missing", "vehicle.speeds"));
  EXPECT_EQ(error_of(text), "");
}

TEST(NearestWord, SuggestsTheIntendedWord) {
  std::vector<std::string_view> names;
  for (const MissionKey& key : mission_keys()) names.push_back(key.name);
  EXPECT_EQ(nearest_word("mission.taget", names), "mission.target");
  EXPECT_EQ(nearest_word("vehicle.sepeds", names), "vehicle.speeds");
  EXPECT_EQ(nearest_word("quite.another.thing", names), "");
  // A prefix suggests a word if no other word begins with it.
  EXPECT_EQ(nearest_word("slocum", {"seaglider", "slocum-g3"}), "slocum-g3");
  EXPECT_EQ(nearest_word("slocum", {"slocum-g2x1", "slocum-g3x1"}), "");
}

}  // namespace
}  // namespace tidewise

// Learns from dives of several profiles by the program. The profiles up and down have opposite
// flows, so that confusing them gives a wrong correction.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <set>

#include "base/hdf5/file.h"
#include "profiles_fixture.h"
#include "support/error_code.h"

namespace tidewise {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;

class LearnedProfiles : public test::MissionProfiles {
 protected:
  LearnedProfiles() { plan_both(); }

  std::vector<double> flight_values(const char* variable) const {
    const Hdf5File flights = Hdf5File::open(folder_ / "both" / "trajectories.nc");
    const std::uint64_t points = flights.shape(variable)[1];
    std::vector<double> values(points);
    flights.read(variable, {flight, 0}, {1, points}, values.data());
    return values;
  }
  /// Writes tracks of the first steps of a flight: its steering and dives, or the current of
  /// profile up, which is the opposite of the one of profile down. Returns the profiles of its
  /// dives.
  std::set<int> write_tracks(std::size_t steps) const {
    const auto time = flight_values("time");
    const auto x = flight_values("x");
    const auto y = flight_values("y");
    const auto heading = flight_values("heading");
    const auto speed = flight_values("speed");
    const auto profile = flight_values("profile");
    std::ofstream steered(folder_ / "steered.csv");
    std::ofstream up(folder_ / "up.csv");
    steered << "time,x,y,heading,speed,profile\n";
    up << "time,x,y,u,v\n";
    std::set<int> dived;
    for (std::size_t n = 0; n <= steps && std::isfinite(x.at(n)); ++n) {
      const bool down = profile[n] == 1;
      steered << fmt::format("{},{},{},{},{},{}\n", time[n], x[n], y[n], heading[n], speed[n],
                             down ? "down" : "up");
      up << fmt::format("{},{},{}", time[n], x[n], y[n]);
      if (n == 0) {
        up << ",,\n";
        continue;
      }
      const double duration = time[n] - time[n - 1];
      const double sign = profile[n - 1] == 1 ? -1 : 1;
      dived.insert(static_cast<int>(profile[n - 1]));
      up << fmt::format(
          ",{},{}\n",
          sign * ((x[n] - x[n - 1]) / duration - speed[n - 1] * std::cos(heading[n - 1])),
          sign * ((y[n] - y[n - 1]) / duration - speed[n - 1] * std::sin(heading[n - 1])));
    }
    return dived;
  }
  std::vector<float> field(const std::string& file, const char* variable) const {
    return Hdf5File::open(folder_ / file).read_all<float>(variable);
  }
  /// Returns the part of a variable (time, profile, …) for one of two profiles.
  std::vector<float> profile_field(const std::string& file, const char* variable,
                                   std::size_t profile) const {
    const std::vector<float> all = field(file, variable);
    const std::size_t levels = Hdf5File::open(folder_ / file).shape(variable)[0];
    const std::size_t size = all.size() / levels / 2;
    std::vector<float> values;
    for (std::size_t k = 0; k < levels; ++k) {
      const auto from = all.begin() + static_cast<std::ptrdiff_t>((2 * k + profile) * size);
      values.insert(values.end(), from, from + static_cast<std::ptrdiff_t>(size));
    }
    return values;
  }

  static constexpr std::uint64_t flight = 7;
};

/// The same currents give the same result in a forecast that holds only profile up.
TEST_F(LearnedProfiles, CorrectBothProfilesConsistently) {
  ASSERT_EQ(write_tracks(12), (std::set<int>{0, 1})) << "the flight has to dive both";
  const auto observe = [&](const std::string& from, const std::string& track,
                           const std::string& out) {
    return run({"observe", from, "--track", track, "--error", "0.05", "--out", out}).output;
  };
  const std::string report = observe("both", "steered.csv", "post.h5");
  EXPECT_THAT(report, AllOf(HasSubstr("profile is profile"), HasSubstr("of 60  up"),
                            HasSubstr("of 60  down")));
  observe("gyre.h5", "up.csv", "alone.h5");
  const auto near =
      testing::Pointwise(testing::NanSensitiveFloatNear(2e-5F), field("alone.h5", "u_mean"));
  EXPECT_THAT(profile_field("post.h5", "u_mean", 0), near);
  std::vector<float> down = profile_field("post.h5", "u_mean", 1);
  for (float& value : down) value = -value;
  EXPECT_THAT(down, near);
  EXPECT_THAT(field("post.h5", "coefficient"),
              testing::Pointwise(testing::FloatNear(2e-5F), field("alone.h5", "coefficient")));
  EXPECT_EQ(profile_field("post.h5", "u_mode", 1), profile_field("both.h5", "u_mode", 1));
  EXPECT_NE(profile_field("post.h5", "u_mean", 0), profile_field("both.h5", "u_mean", 0));
  EXPECT_THAT(run({"env", "info", "post.h5", "-q"}).output, HasSubstr("down: 0:1000"));

  // The same correction applies to the environment file. A flight of the run may also be the track.
  EXPECT_THAT(observe("both.h5", "steered.csv", "file.h5"), HasSubstr("of 60  down"));
  EXPECT_EQ(field("file.h5", "u_mean"), field("post.h5", "u_mean"));
  run({"observe", "both", "--track", "both/trajectories.nc", "--trajectory", "7", "--error", "0.05",
       "--out", "flight.h5", "-q"});
  EXPECT_THAT(Hdf5File::open(folder_ / "flight.h5").read_all<double>("observed_profile"),
              testing::Contains(1));
  // A run with one profile treats all dives as dives of that profile, and both learn.
  plan("up", R"(vehicle.profiles=["up"])");
  observe("up", "up.csv", "up.h5");
  EXPECT_THAT(profile_field("up.h5", "u_mean", 0), near);
  EXPECT_EQ(field("up.h5", "u_mean").size(), field("post.h5", "u_mean").size());
  EXPECT_THAT(refused({"observe", "both", "--track", "up.csv", "--error", "0.05"}),
              test::has_code("track_profile_missing"));
  // An added mode applies to both profiles.
  run({"observe", "both", "--track", "steered.csv", "--error", "1e-4", "--add-mode", "5", "--out",
       "more.h5", "-q"});
  const std::size_t modes = Hdf5File::open(folder_ / "more.h5").shape("u_mode")[2];
  ASSERT_EQ(modes, Hdf5File::open(folder_ / "both.h5").shape("u_mode")[2] + 1);
}

/// An environment in metres and seconds, in which the profiles deep and surface have opposite
/// flows.
class DriftingAtSurface : public test::MissionProfiles {
 protected:
  DriftingAtSurface() {
    const EnvironmentReader gyre(folder_ / "gyre.h5");
    EnvironmentInfo info = gyre.info();
    info.grid = {info.grid.nx, info.grid.ny, 0, 0, cell_size, cell_size};
    info.time.first = 0;
    info.time.step = 3600;
    info.time_units = "s";
    info.units = Units::metric;
    info.profiles = {{"deep", "0:1000"}, {"surface", "at:0"}};
    EnvironmentWriter writer(folder_ / "sea.h5", info);
    LevelFields<> fields(info);
    for (TimeLevel k(0); k.value < info.time.level_count; ++k.value) {
      gyre.read_level(k, fields);
      writer.write_level(k, fields, 0);
      for (auto* field : {&fields.u_mean, &fields.v_mean, &fields.u_mode, &fields.v_mode}) {
        std::transform(field->begin(), field->end(), field->begin(), std::negate<>());
      }
      writer.write_level(k, fields, 1);
    }
    writer.finish();
    std::ofstream(folder_ / "m.toml") << fmt::format(
        "[environment]\nfile = \"sea.h5\"\n[vehicle]\nspeeds = [1.6]\nheadings = 12\n"
        "profiles = [\"deep\"]\nsurface_drift = \"20min\"\n[mission]\nstart = [{0}, {1}]\n"
        "target = [{0}, {2}]\ntarget_radius = {3}\ndeparture = 2\n[output]\ndirectory = "
        "\"run\"\n",
        15.5 * cell_size, 6.5 * cell_size, 24.5 * cell_size, 1.5 * cell_size);
    run({"plan", "m.toml", "-q", "--baselines", "none"});
    std::ofstream(folder_ / "track.csv") << fmt::format(
        "time,x,y,u,v\n7200,{0},{1},,\n14400,{0},{2},0.2,0.1\n21600,{0},{3},0.1,0.2\n",
        15.5 * cell_size, 6.5 * cell_size, 8 * cell_size, 9.5 * cell_size);
    std::ofstream(folder_ / "drifter.csv") << fmt::format("time,x,y\n7200,{0},{0}\n14400,{1},{0}\n",
                                                          15.5 * cell_size, 15.8 * cell_size);
  }
  std::vector<float> field(const std::string& file, const char* variable) const {
    return Hdf5File::open(folder_ / file).read_all<float>(variable);
  }

  static constexpr double cell_size = 3600;  // [m]
};

/// The flow of the file is corrected without the surface drift, which the plan adds.
TEST_F(DriftingAtSurface, CorrectsTheProfilesOfTheFile) {
  run({"observe", "sea.h5", "--track", "track.csv", "--reject-beyond", "0", "--profile", "deep",
       "--out", "file.h5", "-q"});
  run({"observe", "run", "--track", "track.csv", "--reject-beyond", "0", "--out", "run.h5", "-q"});
  run({"replan", "run", "--track", "track.csv", "--reject-beyond", "0", "--out", "later", "-q"});
  for (const char* variable : {"u_mean", "u_mode", "v_mean", "coefficient"}) {
    const auto equals_file =
        testing::Pointwise(testing::NanSensitiveFloatEq(), field("file.h5", variable));
    EXPECT_THAT(field("run.h5", variable), equals_file) << variable;
    EXPECT_THAT(field("later/posterior.h5", variable), equals_file) << variable;
  }
  EXPECT_NE(field("file.h5", "u_mean"), field("sea.h5", "u_mean"));
  run({"plan", "m.toml", "-q", "--out", "whole", "--baselines", "none", "--set",
       "environment.file=\"file.h5\"", "--set",
       fmt::format("mission.start=[{},{}]", 15.5 * cell_size, 9.5 * cell_size), "--set",
       "mission.departure=6"});
  EXPECT_EQ(summary("later")["value_at_start"], summary("whole")["value_at_start"]);
}

/// A drifter does not dive in the only profile of the mission.
TEST_F(DriftingAtSurface, TreatsADrifterAsAtTheSurface) {
  const auto report = run(
      {"observe", "run", "--drifter", "drifter.csv", "--reject-beyond", "0", "--out", "run.h5"});
  EXPECT_THAT(report.output, HasSubstr("  surface\n"));
  run({"observe", "sea.h5", "--drifter", "drifter.csv", "--reject-beyond", "0", "--out", "file.h5",
       "-q"});
  EXPECT_EQ(field("run.h5", "coefficient"), field("file.h5", "coefficient"));
  EXPECT_THAT(Hdf5File::open(folder_ / "run.h5").read_all<double>("observed_profile"),
              testing::ElementsAre(1));
}

/// A replan equals a plan in the posterior from the vehicle's position. It finds reachable cells
/// with the flows of both profiles.
TEST_F(LearnedProfiles, AreChosenAgainWhenReplanning) {
  write_tracks(6);
  run({"replan", "both", "--track", "steered.csv", "--error", "0.05", "--out", "later", "-q"});
  run({"observe", "both", "--track", "steered.csv", "--error", "0.05", "--out", "post.h5", "-q"});
  for (const char* variable : {"u_mean", "v_mean", "coefficient"}) {
    EXPECT_EQ(field("later/posterior.h5", variable).size(), field("post.h5", variable).size());
    EXPECT_THAT(field("later/posterior.h5", variable),
                testing::Pointwise(testing::NanSensitiveFloatEq(), field("post.h5", variable)));
  }
  const json later = summary("later");
  const auto start = later["mission"]["mission"]["start"];
  run({"plan", "m.toml", "-q", "--out", "whole", "--set", R"(vehicle.profiles=["up", "down"])",
       "--set", "environment.file=\"post.h5\"", "--set",
       fmt::format("mission.start={}", start.dump()), "--set",
       fmt::format("mission.departure={}", later["mission"]["mission"]["departure"].dump())});
  const json planned = summary("whole");
  ASSERT_FALSE(later["rollout"].is_null());
  EXPECT_EQ(later["value_at_start"], planned["value_at_start"]);
  EXPECT_EQ(later["rollout"], planned["rollout"]);
  EXPECT_EQ(later["first_action"], planned["first_action"]);
  EXPECT_THAT(later["first_action"]["profile"]["name"], testing::AnyOf("up", "down"));
  const json compared = json::parse(std::ifstream(folder_ / "later" / "comparison.json"));
  EXPECT_EQ(compared["runs"].size(), 2u);
  // A replan without observations also simulates flights.
  run({"replan", "both", "--at-xy", "15.5,9.5", "--time", "5", "--out", "told", "-q"});
  EXPECT_FALSE(summary("told")["rollout"].is_null());
}

/// A vehicle that observed another depth than that of its dive would see a flow of no realization.
TEST_F(LearnedProfiles, AreLearnedFromObservations) {
  run({"rollout", "both", "--mode", "adaptive", "--realizations", "4", "--every", "4", "--error",
       "0.05", "--out", "adaptive", "-q"});
  const json knowledge = summary("adaptive")["knowledge"];
  EXPECT_GT(knowledge["learning"]["replans"], 4);
  EXPECT_NEAR(knowledge["learning"]["consistency"].get<double>(), 1, 0.5);
  const auto dived =
      Hdf5File::open(folder_ / "adaptive" / "trajectories.nc").read_all<std::uint8_t>("profile");
  EXPECT_GT(std::count(dived.begin(), dived.end(), 0), 0);
  EXPECT_GT(std::count(dived.begin(), dived.end(), 1), 0);
}

}  // namespace
}  // namespace tidewise

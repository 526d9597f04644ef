// Observations on dives of several depths: the profile of a leg, and the update of all profiles.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "base/error.h"
#include "coastal_forecast.h"
#include "env/file/writer.h"
#include "learning/file/posterior.h"
#include "learning/track/dive_profiles.h"
#include "learning/track/leg_distance.h"
#include "support/error_code.h"
#include "support/temporary_folder.h"

namespace tidewise {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

EnvironmentReader read_profiles(const std::filesystem::path& path,
                                const std::vector<std::string>& profiles) {
  EnvironmentReader reader(path);
  reader.choose_profiles(profiles);
  return reader;
}

TEST(DiveProfiles, AreChosenByTheNearestGreatestDepth) {
  EnvironmentInfo info;
  info.profiles = {
      {"shallow", "0:200"}, {"deep", "0:1000m"}, {"park", "at:1000"}, {"odd", "a.csv"}};
  for (const auto& [depth, profile] : {std::pair(0.0, 0), std::pair(180.0, 0), std::pair(600.0, 0),
                                       std::pair(601.0, 1), std::pair(4000.0, 1)}) {
    EXPECT_EQ(nearest_profile(info, depth), profile) << depth;
  }
  EXPECT_EQ(nearest_profile(info, 4000, 1), 0);
  EXPECT_EQ(find_profile(info, "park"), 2);
  EXPECT_FALSE(find_profile(info, "deepest"));
  info.profiles = {{"odd", "a.csv"}};
  EXPECT_FALSE(nearest_profile(info, 100));
  // With several ranges the deepest depth counts.
  info.profiles = {{"far", "at:500@0.5,0:800@0.5"}, {"near", "0:50@0.4,50:100@0.6"}};
  EXPECT_EQ(nearest_profile(info, 90), 1);
  EXPECT_EQ(nearest_profile(info, 700), 0);
}

/// An environment of 6 × 5 cells of 1 km and five levels of an hour. The coefficient of its mode is
/// −1, 0 and 1 in three realizations, with variance 1. Along x, `up` has mean 0 and mode 1, `down`
/// has mean 0.3 and mode −2. The two easternmost columns are closed in `down`.
class Diving : public testing::Test {
 protected:
  Diving() {
    EnvironmentInfo info;
    info.grid = {6, 5, 0, 0, 1000, 1000};
    info.time = {5, 0, 3600};
    info.time_units = "s";
    info.mode_count = 1;
    info.realization_count = 3;
    info.units = Units::metric;
    info.obstacles = Obstacles::fixed;
    info.profiles = {{"up", "0:50"}, {"down", "0:1000"}};
    EnvironmentWriter writer(folder_ / "sea.h5", info);
    for (std::size_t profile : {0u, 1u}) {
      LevelFields<> fields(info);
      for (std::size_t n = 0; n < fields.masked.size(); ++n) {
        const bool is_deep = profile == 1;
        fields.masked[n] = fields.dry[n] = is_deep && n % 6 >= 4 ? 1 : 0;
        fields.u_mean[n] = is_deep ? 0.3F : 0;
        fields.u_mode[n] = is_deep ? -2 : 1;
        fields.v_mean[n] = fields.v_mode[n] = 0;
      }
      for (std::size_t r = 0; r < 3; ++r) fields.coefficient[r] = static_cast<float>(r) - 1;
      for (TimeLevel k(0); k.value < 5; ++k.value) writer.write_level(k, fields, profile);
    }
    writer.finish();
  }

  static ObservedLeg leg(std::int32_t profile, double hour, double u, double x = 1000) {
    ObservedLeg observed;
    observed.leg = {{{x, 2000}, {x + 1000, 2000}}, {3600 * hour, 3600 * (hour + 1)}};
    observed.u = u;
    observed.error_u = observed.error_v = error;
    observed.profile = profile;
    return observed;
  }
  /// Updates the environment with the profiles in this order.
  PosteriorReport observe(const std::vector<ObservedLeg>& legs,
                          const std::vector<std::string>& profiles = {"up", "down"},
                          const std::string& from = "sea.h5", const std::string& to = "post.h5",
                          const PosteriorOptions& options = {}) const {
    ObservedTrack track;
    track.path = "glider.csv";
    track.legs = legs;
    SilentProgress silent;
    return write_posterior(read_profiles(folder_ / from, profiles), {track}, options,
                           {folder_ / to, "tidewise observe"}, silent);
  }
  LevelFields<> level(const std::string& name, const std::string& profile) const {
    const EnvironmentReader reader = read_profiles(folder_ / name, {profile});
    LevelFields<> fields(reader.info());
    reader.read_level(TimeLevel(3), fields);
    return fields;
  }

  static constexpr double error = 0.5;
  const test::TemporaryFolder folder_;
};

/// H = −2, P = 1, R = 1/4: K = P H / (H² P + R) = −8/17, mean K (u − 0.3), variance 1 − K H = 1/17.
TEST_F(Diving, DeepObservationsMoveAllProfilesByTheirModes) {
  const auto report = observe({leg(1, 2, 0.1)});
  const double gain = -8.0 / 17;
  const double mean = gain * (0.1 - 0.3);
  const double spread = std::sqrt(1.0 / 17);
  ASSERT_EQ(report.legs.size(), 1u);
  EXPECT_EQ(report.legs[0].profile, "down");
  EXPECT_NEAR(report.legs[0].u.forecast, 0.3, 1e-6);
  EXPECT_NEAR(report.legs[0].u.forecast_spread, 2, 1e-6);
  EXPECT_NEAR(report.legs[0].u.posterior, 0.3 - 2 * mean, 1e-6);
  for (const auto& [name, mean_flow, mode] :
       {std::tuple("up", 0.0, 1.0), std::tuple("down", 0.3, -2.0)}) {
    const LevelFields<> after = level("post.h5", name);
    EXPECT_NEAR(after.u_mean[13], mean_flow + mode * mean, 1e-6) << name;
    EXPECT_EQ(after.u_mode[13], static_cast<float>(mode));
    for (std::size_t r = 0; r < 3; ++r) {
      EXPECT_NEAR(after.coefficient[r], (static_cast<double>(r) - 1) * spread, 1e-6);
    }
    EXPECT_EQ(after.masked[17], name == std::string("down") ? 1 : 0);
    EXPECT_EQ(after.dry[17], name == std::string("down") ? 1 : 0);
  }
  // The report averages over both profiles.
  const double flow = std::sqrt((1.0 + 4) / 2);
  EXPECT_NEAR(report.spread_before.at(3), flow, 1e-6);
  EXPECT_NEAR(report.spread_after.at(3), flow * spread, 1e-6);
  EXPECT_NEAR(report.mean_shift.at(3), flow * std::abs(mean), 1e-6);
}

/// H = 1: K = 4/5.
TEST_F(Diving, ShallowObservationsMoveProfilesOppositely) {
  const auto report = observe({leg(0, 2, 0.1)});
  EXPECT_EQ(report.legs[0].profile, "up");
  EXPECT_NEAR(level("post.h5", "up").u_mean[13], 0.08, 1e-6);
  EXPECT_NEAR(level("post.h5", "down").u_mean[13], 0.3 - 0.16, 1e-6);
}

/// Profiles are numbered in the order of the mission; the file keeps its own order.
TEST_F(Diving, OrderOfProfilesHasNoEffect) {
  (void)observe({leg(1, 2, 0.1)});
  const auto report = observe({leg(0, 2, 0.1)}, {"down", "up"}, "sea.h5", "other.h5");
  EXPECT_EQ(report.legs[0].profile, "down");
  const EnvironmentReader post(folder_ / "post.h5");
  const EnvironmentReader other(folder_ / "other.h5");
  for (const char* variable : {"u_mean", "u_mode", "coefficient", "obstacle_mask",
                               "observed_profile", "spread_after", "mean_shift"}) {
    EXPECT_EQ(other.file().read_all<double>(variable).size(),
              post.file().read_all<double>(variable).size());
    EXPECT_THAT(
        other.file().read_all<double>(variable),
        testing::Pointwise(testing::NanSensitiveDoubleEq(), post.file().read_all<double>(variable)))
        << variable;
  }
  EXPECT_EQ(other.info().profiles, post.info().profiles);
}

TEST_F(Diving, UpdatesAPosteriorAgain) {
  (void)observe({leg(1, 1, 0.1)});
  (void)observe({leg(0, 3, 0.1)}, {"up", "down"}, "post.h5", "next.h5");
  const EnvironmentReader next(folder_ / "next.h5");
  EXPECT_THAT(next.file().read_all<double>("observed_profile"), ElementsAre(1, 0));
  (void)observe({leg(1, 1, 0.1), leg(0, 3, 0.1)}, {"up", "down"}, "sea.h5", "both.h5");
  EXPECT_NEAR(level("next.h5", "up").u_mean[13], level("both.h5", "up").u_mean[13], 1e-6);
}

/// In water too shallow for the deep profile, a dive ends above the bottom, in the shallow flow.
TEST_F(Diving, ShallowWaterGivesTheOtherProfilesFlow) {
  const auto report = observe({leg(1, 2, 0.1, 4000)});
  EXPECT_NEAR(report.legs[0].u.forecast, 0, 1e-6);
  EXPECT_NEAR(report.legs[0].u.forecast_spread, 1, 1e-6);
}

TEST_F(Diving, LegDistanceUsesTheLegsProfile) {
  const EnvironmentReader sea = read_profiles(folder_ / "sea.h5", {"up", "down"});
  const double up = 0.9 / std::sqrt(1 + error * error);
  const double down = (0.9 - 0.3) / std::sqrt(4 + error * error);
  EXPECT_NEAR(distance_from_forecast(leg(0, 2, 0.9), sea, 1).value(), up, 1e-6);
  EXPECT_NEAR(distance_from_forecast(leg(1, 2, 0.9), sea, 1).value(), down, 1e-6);
}

/// The forecast has no variance across the flow. A dive with a current across it adds a mode to
/// both profiles, the same as with a forecast of only the deep flow.
TEST_F(Diving, AddedModeIsTheSameAtAllDepths) {
  PosteriorOptions options;
  options.added_mode_length = 3000;
  ObservedLeg across = leg(1, 2, 0.3);
  across.v = 2;
  const auto report = observe({across}, {"up", "down"}, "sea.h5", "post.h5", options);
  EXPECT_TRUE(report.mode_added);
  EXPECT_THAT(report.notes, testing::Contains(HasSubstr("the same at all depths")));
  EXPECT_GT(report.legs[0].v.posterior, 1);
  const LevelFields<> up = level("post.h5", "up");
  const LevelFields<> down = level("post.h5", "down");
  across.profile.reset();
  (void)observe({across}, {"down"}, "sea.h5", "alone.h5", options);
  const LevelFields<> deep_only = level("alone.h5", "down");
  constexpr std::size_t cells = 30;
  ASSERT_EQ(up.v_mode.size(), 2 * cells);
  ASSERT_EQ(deep_only.v_mode.size(), 2 * cells);
  for (std::size_t n = 0; n < cells; ++n) {
    EXPECT_EQ(up.u_mode[n], 1);
    const bool dry = n % 6 >= 4;
    EXPECT_EQ(down.u_mode[n], dry ? 0 : -2);
    EXPECT_NE(up.v_mode[cells + n], 0);
    EXPECT_EQ(down.v_mode[cells + n], dry ? 0 : up.v_mode[cells + n]);
    EXPECT_EQ(down.u_mode[cells + n], dry ? 0 : up.u_mode[cells + n]);
    EXPECT_EQ(deep_only.v_mode[cells + n], down.v_mode[cells + n]);
  }
  EXPECT_GT(up.v_mean[13], 1);
  EXPECT_EQ(up.v_mean[13], down.v_mean[13]);
}

/// Reads tables with positions in the plane.
class DivingTable : public Diving {
 protected:
  ObservedTrack read(const std::string& text, const TrackOptions& options = {}) const {
    std::ofstream(folder_ / "track.csv") << text;
    return read_track(folder_ / "track.csv", read_profiles(folder_ / "sea.h5", {"up", "down"}),
                      options);
  }
  static std::vector<std::int32_t> profiles(const ObservedTrack& track) {
    std::vector<std::int32_t> numbers;
    for (const ObservedLeg& leg : track.legs) numbers.push_back(leg.profile.value());
    return numbers;
  }
};

TEST_F(DivingTable, GivesDepthsDuringOrAfterADive) {
  const auto at_end = read(
      "time,x,y,u,v,depth\n0,1000,1000,,,\n3600,2000,1000,0.1,0,40\n7200,3000,1000,0.2,0,930\n");
  EXPECT_THAT(profiles(at_end), ElementsAre(0, 1));
  EXPECT_EQ(at_end.legs[1].depth, 930);
  // Depths are in rows between fixes, and 0 at the surface.
  const auto under_way = read(
      "time,x,y,u,v,m_depth\n0,1000,1000,,,0\n1000,,,,,35\n3600,2000,1000,0.1,0,0\n"
      "4600,,,,,400\n5600,,,,,880\n7200,3000,1000,0.2,0,1\n");
  EXPECT_THAT(profiles(under_way), ElementsAre(0, 1));
  EXPECT_EQ(under_way.legs[1].depth, 880);
  EXPECT_THAT(under_way.columns, HasSubstr("depth is m_depth"));
}

TEST_F(DivingTable, NamesTheProfileOfTheLastOrTheNextDive) {
  const auto currents = read(
      "time,x,y,u,v,profile\n0,1000,1000,,,\n3600,2000,1000,0.1,0,down\n7200,3000,1000,0.2,0,up\n");
  EXPECT_THAT(profiles(currents), ElementsAre(1, 0));
  const auto steered = read(
      "time,x,y,speed,heading,profile\n0,1000,1000,0.1,0,down\n3600,2000,1000,0.1,0,up\n"
      "7200,3000,1000,,,\n");
  EXPECT_THAT(profiles(steered), ElementsAre(1, 0));
  EXPECT_THAT(
      [&] {
        read(
            "time,x,y,u,v,profile\n0,1000,1000,,,\n3600,2000,1000,0.1,0,down\n"
            "7200,3000,1000,0.2,0,deep\n");
      },
      ThrowsMessage<InputError>(test::has_code("track_profile_unknown", "line 4")));
  // A profile of another vehicle is ignored; the depth decides.
  EXPECT_THAT(profiles(read("time,x,y,u,v,profile,depth\n0,1000,1000,,,,\n"
                            "3600,2000,1000,0.1,0,17,900\n")),
              ElementsAre(1));
}

TEST_F(DivingTable, NeedsAProfileWithoutDepthOrName) {
  const std::string text = "time,x,y,u,v\n0,1000,1000,,\n3600,2000,1000,0.1,0\n";
  EXPECT_THAT([&] { read(text); },
              ThrowsMessage<InputError>(test::has_code("track_profile_missing", "line")));
  TrackOptions options;
  options.profile = "down";
  EXPECT_THAT(profiles(read(text, options)), ElementsAre(1));
  options.profile = "deep";
  EXPECT_THAT([&] { read(text, options); },
              ThrowsMessage<InputError>(
                  test::has_code("track_profile_option_invalid", "the profiles up, down")));
  // A drifter is at the surface, whatever profile the option names.
  options.profile = "down";
  options.drifter = true;
  EXPECT_THAT(profiles(read(text, options)), ElementsAre(0));
  options.drifter = false;
  EXPECT_THAT(
      [&] {
        read_track(folder_ / "track.csv", read_profiles(folder_ / "sea.h5", {"down"}), options);
      },
      ThrowsMessage<InputError>(
          test::has_code("track_profile_option_invalid", "this one is at one")));
  // A forecast that is read at one depth needs no profile.
  const auto deep_only =
      read_track(folder_ / "track.csv", read_profiles(folder_ / "sea.h5", {"down"}), {});
  EXPECT_FALSE(deep_only.legs.at(0).profile);
}

/// A vehicle with a single profile uses it at any depth, but a drifter remains at the surface.
TEST_F(DivingTable, UsesTheVehiclesOnlyProfile) {
  const std::string text =
      "time,x,y,u,v,depth\n0,1000,1000,,,\n3600,2000,1000,0.1,0,40\n7200,3000,1000,0.2,0,\n";
  std::ofstream(folder_ / "track.csv") << text;
  const auto read = [&](const std::vector<std::string>& profiles, const TrackOptions& options) {
    return read_track(folder_ / "track.csv", read_profiles(folder_ / "sea.h5", profiles), options);
  };
  TrackOptions options;
  options.dived_profiles = 1;
  EXPECT_THAT(profiles(read({"down", "up"}, options)), ElementsAre(0, 0));
  options.drifter = true;
  const auto drifter = read({"down", "up"}, options);
  EXPECT_THAT(profiles(drifter), ElementsAre(1, 1));
  EXPECT_TRUE(drifter.notes.empty()) << drifter.notes.front();
  // A note is given if the forecast has no level near the surface.
  EXPECT_THAT(read({"down"}, options).notes,
              ElementsAre(HasSubstr("are compared with the profile down (0:1000)")));
}

}  // namespace
}  // namespace tidewise

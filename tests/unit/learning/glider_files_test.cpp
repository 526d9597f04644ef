// Real files of gliders (../shared/data/gliders), and generated ones with what real ones lack.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "base/error.h"
#include "coastal_forecast.h"
#include "learning/track/track.h"
#include "support/error_code.h"
#include "support/ocean/netcdf_fixture.h"
#include "support/shared_data.h"
#include "support/temporary_folder.h"

namespace tidewise {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

constexpr const char* epoch = "seconds since 1970-01-01T00:00:00Z";
constexpr double forecast_start = 1730073600;  // start of CoastalForecast [s since 1970]

class GliderFiles : public testing::Test {
 protected:
  GliderFiles() { test::CoastalForecast{}.write(folder_ / "sea.h5"); }

  EnvironmentReader sea() const { return EnvironmentReader(folder_ / "sea.h5"); }
  std::filesystem::path write(const std::string& name, const test::NetcdfFixture& file) const {
    file.write(folder_ / name);
    return folder_ / name;
  }
  static test::NetcdfFixture::Variable numbers(const std::string& name,
                                               const std::string& dimension,
                                               std::vector<double> values,
                                               const std::string& units) {
    return {.name = name,
            .type = NC_DOUBLE,
            .dimensions = dimension.empty() ? std::vector<std::string>{}
                                            : std::vector<std::string>{dimension},
            .values = std::move(values),
            .texts = {{"units", units}},
            .numbers = {}};
  }
  static test::NetcdfFixture::Variable flag(const std::string& name, char value) {
    return {.name = name,
            .type = NC_CHAR,
            .dimensions = {"string_1"},
            .values = {static_cast<double>(value)},
            .texts = {},
            .numbers = {}};
  }
  /// A dive of a Seaglider from hour 1 to hour 4 after the forecast begins.
  static test::NetcdfFixture dive(double number = 12) {
    test::NetcdfFixture file;
    file.dimensions = {{"gps_info", 3}, {"string_1", 1}};
    const double begin = forecast_start;
    file.variables = {
        numbers("log_gps_time", "gps_info", {begin + 3600, begin + 3900, begin + 14400}, epoch),
        numbers("log_gps_lat", "gps_info", {47.02, 47.021, 47.05}, "degrees_north"),
        numbers("log_gps_lon", "gps_info", {-125.98, -125.979, -125.95}, "degrees_east"),
        numbers("log_DIVE", "", {number}, "1"),
        numbers("depth_avg_curr_east", "", {0.12}, "m/s"),
        numbers("depth_avg_curr_north", "", {-0.05}, "m/s")};
    return file;
  }
  /// A profile of a data assembly centre with `times` [s after the forecast's start], and with a
  /// current at hour 3.
  static test::NetcdfFixture profile(std::vector<double> times) {
    test::NetcdfFixture file;
    file.dimensions = {{"time", times.size()}};
    const std::vector<double> latitudes(times.size(), 47.03);
    const std::vector<double> longitudes(times.size(), -125.97);
    for (double& time : times) time += forecast_start;
    file.variables = {numbers("time", "time", times, epoch),
                      numbers("lat", "time", latitudes, "degrees_north"),
                      numbers("lon", "time", longitudes, "degrees_east"),
                      numbers("profile_id", "", {3}, "1"),
                      numbers("profile_time", "", {times[0]}, epoch),
                      numbers("profile_lat", "", {47.03}, "degrees_north"),
                      numbers("profile_lon", "", {-125.97}, "degrees_east"),
                      numbers("time_uv", "", {forecast_start + 3 * 3600}, epoch),
                      numbers("lat_uv", "", {47.04}, "degrees_north"),
                      numbers("lon_uv", "", {-125.96}, "degrees_east"),
                      numbers("u", "", {0.2}, "m s-1"),
                      numbers("v", "", {0.1}, "m s-1")};
    return file;
  }

  const test::TemporaryFolder folder_;
};

TEST_F(GliderFiles, ADiveHasItsNumberAndItsError) {
  auto file = dive();
  file.variables.push_back(numbers("depth_avg_curr_error", "", {0.04}, "m/s"));
  file.variables.push_back(flag("depth_avg_curr_qc", '1'));
  const auto track = read_track(write("p0050012.nc", file), sea(), {});
  ASSERT_EQ(track.legs.size(), 1u);
  EXPECT_EQ(track.legs[0].dive, 12);
  EXPECT_NEAR(track.legs[0].u, 0.12, 1e-3);
  EXPECT_NEAR(track.legs[0].error_u, std::hypot(0.04, 0.03), 1e-12);
  EXPECT_EQ(track.file_kind, "a Seaglider's dive file");
  EXPECT_TRUE(track.notes.empty());
}

TEST_F(GliderFiles, RespectQualityFlags) {
  auto bad_current = dive();
  bad_current.variables.push_back(flag("depth_avg_curr_qc", '4'));
  EXPECT_THAT(
      [&] { read_track(write("a.nc", bad_current), sea(), {}); },
      ThrowsMessage<InputError>(testing::AllOf(HasSubstr("no leg observes the current"),
                                               HasSubstr("flagged bad by depth_avg_curr_qc"),
                                               testing::Not(HasSubstr("--column")))));
  // The last fix of a track suffices if no current is to be learned.
  const auto last_fixes =
      read_observations({.tracks = {write("a.nc", bad_current)}}, sea(), {}, WithoutLegs::last_fix);
  ASSERT_EQ(last_fixes.size(), 1u);
  EXPECT_EQ(last_fixes[0].last.time, read_track(write("d.nc", dive()), sea(), {}).last.time);
  // If another dive has a current, a note reports the flag.
  auto next_dive = dive(13);
  for (double& time : next_dive.variable("log_gps_time").values) time += 10800;
  const auto tracks = read_observations(
      {.tracks = {write("a.nc", bad_current), write("b.nc", next_dive)}}, sea(), {});
  ASSERT_EQ(tracks.size(), 2u);
  EXPECT_TRUE(tracks[0].legs.empty());
  EXPECT_THAT(tracks[0].notes.front(), HasSubstr("flagged bad by depth_avg_curr_qc"));
  ASSERT_EQ(tracks[1].legs.size(), 1u);
  // Without the fix at the dive's beginning, the dive begins at the fix before.
  auto bad_fix = dive();
  bad_fix.variables.push_back(flag("GPS2_qc", '4'));
  bad_fix.variables.push_back(flag("GPSE_qc", '1'));
  const auto track = read_track(write("c.nc", bad_fix), sea(), {});
  ASSERT_EQ(track.legs.size(), 1u);
  EXPECT_EQ(track.legs[0].leg.times[0], 3600);
  EXPECT_THAT(track.notes.front(), HasSubstr("fix 2 of 3 is flagged bad by GPS2_qc"));
}

TEST_F(GliderFiles, MayBeInAnyOrderAndBeforeTheForecast) {
  auto early = dive(11);
  for (double& time : early.variable("log_gps_time").values) time -= 8 * 3600;
  auto later = dive(13);
  for (double& time : later.variable("log_gps_time").values) time += 10800;
  for (double& latitude : later.variable("log_gps_lat").values) latitude += 0.01;
  later.variable("depth_avg_curr_east").values = {0.15};
  const std::vector<std::filesystem::path> files{write("l.nc", later), write("e.nc", early),
                                                 write("m.nc", dive())};
  const auto tracks = read_observations({.tracks = files}, sea(), {});
  ASSERT_EQ(tracks.size(), 3u);
  EXPECT_THAT(tracks[0].notes,
              ElementsAre(HasSubstr("no leg lies within the environment's times")));
  EXPECT_EQ(tracks[1].legs.at(0).dive, 12);
  EXPECT_EQ(tracks[2].legs.at(0).dive, 13);
  for (const WithoutLegs mode : {WithoutLegs::refused, WithoutLegs::last_fix}) {
    EXPECT_THAT([&] { read_observations({.tracks = {files[1]}}, sea(), {}, mode); },
                ThrowsMessage<InputError>(test::has_code("track_outside_forecast")));
  }
}

TEST_F(GliderFiles, CountTheCurrentOfManyRowsOnce) {
  // In OG1, few rows have fixes, and rows between have the current. Here the surfacing between
  // dives 2 and 3 has no fix, so the leg has their mean over time: 2 h of 0.1 and 1 h of 0.4.
  test::NetcdfFixture file;
  file.dimensions = {{"N_MEASUREMENTS", 10}};
  const auto nan = std::numeric_limits<double>::quiet_NaN();
  std::vector<double> times{0, 600, 1200, 1800, 2400, 2700, 6300, 9900, 13500, 13500};
  for (double& time : times) time += forecast_start;
  file.variables = {
      numbers("TIME", "N_MEASUREMENTS", times, epoch),
      numbers("LATITUDE_GPS", "N_MEASUREMENTS",
              {47.02, nan, nan, nan, 47.03, 47.031, nan, nan, nan, 47.05}, "degrees_north"),
      numbers("LONGITUDE_GPS", "N_MEASUREMENTS",
              {-125.98, nan, nan, nan, -125.97, -125.969, nan, nan, nan, -125.95}, "degrees_east"),
      numbers("divenum", "N_MEASUREMENTS", {1, 1, 1, 1, 1, 2, 2, 2, 3, 3}, "1"),
      // Some files also have the current on rows with fixes.
      numbers("DAVG_CURR_EAST", "N_MEASUREMENTS",
              {0.3, 0.3, 0.3, 0.3, 0.3, 0.1, 0.1, 0.1, 0.4, 0.4}, "m/s"),
      numbers("DAVG_CURR_NORTH", "N_MEASUREMENTS", {0, 0, 0, 0, 0, 0, 0, 0, 0, 0}, "m/s")};
  const auto track = read_track(write("og1.nc", file), sea(), {});
  ASSERT_EQ(track.legs.size(), 2u);
  EXPECT_NEAR(track.legs[0].u, 0.3, 1e-3);
  EXPECT_EQ(track.legs[0].dive, 1);
  EXPECT_EQ(track.legs[1].leg.times[0], 2700);  // not the 300 s at the surface
  EXPECT_NEAR(track.legs[1].u, (2 * 0.1 + 0.4) / 3, 1e-3);
  EXPECT_EQ(track.file_kind, "an OG1 file");
}

TEST_F(GliderFiles, CountACurrentOfManyProfilesOnceForTheWholeDive) {
  const auto down = write("down.nc", profile({3600, 7200}));       // reaches 2 h before hour 3
  const auto up = write("up.nc", profile({12000, 13000, 14000}));  // reaches 0.9 h after it
  for (const auto& order : {std::vector{down, up}, std::vector{up, down}}) {
    const auto tracks = read_observations({.tracks = order}, sea(), {});
    std::vector<ObservedLeg> legs;
    for (const auto& track : tracks) legs.insert(legs.end(), track.legs.begin(), track.legs.end());
    ASSERT_EQ(legs.size(), 1u);
    EXPECT_EQ(legs[0].leg.times[0], 3600);
    EXPECT_EQ(legs[0].leg.times[1], 5 * 3600);
    EXPECT_NEAR(legs[0].u, 0.2, 1e-3);
  }
  // The last position is that of the last fix, not that of the current.
  const auto track =
      read_track(write("last.nc", profile({3600, 5 * 3600 - 60, 5 * 3600})), sea(), {});
  EXPECT_EQ(track.last.time, 5 * 3600);
  auto flagged = profile({3600, 7200});
  flagged.variables.push_back(numbers("u_qc", "", {3}, "1"));
  EXPECT_THAT([&] { read_track(write("flagged.nc", flagged), sea(), {}); },
              ThrowsMessage<InputError>(test::has_code("track_currents_missing")));
}

/// Files with the depths of dives, in a forecast of two profiles.
class DivingGliderFiles : public GliderFiles {
 protected:
  DivingGliderFiles() { write_sea("sea.h5", test::CoastalForecast::info(), {}); }
  void write_sea(const std::string& name, EnvironmentInfo info, test::CoastalForecast sea) const {
    info.profiles = {{"shallow", "0:200"}, {"deep", "0:1000"}};
    sea.write(folder_ / name, info);
  }
  EnvironmentReader sea(const std::string& name = "sea.h5") const {
    EnvironmentReader reader(folder_ / name);
    reader.choose_profiles({"shallow", "deep"});
    return reader;
  }
};

TEST_F(DivingGliderFiles, ADivesDepthMayHaveAnotherDimension) {
  for (const auto& [deepest, profile] : {std::pair(150.0, 0), std::pair(950.0, 1)}) {
    auto file = dive();
    file.dimensions.push_back({"sg_data_point", 5});
    file.variables.push_back(numbers("depth", "sg_data_point", {1, 100, deepest, 80, 2}, "meters"));
    const auto track = read_track(write("dive.nc", file), sea(), {});
    ASSERT_EQ(track.legs.size(), 1u);
    EXPECT_EQ(track.legs[0].depth, deepest);
    EXPECT_EQ(track.legs[0].profile, profile);
  }
  EXPECT_THAT([&] { read_track(write("dive.nc", dive()), sea(), {}); },
              ThrowsMessage<InputError>(test::has_code("track_profile_missing")));
}

TEST_F(DivingGliderFiles, ADivesDepthIsTheGreatestOfItsRows) {
  const auto nan = std::numeric_limits<double>::quiet_NaN();
  test::NetcdfFixture file;
  file.dimensions = {{"N_MEASUREMENTS", 7}};
  std::vector<double> times{0, 1800, 3600, 3900, 7200, 9000, 10800};
  for (double& time : times) time += forecast_start;
  file.variables = {
      numbers("TIME", "N_MEASUREMENTS", times, epoch),
      numbers("LATITUDE_GPS", "N_MEASUREMENTS", {47.02, nan, 47.03, nan, nan, nan, 47.05},
              "degrees_north"),
      numbers("LONGITUDE_GPS", "N_MEASUREMENTS", {-125.98, nan, -125.97, nan, nan, nan, -125.95},
              "degrees_east"),
      numbers("DEPTH", "N_MEASUREMENTS", {0, 120, 0, 300, 990, 200, 0}, "m"),
      numbers("DAVG_CURR_EAST", "N_MEASUREMENTS", {nan, 0.3, nan, 0.1, 0.1, 0.1, nan}, "m/s"),
      numbers("DAVG_CURR_NORTH", "N_MEASUREMENTS", {nan, 0, nan, 0, 0, 0, nan}, "m/s")};
  const auto track = read_track(write("og1.nc", file), sea(), {});
  ASSERT_EQ(track.legs.size(), 2u);
  EXPECT_EQ(track.legs[0].depth, 120);
  EXPECT_EQ(track.legs[0].profile, 0);
  EXPECT_EQ(track.legs[1].depth, 990);
  EXPECT_EQ(track.legs[1].profile, 1);
}

TEST_F(DivingGliderFiles, AProfilesDepthIsTheGreatestOfItsRows) {
  auto file = profile({3600, 7200, 10800});
  file.variables.push_back(numbers("depth", "time", {5, 960, 400}, "m"));
  const auto track = read_track(write("ngdac.nc", file), sea(), {});
  ASSERT_EQ(track.legs.size(), 1u);
  EXPECT_EQ(track.legs[0].depth, 960);
  EXPECT_EQ(track.legs[0].profile, 1);
}

TEST_F(DivingGliderFiles, RealDivesHaveDepths) {
  TIDEWISE_REQUIRE_SHARED_DATA(path, "gliders/p0050003_20080606.nc");
  auto info = test::CoastalForecast::info();
  info.time_units = "seconds since 2008-06-06T12:00:00";
  info.time.step = 7200;
  info.grid.dx = info.grid.dy = 2000;
  write_sea("iceland.h5", info, {.west = -9, .south = 61.3});
  const auto track = read_track(path, sea("iceland.h5"), {});
  ASSERT_EQ(track.legs.size(), 1u);
  EXPECT_NEAR(track.legs[0].depth.value(), 819.2838042105379, 1e-9) << "as netCDF4 reads it";
  EXPECT_EQ(track.legs[0].profile, 1);
}

TEST_F(DivingGliderFiles, RealOg1DivesHaveDepths) {
  TIDEWISE_REQUIRE_SHARED_DATA(path, "gliders/sg033_20100903T182416_delayed.nc");
  auto info = test::CoastalForecast::info();
  info.time_units = "seconds since 2010-09-03T12:00:00";
  info.time.step = 8 * 3600;
  info.grid.dx = info.grid.dy = 8000;
  write_sea("puerto.h5", info, {.west = -66.6, .south = 18});
  const auto track = read_track(path, sea("puerto.h5"), {});
  // The greatest DEPTH of each divenum, as read by netCDF4.
  const std::vector<double> deepest{56.89,  51.66,  692.78, 492.13, 354.84, 494.28,
                                    544.44, 605.49, 745.1,  731.12, 983.33, 1148.25,
                                    904.14, 663.29, 511.71, 461.63, 382.03, 527.61};
  ASSERT_EQ(track.legs.size(), deepest.size());
  for (std::size_t n = 0; n < deepest.size(); ++n) {
    EXPECT_NEAR(track.legs[n].depth.value(), deepest[n], 0.01) << n;
    EXPECT_EQ(track.legs[n].profile, deepest[n] > 600 ? 1 : 0);
  }
}

TEST_F(GliderFiles, RealSeagliderDivesHaveCurrents) {
  TIDEWISE_REQUIRE_SHARED_DATA(three, "gliders/p0050003_20080606.nc");
  TIDEWISE_REQUIRE_SHARED_DATA(four, "gliders/p0050004_20080607.nc");
  TIDEWISE_REQUIRE_SHARED_DATA(five, "gliders/p0050005_20080607.nc");
  auto info = test::CoastalForecast::info();
  info.time_units = "seconds since 2008-06-06T12:00:00";
  info.time.step = 7200;
  info.grid.dx = info.grid.dy = 2000;
  test::CoastalForecast sea;
  sea.west = -9;
  sea.south = 61.3;
  sea.write(folder_ / "iceland.h5", info);
  const auto tracks = read_observations({.tracks = {five, three, four}},
                                        EnvironmentReader(folder_ / "iceland.h5"), {});
  ASSERT_EQ(tracks.size(), 3u);
  const double begin = 1212753600;
  // GPS2 and GPSE of log_gps_time, depth_avg_curr_east and _north, as read by h5py and netCDF4.
  const double expected[][4] = {{1212785205, 1212797942, -0.24259053935544708, 0.4701314509685822},
                                {1212798309, 1212811118, -0.25061154428278726, 0.4104189752412605},
                                {1212811413, 1212826118, -0.3555869993736367, 0.1847780307032517}};
  for (std::size_t n = 0; n < 3; ++n) {
    ASSERT_EQ(tracks[n].legs.size(), 1u);
    const ObservedLeg& leg = tracks[n].legs[0];
    EXPECT_EQ(leg.dive, 3 + static_cast<double>(n));
    EXPECT_EQ(leg.leg.times[0], expected[n][0] - begin);
    EXPECT_EQ(leg.leg.times[1], expected[n][1] - begin);
    EXPECT_NEAR(leg.u, expected[n][2], 0.005);  // north deviates from +y by tenths of a degree
    EXPECT_NEAR(leg.v, expected[n][3], 0.005);
    EXPECT_NEAR(std::hypot(leg.u, leg.v), std::hypot(expected[n][2], expected[n][3]), 1e-9);
    EXPECT_TRUE(tracks[n].notes.empty());
  }
}

TEST_F(GliderFiles, RealOg1FileHasEighteenCurrents) {
  TIDEWISE_REQUIRE_SHARED_DATA(path, "gliders/sg033_20100903T182416_delayed.nc");
  auto info = test::CoastalForecast::info();
  info.time_units = "seconds since 2010-09-03T12:00:00";
  info.time.step = 8 * 3600;
  info.grid.dx = info.grid.dy = 8000;
  test::CoastalForecast sea;
  sea.west = -66.6;
  sea.south = 18;
  sea.write(folder_ / "puerto.h5", info);
  const auto track = read_track(path, EnvironmentReader(folder_ / "puerto.h5"), {});
  EXPECT_EQ(track.fixes, 57u);
  ASSERT_EQ(track.legs.size(), 18u);
  for (std::size_t n = 0; n < 18; ++n) {
    EXPECT_EQ(track.legs[n].dive, n < 17 ? n + 1.0 : 19.0);  // dive 18 has no current
  }
  EXPECT_EQ(track.legs[0].leg.times[0] + 1283515200, 1283538212);
  EXPECT_EQ(track.legs[0].leg.times[1] + 1283515200, 1283539830);
  EXPECT_NEAR(std::hypot(track.legs[0].u, track.legs[0].v), std::hypot(-0.03735528, -0.17158869),
              1e-6);
  EXPECT_THAT(track.notes, ElementsAre("dive 18 has no current, and was left out"));
}

}  // namespace
}  // namespace tidewise

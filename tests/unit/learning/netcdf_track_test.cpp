// NetCDF tracks in the layouts of glider centres' files and of the program's own flights.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <tuple>

#include "base/error.h"
#include "coastal_forecast.h"
#include "learning/track/track.h"
#include "support/error_code.h"
#include "support/ocean/netcdf_fixture.h"
#include "support/temporary_folder.h"

namespace tidewise {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

class NetcdfTrack : public testing::Test {
 protected:
  NetcdfTrack() { test::CoastalForecast{}.write(folder_ / "sea.h5"); }

  ObservedTrack read(const test::NetcdfFixture& file, const TrackOptions& options = {}) const {
    file.write(folder_ / "track.nc");
    return read_track(folder_ / "track.nc", EnvironmentReader(folder_ / "sea.h5"), options);
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

  const test::TemporaryFolder folder_;
};

TEST_F(NetcdfTrack, ReadsASeaglidersDive) {
  // Three fixes around a dive, one depth-averaged current, and many dead-reckoned positions.
  test::NetcdfFixture file;
  file.dimensions = {{"gps_info", 3}, {"sg_data_point", 5}};
  const std::string epoch = "seconds since 1970-01-01T00:00:00Z";
  file.variables = {
      numbers("log_gps_time", "gps_info", {1730077200, 1730077800, 1730088600}, epoch),
      numbers("log_gps_lat", "gps_info", {47.02, 47.021, 47.05}, "degrees_north"),
      numbers("log_gps_lon", "gps_info", {-125.98, -125.979, -125.95}, "degrees_east"),
      numbers("time", "sg_data_point", {1730077800, 1730080000, 1730082000, 1730084000, 1730088000},
              epoch),
      numbers("latitude", "sg_data_point", {47.02, 47.03, 47.04, 47.045, 47.05}, "degrees_north"),
      numbers("longitude", "sg_data_point", {-125.98, -125.97, -125.96, -125.955, -125.95},
              "degrees_east"),
      numbers("depth_avg_curr_east", "", {0.12}, "meters/sec"),
      numbers("depth_avg_curr_north", "", {-0.05}, "meters/sec"),
      numbers("depth_avg_curr_error", "", {0.04}, "meters/sec")};
  const auto track = read(file);
  ASSERT_EQ(track.legs.size(), 1u);  // the dive
  EXPECT_NEAR(track.legs[0].u, 0.12, 1e-3);
  EXPECT_NEAR(track.legs[0].v, -0.05, 1e-3);
  EXPECT_NEAR(track.legs[0].error_u, 0.05, 1e-12);
  EXPECT_EQ(track.legs[0].leg.times[0], 1730077800 - 1730073600);
  EXPECT_THAT(track.columns, HasSubstr("time is log_gps_time"));
}

TEST_F(NetcdfTrack, ReadsAProfilesCurrent) {
  // One profile of a data assembly centre: the current has its own time and position.
  test::NetcdfFixture file;
  file.dimensions = {{"time", 4}};
  const std::string epoch = "seconds since 1970-01-01T00:00:00Z";
  file.variables = {
      numbers("time", "time", {1730084000, 1730084100, 1730084200, 1730084300}, epoch),
      numbers("lat", "time", {47.03, 47.03, 47.03, 47.03}, "degrees_north"),
      numbers("lon", "time", {-125.97, -125.97, -125.97, -125.97}, "degrees_east"),
      numbers("time_uv", "", {1730084400}, epoch),
      numbers("lat_uv", "", {47.03}, "degrees_north"),
      numbers("lon_uv", "", {-125.97}, "degrees_east"),
      numbers("u", "", {0.2}, "m s-1"),
      numbers("v", "", {0.1}, "m s-1")};
  // The profile begins 400 s before the current's time; the dive is assumed to end 400 s after it.
  const auto by_rows = read(file);
  ASSERT_EQ(by_rows.legs.size(), 1u);
  EXPECT_EQ(by_rows.legs[0].leg.times[0], 1730084000 - 1730073600);
  EXPECT_EQ(by_rows.legs[0].leg.times[1], 1730084800 - 1730073600);
  EXPECT_THAT(by_rows.kind, HasSubstr("over 0.222 h by its rows"));
  TrackOptions options;
  options.averaged_over = 7200;
  const auto track = read(file, options);
  ASSERT_EQ(track.legs.size(), 1u);
  EXPECT_NEAR(track.legs[0].u, 0.2, 1e-3);
  EXPECT_EQ(track.legs[0].leg.times[0], 1730084400 - 3600 - 1730073600);
  EXPECT_EQ(track.legs[0].leg.times[1], 1730084400 + 3600 - 1730073600);
  // The current's time without rows does not give an averaging time.
  file.variables.erase(file.variables.begin(), file.variables.begin() + 3);
  file.dimensions.clear();
  EXPECT_THAT([&] { read(file); },
              ThrowsMessage<InputError>(test::has_code("track_current_duration_unknown")));
}

/// A drifter with a fix per hour moves east at 0.15 m/s. Fix 2 is off by 1 km, and is flagged.
class FlaggedTrack : public NetcdfTrack {
 protected:
  static test::NetcdfFixture drift() {
    test::NetcdfFixture file;
    file.dimensions = {{"obs", 5}};
    std::vector<double> times;
    std::vector<double> longitudes;
    for (int n = 0; n < 5; ++n) {
      times.push_back(1730077200 + 3600.0 * n);
      longitudes.push_back(-125.98 + (540.0 * n + (n == 2 ? 1000 : 0)) /
                                         (111195 * std::cos(47 * 0.0174532925)));
    }
    file.variables = {
        numbers("TIME", "obs", times, "seconds since 1970-01-01T00:00:00Z"),
        numbers("LATITUDE", "obs", {47.03, 47.03, 47.03, 47.03, 47.03}, "degrees_north"),
        numbers("LONGITUDE", "obs", longitudes, "degrees_east")};
    return file;
  }
  static test::NetcdfFixture::Variable flags(const std::string& name, std::vector<double> values,
                                             nc_type type = NC_BYTE) {
    return {.name = name,
            .type = type,
            .dimensions = {"obs"},
            .values = std::move(values),
            .texts = {},
            .numbers = {}};
  }
  std::vector<double> currents(const test::NetcdfFixture& file) const {
    TrackOptions options;
    options.drifter = true;
    std::vector<double> velocities;
    for (const ObservedLeg& leg : read(file, options).legs) velocities.push_back(leg.u);
    return velocities;
  }
};

TEST_F(FlaggedTrack, LeavesOutFixesByFlagsOfAnyName) {
  using testing::DoubleNear;
  using testing::Each;
  EXPECT_THAT(currents(drift()), testing::Not(Each(DoubleNear(0.15, 0.01)))) << "without flags";
  for (const char* name : {"POSITION_QC", "LONGITUDE_QC", "latitude_qc", "QC_LONGITUDE", "pos_qc",
                           "location_flag", "TIME_QC", "LATITUDE_qartod_location_test",
                           "qartod_longitude_primary_flag", "position_quality_flag", "qc_flag"}) {
    auto file = drift();
    file.variables.push_back(flags(name, {1, 2, 4, 0, 5}));
    EXPECT_THAT(currents(file), Each(DoubleNear(0.15, 0.001))) << name;
    EXPECT_EQ(currents(file).size(), 3u) << name;
  }
  // Flags may be digits as text.
  auto text = drift();
  text.variables.push_back(flags("POSITION_QC", {'1', '1', '4', '1', '1'}, NC_CHAR));
  EXPECT_THAT(currents(text), Each(DoubleNear(0.15, 0.001)));
  // Flags of other variables are ignored.
  auto other = drift();
  other.variables.push_back(flags("TEMP_QC", {4, 4, 1, 4, 4}));
  EXPECT_EQ(currents(other).size(), 4u);
}

TEST_F(FlaggedTrack, InterpretsFlagsByTheirMeanings) {
  using testing::DoubleNear;
  using testing::Each;
  // The position refers to these flags, which have an unusual name and numbers in reverse order.
  auto file = drift();
  file.variable("LONGITUDE")
      .texts.emplace_back("ancillary_variables", "accuracy lonlat_grade_flag");
  auto grade = flags("lonlat_grade_flag", {4, 4, 1, 3, 4});
  grade.numbers = {{"flag_values", NC_BYTE, {1, 3, 4}}};
  grade.texts = {{"flag_meanings", "bad probably_good good"}};
  file.variables.push_back(grade);
  EXPECT_THAT(currents(file), Each(DoubleNear(0.15, 0.001)));
  EXPECT_EQ(currents(file).size(), 3u);
  // Flags may be bits; the second one marks a failure.
  auto masked = drift();
  auto bits = flags("POSITION_QC", {0, 1, 2, 1, 0});
  bits.numbers = {{"flag_masks", NC_BYTE, {1, 2}}};
  bits.texts = {{"flag_meanings", "interpolated failed_speed_test"}};
  masked.variables.push_back(bits);
  EXPECT_THAT(currents(masked), Each(DoubleNear(0.15, 0.001)));
  // A Seaglider's base station writes characters and these meanings.
  auto seaglider = drift();
  auto characters = flags("POSITION_QC", {'1', '0', '6', '8', '2'}, NC_CHAR);
  characters.texts = {{"flag_values", "012345689"},
                      {"flag_meanings",
                       "QC_NO_CHANGE QC_GOOD QC_PROBABLY_GOOD QC_PROBABLY_BAD QC_BAD QC_CHANGED "
                       "QC_UNSAMPLED QC_INTERPOLATED QC_MISSING"}};
  seaglider.variables.push_back(characters);
  EXPECT_THAT(currents(seaglider), Each(DoubleNear(0.15, 0.001)));
  EXPECT_EQ(currents(seaglider).size(), 3u);
}

TEST_F(FlaggedTrack, LeavesOutCurrentsByFlagsOfAnyName) {
  for (const auto& [u, v, flag] :
       {std::tuple("DAVG_CURR_EAST", "DAVG_CURR_NORTH", "DAVG_CURR_QC"),
        {"depth_avg_curr_east", "depth_avg_curr_north", "depth_avg_curr_qc"},
        {"u", "v", "v_qc"},
        {"water_u", "water_v", "water_u_qc"},
        {"WATERCURRENTS_U", "WATERCURRENTS_V", "WATERCURRENTS_QC"},
        {"u_dac", "v_dac", "dac_flag"},
        {"m_final_water_vx", "m_final_water_vy", "m_final_water_vx_qc"},
        {"current_east", "current_north", "qartod_current_north_spike_flag"}}) {
    auto file = drift();
    file.variables.push_back(numbers(u, "obs", {.1, .2, .3, .4, .5}, "m s-1"));
    file.variables.push_back(numbers(v, "obs", {0, 0, 0, 0, 0}, "m s-1"));
    EXPECT_EQ(read(file).legs.size(), 4u) << flag;
    file.variables.push_back(flags(flag, {1, 1, 3, 1, 9}));
    const auto track = read(file);
    ASSERT_EQ(track.legs.size(), 2u) << flag;
    EXPECT_NEAR(track.legs[0].u, 0.2, 1e-3) << flag;
    EXPECT_NEAR(track.legs[1].u, 0.4, 1e-3) << flag;
    EXPECT_THAT(track.notes, testing::Contains(HasSubstr(std::string("flagged bad by ") + flag)));
  }
}

TEST_F(NetcdfTrack, ReadsOneFlightOfMany) {
  test::NetcdfFixture file;
  file.dimensions = {{"trajectory", 2}, {"obs", 3}};
  const auto flights = [](const std::string& name, std::vector<double> values,
                          const std::string& units) {
    return test::NetcdfFixture::Variable{.name = name,
                                         .type = NC_DOUBLE,
                                         .dimensions = {"trajectory", "obs"},
                                         .values = std::move(values),
                                         .texts = {{"units", units}},
                                         .numbers = {}};
  };
  const std::string since = "seconds since 2024-10-28T00:00:00";
  file.variables = {flights("time", {0, 3600, 7200, 0, 3600, 7200}, since),
                    flights("x", {2000, 3000, 4000, 2000, 4000, 6000}, "m"),
                    flights("y", {3000, 3000, 3000, 3000, 3000, 3000}, "m"),
                    flights("heading", {0, 0, NAN, 0, 0, NAN}, "radian"),
                    flights("speed", {.2, .2, NAN, .2, .2, NAN}, "m s-1")};
  EXPECT_THAT([&] { read(file); },
              ThrowsMessage<InputError>(test::has_code("trajectory_option_missing", "1")));
  TrackOptions options;
  options.trajectory = 1;
  // Headings in the plane are not compass headings.
  options.columns = {"heading=heading"};
  const auto track = read(file, options);
  ASSERT_EQ(track.legs.size(), 2u);
  EXPECT_NEAR(track.legs[0].u, 2000.0 / 3600 - 0.2, 1e-9);
  EXPECT_NEAR(track.legs[0].v, 0, 1e-9);
  options.trajectory = 2;
  EXPECT_THAT([&] { read(file, options); },
              ThrowsMessage<InputError>(test::has_code("trajectory_option_outside", "1")));
}

TEST_F(NetcdfTrack, RejectsAFileWithoutATrack) {
  test::NetcdfFixture file;
  file.dimensions = {{"y", 2}, {"x", 2}};
  file.variables = {{.name = "u",
                     .type = NC_FLOAT,
                     .dimensions = {"y", "x"},
                     .values = {1, 2, 3, 4},
                     .texts = {},
                     .numbers = {}}};
  EXPECT_THAT([&] { read(file); },
              ThrowsMessage<InputError>(test::has_code("netcdf_track_without_columns")));
}

}  // namespace
}  // namespace tidewise

// Tracks in NetCDF, in the shapes of glider centres' files and of the program's own flights.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "coastal_forecast.h"
#include "learning/track/track.h"
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

TEST_F(NetcdfTrack, IsASeaglidersDive) {
  // Three fixes around a dive, one depth-averaged current, and many places that were reckoned.
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
  ASSERT_EQ(track.legs.size(), 1u);  // that of the dive
  EXPECT_NEAR(track.legs[0].u, 0.12, 1e-3);
  EXPECT_NEAR(track.legs[0].v, -0.05, 1e-3);
  EXPECT_NEAR(track.legs[0].error_u, 0.05, 1e-12);
  EXPECT_EQ(track.legs[0].leg.times[0], 1730077800 - 1730073600);
  EXPECT_THAT(track.columns, HasSubstr("time is log_gps_time"));
}

TEST_F(NetcdfTrack, IsAProfilesCurrent) {
  // One profile of a data assembly centre: the current has a time and a place of its own.
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
  // Its own times reach from 400 s before the current's time, and so to 400 s after it.
  const auto alone = read(file);
  ASSERT_EQ(alone.legs.size(), 1u);
  EXPECT_EQ(alone.legs[0].leg.times[0], 1730084000 - 1730073600);
  EXPECT_EQ(alone.legs[0].leg.times[1], 1730084800 - 1730073600);
  EXPECT_THAT(alone.kind, HasSubstr("over 0.222 h by its rows"));
  TrackOptions options;
  options.averaged_over = 7200;
  const auto track = read(file, options);
  ASSERT_EQ(track.legs.size(), 1u);
  EXPECT_NEAR(track.legs[0].u, 0.2, 1e-3);
  EXPECT_EQ(track.legs[0].leg.times[0], 1730084400 - 3600 - 1730073600);
  EXPECT_EQ(track.legs[0].leg.times[1], 1730084400 + 3600 - 1730073600);
  // Nothing but the current's own time says no duration.
  file.variables.erase(file.variables.begin(), file.variables.begin() + 3);
  file.dimensions.clear();
  EXPECT_THAT([&] { read(file); }, ThrowsMessage<InputError>(HasSubstr("with --averaged-over")));
}

TEST_F(NetcdfTrack, IsOneFlightOfMany) {
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
              ThrowsMessage<InputError>(HasSubstr("name one with --trajectory 0 … 1")));
  TrackOptions options;
  options.trajectory = 1;
  // Headings of the plane are no compass's.
  options.columns = {"heading=heading"};
  const auto track = read(file, options);
  ASSERT_EQ(track.legs.size(), 2u);
  EXPECT_NEAR(track.legs[0].u, 2000.0 / 3600 - 0.2, 1e-9);
  EXPECT_NEAR(track.legs[0].v, 0, 1e-9);
  options.trajectory = 2;
  EXPECT_THAT([&] { read(file, options); }, ThrowsMessage<InputError>(HasSubstr("none of 0 … 1")));
}

TEST_F(NetcdfTrack, RefusesOneWithoutATrack) {
  test::NetcdfFixture file;
  file.dimensions = {{"y", 2}, {"x", 2}};
  file.variables = {{.name = "u",
                     .type = NC_FLOAT,
                     .dimensions = {"y", "x"},
                     .values = {1, 2, 3, 4},
                     .texts = {},
                     .numbers = {}}};
  EXPECT_THAT([&] { read(file); },
              ThrowsMessage<InputError>(HasSubstr("holds no variable of one dimension")));
}

}  // namespace
}  // namespace tidewise

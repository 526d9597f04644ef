#include "output/run/trajectory_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <limits>

#include "base/error.h"
#include "env/file/writer.h"
#include "output/run/trajectory_reader.h"
#include "support/error_code.h"
#include "support/ocean/environment_builder.h"
#include "support/program.h"
#include "support/temporary_folder.h"

namespace tidewise {
namespace {

constexpr float absent = std::numeric_limits<float>::quiet_NaN();

RolloutResult two_flights() {
  RolloutResult rollout;
  rollout.departure = TimeLevel(2);
  rollout.trajectories = {
      {7,
       TrajectoryOutcome::arrived,
       96.5,
       {{0.5, 1.5, 0.25F, 1, 0, 0}, {1.25, 1.75, 0.5F, 2, 3, 4}, {2, 2, absent, absent, 5, 6}}},
      {1,
       TrajectoryOutcome::out_of_domain,
       -1000,
       {{0.5, 1.5, 0, 1, 0, 0}, {-0.5, 1.5, absent, absent, 1, 0}}}};
  return rollout;
}

class TrajectoryFileTest : public testing::Test {
 protected:
  Hdf5File write(const EnvironmentInfo& info, const RolloutResult& rollout) {
    const auto environment = folder_ / "env.h5";
    if (info.coordinates == Coordinates::geographic) {
      write_geographic(environment, info);
    } else {
      test::write_environment(environment, info);
    }
    Mission mission;
    mission.target_x = 2;
    write_trajectories(folder_ / "trajectories.nc", EnvironmentReader(environment), mission,
                       rollout, "text = 1\n");
    return Hdf5File::open(folder_ / "trajectories.nc");
  }

  /// Longitudes increase by 0.5 degrees per column across the date line, latitudes by 0.25 per row.
  static void write_geographic(const std::filesystem::path& path, const EnvironmentInfo& info) {
    EnvironmentWriter writer(path, info);
    writer.write_grid_mapping({{"grid_mapping_name", "stereographic"},
                               {"semi_major_axis", 6378137.0},
                               {"standard_parallel", std::vector<double>{48, 49}}});
    std::vector<double> lon;
    std::vector<double> lat;
    for (int j = 0; j < info.grid.ny; ++j) {
      for (int i = 0; i < info.grid.nx; ++i) {
        const double east = 179.25 + 0.5 * i;
        lon.push_back(east > 180 ? east - 360 : east);
        lat.push_back(48 + 0.25 * j);
      }
    }
    writer.write_longitude_latitude(lon, lat);
    const LevelFields<> fields = test::still_level(info);
    for (TimeLevel k(0); k.value < info.time.level_count; ++k.value) writer.write_level(k, fields);
    writer.finish();
  }

  test::TemporaryFolder folder_;
};

TEST_F(TrajectoryFileTest, HasEveryPointAndNothingAfterTheEnd) {
  auto info = test::plain_info(4, 3, 9);
  info.time = {9, 100, 10};
  const Hdf5File file = write(info, two_flights());
  ASSERT_EQ(file.shape("x"), (Extents{2, 3}));
  const auto expect = [&](const char* name, const std::vector<double>& expected) {
    const auto found = file.read_all<double>(name);
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t n = 0; n < found.size(); ++n) {
      if (std::isnan(expected[n])) {
        EXPECT_TRUE(std::isnan(found[n])) << name << ' ' << n;
      } else {
        EXPECT_EQ(found[n], expected[n]) << name << ' ' << n;
      }
    }
  };
  const double gap = std::numeric_limits<double>::quiet_NaN();
  expect("x", {0.5, 1.25, 2, 0.5, -0.5, gap});
  expect("y", {1.5, 1.75, 2, 1.5, 1.5, gap});
  expect("time", {120, 130, 140, 120, 130, gap});
  expect("heading", {0.25, 0.5, gap, 0, gap, gap});
  expect("speed", {1, 2, gap, 1, gap, gap});
  expect("energy", {0, 3, 5, 0, 1, gap});
  expect("harvested", {0, 4, 6, 0, 0, gap});
  expect("outcome", {0, 2});
  expect("realization", {7, 1});
  expect("total_reward", {96.5, -1000});
  expect("trajectory", {0, 1});
  EXPECT_FALSE(file.has("lon"));
}

TEST_F(TrajectoryFileTest, IsReadBack) {
  const auto info = test::plain_info(4, 3, 9);
  const Hdf5File file = write(info, two_flights());
  const TrajectoryReader reader(file.path(), info.grid, info.time);
  EXPECT_EQ(TrajectoryReader::read_mission_text(file.path()), "text = 1\n");
  EXPECT_EQ(reader.flight_count(), 2U);
  EXPECT_EQ(reader.max_points(), 3U);
  EXPECT_EQ(reader.point_count(), (std::vector<std::size_t>{3, 2}));
  EXPECT_EQ(reader.realization(), (std::vector<std::int32_t>{7, 1}));
  EXPECT_EQ(reader.outcome()[1], TrajectoryOutcome::out_of_domain);
  EXPECT_EQ(reader.total_reward()[0], 96.5);
  const auto x = reader.read("x");
  EXPECT_EQ(x[1], 1.25);
  EXPECT_TRUE(std::isnan(x[5]));
}

TEST_F(TrajectoryFileTest, RejectsMissingAndUnreachableValues) {
  const auto info = test::plain_info(4, 3, 9);
  const auto file = write(info, two_flights()).path();
  const auto result = [&](const char* variable, const Extents& at, double value) -> std::string {
    const std::string original = test::bytes_of(file);
    {
      Hdf5File damaged = Hdf5File::open_to_change(file);
      damaged.write(variable, at, {1, 1}, &value);
      damaged.close();
    }
    std::string what = "not refused";
    try {
      const TrajectoryReader reader(file, info.grid, info.time);
      for (const char* name : {"x", "y", "time", "heading", "speed", "energy", "harvested"}) {
        (void)reader.read(name);
      }
    } catch (const InputError& error) {
      what = error.what();
    }
    std::ofstream(file, std::ios::binary) << original;
    return what;
  };
  EXPECT_THAT(result("x", {0, 1}, absent), test::has_code("trajectory_coordinates_disagree"));
  EXPECT_THAT(result("time", {1, 2}, 5), test::has_code("trajectory_coordinates_disagree"));
  EXPECT_THAT(result("energy", {0, 2}, absent),
              test::has_code("trajectory_value_missing", "energy"));
  EXPECT_THAT(result("speed", {0, 1}, absent), test::has_code("trajectory_value_missing", "speed"));
  EXPECT_THAT(result("y", {0, 1}, 1e6), test::has_code("variable_value_outside"));
  EXPECT_THAT(result("time", {0, 2}, -3), test::has_code("variable_value_outside", "time"));
  EXPECT_THAT(result("heading", {1, 0}, 40), test::has_code("variable_value_outside", "heading"));
  // A flight may end outside the grid.
  EXPECT_EQ(result("x", {1, 1}, -3.5), "not refused");
  EXPECT_EQ(result("speed", {0, 2}, absent), "not refused") << "there is none at the end";
}

TEST_F(TrajectoryFileTest, IsADiscreteSamplingGeometry) {
  const Hdf5File file = write(test::plain_info(4, 3, 9), two_flights());
  EXPECT_EQ(file.text_attribute("/", "Conventions"), "CF-1.9");
  EXPECT_EQ(file.text_attribute("/", "featureType"), "trajectory");
  EXPECT_EQ(file.text_attribute("/", "mission"), "text = 1\n");
  EXPECT_EQ(file.number_attribute("/", "target_x"), 2);
  EXPECT_EQ(file.text_attribute("trajectory", "cf_role"), "trajectory_id");
  EXPECT_EQ(file.text_attribute("energy", "coordinates"), "time y x");
  EXPECT_EQ(
      file.text_attribute("outcome", "flag_meanings"),
      "arrived obstacle out_of_domain out_of_time out_of_energy without_action out_of_forecast");
  EXPECT_EQ(file.text_attribute("time", "units"), "1");
  EXPECT_TRUE(std::isnan(file.number_attribute("x", "_FillValue").value_or(0)));
}

TEST_F(TrajectoryFileTest, InterpolatesLongitudeAndLatitudeAcrossTheDateLine) {
  auto info = test::plain_info(4, 3, 9);
  info.units = Units::metric;
  info.time_units = "seconds since 2024-10-28 00:00:00";
  info.coordinates = Coordinates::geographic;
  const Hdf5File file = write(info, two_flights());
  const auto lon = file.read_all<double>("lon");
  const auto lat = file.read_all<double>("lat");
  EXPECT_NEAR(lon[0], 179.25, 1e-9);
  EXPECT_NEAR(lon[1], 179.625, 1e-9);  // x = 1.25: three quarters of a cell from the first centre
  EXPECT_NEAR(std::remainder(lon[2] - 180.0, 360), 0, 1e-9);  // x = 2: between 179.75 and -179.75
  EXPECT_NEAR(lat[0], 48.25, 1e-9);
  EXPECT_NEAR(lat[1], 48.3125, 1e-9);
  EXPECT_TRUE(std::isnan(lat[5]));
  EXPECT_EQ(file.text_attribute("time", "units"), info.time_units);
  EXPECT_EQ(file.text_attribute("lon", "units"), "degrees_east");
  EXPECT_EQ(file.text_attribute("energy", "coordinates"), "time lat lon");
}

TEST_F(TrajectoryFileTest, RecordsTrueBearingsUnitsAndProjection) {
  auto info = test::plain_info(4, 3, 9);
  info.units = Units::metric;
  info.time_units = "s";
  info.coordinates = Coordinates::geographic;
  info.history = "env import of yesterday";
  RolloutResult rollout = two_flights();
  rollout.trajectories[1].points[0].speed = 0;  // it drifts
  const Hdf5File file = write(info, rollout);
  // Longitude increases only along x, so +y is north, and the bearing is 90° minus the heading.
  const auto bearing = file.read_all<double>("bearing");
  constexpr double degree = 57.29577951308232;
  EXPECT_NEAR(bearing[0], 90 - 0.25 * degree, 1e-4);
  EXPECT_NEAR(bearing[1], 90 - 0.5 * degree, 1e-4);
  EXPECT_TRUE(std::isnan(bearing[2])) << "the end";
  EXPECT_TRUE(std::isnan(bearing[3])) << "a drifting vehicle";
  EXPECT_EQ(file.text_attribute("bearing", "units"), "degree");
  EXPECT_EQ(file.text_attribute("bearing", "standard_name"), "platform_orientation");
  EXPECT_EQ(file.text_attribute("energy", "units"), "m2 s-1");
  EXPECT_EQ(file.text_attribute("harvested", "units"), "m2 s-1");
  EXPECT_EQ(file.text_attribute("total_reward", "units"), "s");
  EXPECT_EQ(file.text_attribute("x", "standard_name"), "projection_x_coordinate");
  EXPECT_EQ(file.text_attribute("bearing", "grid_mapping"), "crs");
  EXPECT_EQ(file.text_attribute("crs", "grid_mapping_name"), "stereographic");
  EXPECT_EQ(file.number_attributes("crs", "standard_parallel"), (std::vector<double>{48, 49}));
  const std::string history = file.text_attribute("/", "history").value_or("");
  EXPECT_TRUE(history.starts_with("env import of yesterday\ntidewise ")) << history;
  EXPECT_FALSE(write(test::plain_info(4, 3, 9), two_flights()).has("bearing"));
}

TEST_F(TrajectoryFileTest, WritesMoreFlightsThanASlab) {
  RolloutResult rollout;
  for (std::int32_t n = 0; n < 600; ++n) {
    Trajectory flight{n, TrajectoryOutcome::out_of_time, 0, {}};
    flight.points.resize(static_cast<std::size_t>(1 + n % 5));
    for (auto& point : flight.points) point.x = n;
    rollout.trajectories.push_back(std::move(flight));
  }
  const Hdf5File file = write(test::plain_info(4, 3, 9), rollout);
  ASSERT_EQ(file.shape("x"), (Extents{600, 5}));
  const auto x = file.read_all<double>("x");
  for (std::size_t n = 0; n < 600; ++n) {
    for (std::size_t m = 0; m < 5; ++m) {
      if (m <= n % 5) {
        ASSERT_EQ(x[n * 5 + m], static_cast<double>(n));
      } else {
        ASSERT_TRUE(std::isnan(x[n * 5 + m]));
      }
    }
  }
}

TEST_F(TrajectoryFileTest, HoldsTracksOfSomeFlightsAndEndsOfAll) {
  auto info = test::plain_info(4, 3, 9);
  info.time = {9, 100, 10};
  RolloutResult rollout = two_flights();
  for (int n = 0; n < 3; ++n) rollout.trajectories.push_back(rollout.trajectories[n % 2]);
  test::write_environment(folder_ / "env.h5", info);
  const auto path = folder_ / "flights.nc";
  write_trajectories(path, EnvironmentReader(folder_ / "env.h5"), Mission{}, rollout, "text = 1\n",
                     1, {}, {}, 2);
  const TrajectoryReader file(path, info.grid, info.time);
  ASSERT_TRUE(file.is_sample());
  EXPECT_EQ(file.flight_count(), 2u);
  EXPECT_THAT(file.number(), testing::ElementsAre(0, 2));
  EXPECT_THAT(file.point_count(), testing::ElementsAre(3, 3));
  const auto ends = file.read_ends();
  EXPECT_THAT(ends.time, testing::ElementsAre(140, 130, 140, 130, 140));
  EXPECT_THAT(ends.energy, testing::ElementsAre(5, 1, 5, 1, 5));
  EXPECT_THAT(ends.outcome, testing::ElementsAre(0, 2, 0, 2, 0));
  EXPECT_THAT(ends.realization, testing::ElementsAre(7, 1, 7, 1, 7));

  const Hdf5File written = Hdf5File::open(path);
  EXPECT_THAT(written.read_all<double>("end_x"), testing::ElementsAre(2, -0.5, 2, -0.5, 2));
  EXPECT_THAT(written.read_all<double>("end_y"), testing::ElementsAre(2, 1.5, 2, 1.5, 2));
  EXPECT_THAT(written.read_all<double>("end_harvested"), testing::ElementsAre(6, 0, 6, 0, 6));
  EXPECT_THAT(written.read_all<double>("end_steps"), testing::ElementsAre(2, 1, 2, 1, 2));
  EXPECT_THAT(written.read_all<double>("end_total_reward"),
              testing::ElementsAre(96.5, -1000, 96.5, -1000, 96.5));
}

TEST_F(TrajectoryFileTest, ReadsTheEndsOfAFileWithAllFlights) {
  auto info = test::plain_info(4, 3, 9);
  info.time = {9, 100, 10};
  write(info, two_flights());
  const TrajectoryReader file(folder_ / "trajectories.nc", info.grid, info.time);
  EXPECT_FALSE(file.is_sample());
  const auto ends = file.read_ends();
  EXPECT_THAT(ends.time, testing::ElementsAre(140, 130));
  EXPECT_THAT(ends.energy, testing::ElementsAre(5, 1));
  EXPECT_THAT(ends.outcome, testing::ElementsAre(0, 2));
  EXPECT_THAT(ends.realization, testing::ElementsAre(7, 1));
}

TEST_F(TrajectoryFileTest, MakesItsFolder) {
  test::write_environment(folder_ / "env.h5", test::plain_info(4, 3, 9));
  const EnvironmentReader reader(folder_ / "env.h5");
  write_trajectories(folder_ / "new" / "a.nc", reader, Mission{}, two_flights(), "");
  EXPECT_TRUE(std::filesystem::is_regular_file(folder_ / "new" / "a.nc"));
}

TEST_F(TrajectoryFileTest, IsTheSameForAnyNumberOfThreads) {
  RolloutResult rollout;
  rollout.trajectories.resize(600);  // three slabs, the last of them not full
  for (std::size_t n = 0; n < 600; ++n) {
    const auto number = static_cast<float>(n);
    rollout.trajectories[n].points.assign(1 + n % 7, {0.1 * number, 3, 0.5F, 1, number, -number});
  }
  test::write_environment(folder_ / "env.h5", test::plain_info(4, 4, 9));
  const EnvironmentReader environment(folder_ / "env.h5");
  const auto write_with = [&](std::int32_t threads) {
    write_trajectories(folder_ / "flights.nc", environment, Mission(), rollout, "text = 1\n",
                       threads);
    return test::bytes_of(folder_ / "flights.nc");
  };
  const std::string with_one_thread = write_with(1);
  EXPECT_EQ(write_with(3), with_one_thread);
  const Hdf5File file = Hdf5File::open(folder_ / "flights.nc");
  const auto x = file.read_all<double>("x");
  const auto energy = file.read_all<float>("energy");
  ASSERT_EQ(x.size(), 600u * 7);
  for (std::size_t n = 0; n < 600; ++n) {
    for (std::size_t m = 0; m < 7; ++m) {
      if (m <= n % 7) {
        EXPECT_EQ(x[n * 7 + m], 0.1 * static_cast<float>(n));
        EXPECT_EQ(energy[n * 7 + m], static_cast<float>(n));
      } else {
        EXPECT_TRUE(std::isnan(x[n * 7 + m]) && std::isnan(energy[n * 7 + m]));
      }
    }
  }
}

}  // namespace
}  // namespace tidewise

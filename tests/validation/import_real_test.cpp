// Imports two real files and compares the environments with the files' values.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "env/file/reader.h"
#include "env/import/grid/local_plane.h"
#include "env/import/grid/target_grid.h"
#include "env/import/import_forecast.h"
#include "env/import/source/forecast_source.h"
#include "env/mask.h"
#include "support/shared_data.h"
#include "support/temporary_folder.h"

namespace tidewise {
namespace {

/// Returns the velocity (along x, along y) of a realization at a cell.
std::pair<double, double> velocity(const EnvironmentInfo& info, const LevelFields<>& fields,
                                   std::size_t cell, std::size_t realization) {
  const auto cells = static_cast<std::size_t>(info.grid.cell_count());
  const auto count = static_cast<std::size_t>(info.realization_count);
  double u = fields.u_mean[cell];
  double v = fields.v_mean[cell];
  for (std::size_t m = 0; m < static_cast<std::size_t>(info.mode_count); ++m) {
    u += static_cast<double>(fields.coefficient[m * count + realization]) *
         fields.u_mode[m * cells + cell];
    v += static_cast<double>(fields.coefficient[m * count + realization]) *
         fields.v_mode[m * cells + cell];
  }
  return {u, v};
}

std::size_t nearest_cell(const EnvironmentReader& reader, double longitude, double latitude) {
  const auto lon = reader.read_longitude();
  const auto lat = reader.read_latitude();
  std::size_t nearest = 0;
  const auto distance = [&](std::size_t n) {
    return std::hypot((lon[n] - longitude) * std::cos(latitude * 0.01745), lat[n] - latitude);
  };
  for (std::size_t n = 1; n < lon.size(); ++n) {
    if (distance(n) < distance(nearest)) nearest = n;
  }
  return nearest;
}

/// Returns the greatest speed over all cells, realizations and every `stride`-th level.
double greatest_speed(const EnvironmentReader& reader, std::int32_t stride) {
  const EnvironmentInfo& info = reader.info();
  LevelFields<> fields(info);
  double max = 0;
  for (std::int32_t k = 0; k < info.time.level_count; k += stride) {
    reader.read_level(TimeLevel(k), fields);
    for (std::size_t cell = 0; cell < fields.dry.size(); ++cell) {
      for (std::size_t r = 0; r < static_cast<std::size_t>(info.realization_count); ++r) {
        const auto [u, v] = velocity(info, fields, cell, r);
        max = std::max(max, std::hypot(u, v));
      }
    }
  }
  return max;
}

TEST(ImportRtofs, KeepsCoastSpeedsAndPoints) {
  TIDEWISE_REQUIRE_SHARED_DATA(path, "rtofs_washington_2024.nc");
  const test::TemporaryFolder folder;
  ingest::ImportOptions options;
  options.files = {path};
  options.out = folder / "env.h5";
  options.spacing = 3000;
  options.lagged = 4;
  options.variance = 1;
  SilentProgress progress;
  const ingest::ImportReport report = ingest::import_forecast(options, progress);
  EXPECT_EQ(report.info.realization_count, 9);
  EXPECT_EQ(report.info.mode_count, 8);
  EXPECT_EQ(report.info.time.level_count, 56);
  EXPECT_EQ(report.info.time.step, 10800);
  EXPECT_EQ(report.info.time_units, "seconds since 2024-10-28T15:00:00");
  EXPECT_THAT(report.info.comment, ::testing::HasSubstr("lagging one deterministic forecast"));

  const EnvironmentReader reader(options.out);
  const EnvironmentInfo& info = reader.info();
  EXPECT_EQ(info.obstacles, Obstacles::fixed);
  LevelFields<> fields(info);
  reader.read_level(TimeLevel(20), fields);
  // 451 of the source's 1292 points are land (34.9 %), if its outermost points count as whole
  // cells.
  const double land = std::count(fields.masked.begin(), fields.masked.end(), closed_by_obstacle);
  const double outside = std::count(fields.masked.begin(), fields.masked.end(), beyond_forecast);
  EXPECT_NEAR((land + outside) / info.grid.cell_count(), 0.36, 0.03);
  EXPECT_NEAR(land / info.grid.cell_count(), 0.324, 0.001);        // as in docs/forecast/import.md
  EXPECT_GT(fields.dry[nearest_cell(reader, -124.2, 47.6)], 0);    // the Olympic peninsula
  EXPECT_EQ(fields.dry[nearest_cell(reader, -126.0, 46.8)], 0);    // the open sea
  EXPECT_EQ(fields.dry[nearest_cell(reader, -124.95, 48.45)], 0);  // off Juan de Fuca

  // At level 20 the middle member is the mean of the source's times 24 and 25. Where the four
  // points around a cell are wet, it is their bilinear value, rotated from the compass to the
  // plane.
  ingest::ForecastSource source({{path}, {{"water_u"}, {"water_v"}}, {}, {}, {}});
  auto values = source.read(24);
  const auto next_values = source.read(25);
  for (std::size_t n = 0; n < values.size(); ++n) values[n] = (values[n] + next_values[n]) / 2;
  const ingest::SourceGrid& grid = source.grid();
  const ingest::LocalPlane plane(ingest::middle_of(grid));
  const auto longitude = reader.read_longitude();
  const auto latitude = reader.read_latitude();
  const std::size_t columns = grid.longitude.size();
  int count = 0;
  for (std::size_t cell = 0; cell < longitude.size(); ++cell) {
    if (fields.dry[cell] != 0) continue;
    const double across = (longitude[cell] - grid.longitude[0]) * 12;  // the source's 1/12 degree
    const double along = (latitude[cell] - grid.latitude[0]) * 12;
    const auto column = static_cast<std::size_t>(across);
    const auto row = static_cast<std::size_t>(along);
    const auto bilinear = [&](std::size_t component) {
      const double* corner = values.data() + component * grid.size() + row * columns + column;
      const double x = across - static_cast<double>(column);
      const double y = along - static_cast<double>(row);
      return (1 - y) * ((1 - x) * corner[0] + x * corner[1]) +
             y * ((1 - x) * corner[columns] + x * corner[columns + 1]);
    };
    if (row + 1 >= grid.latitude.size() || column + 1 >= columns) continue;
    if (std::isnan(bilinear(0)) || std::isnan(bilinear(1))) continue;
    const PlanePoint north = plane.north_at({longitude[cell], latitude[cell]});
    const auto [u, v] = velocity(info, fields, cell, 4);
    // The file's coordinates are rounded to 1e-4 degrees: a thousandth of its spacing.
    ASSERT_NEAR(u, bilinear(0) * north.y + bilinear(1) * north.x, 1e-3);
    ASSERT_NEAR(v, -bilinear(0) * north.x + bilinear(1) * north.y, 1e-3);
    ++count;
  }
  EXPECT_GT(count, 4000);

  const double max = greatest_speed(reader, 5);
  EXPECT_LT(max, 0.995);  // the source's greatest is 0.99; interpolation cannot pass it
  EXPECT_GT(max, 0.7);
}

TEST(ImportWindEnsemble, ReproducesMembersAtASourcePoint) {
  TIDEWISE_REQUIRE_SHARED_DATA(path, "wind_ensemble_21_members_2015.nc");
  const test::TemporaryFolder folder;
  ingest::ImportOptions options;
  options.files = {path};
  options.out = folder / "env.h5";
  options.spacing = 50000;
  options.step = 6 * 3600;  // as in the file
  options.variance = 1;
  options.scalar = "wind_speed";
  SilentProgress progress;
  const ingest::ImportReport report = ingest::import_forecast(options, progress);
  EXPECT_EQ(report.info.realization_count, 21);
  EXPECT_EQ(report.info.mode_count, 20);
  EXPECT_EQ(report.info.time.level_count, 25);
  EXPECT_EQ(report.info.time.step, 21600);

  const EnvironmentReader reader(options.out);
  EXPECT_EQ(reader.info().scalar_units, "m/s");
  // The middle cell lies on the source's point 125 W 40 N, where north is along y. All 21 members
  // are unchanged there, except that each step has the mean of its two times; the last level has
  // only one.
  ingest::ForecastSource source({{path}, {{"x_wind"}, {"y_wind"}, {"wind_speed"}}, {}, {}, {}});
  const auto& grid = source.grid();
  EXPECT_EQ(grid.longitude[5], -125);
  EXPECT_EQ(grid.latitude[5], 40);
  const std::size_t point = 5 * grid.longitude.size() + 5;
  const std::size_t points = grid.size();
  const Grid& cells = reader.info().grid;
  const auto middle =
      static_cast<std::size_t>(cells.cell(cells.column_at(0), cells.row_at(0)).value);
  LevelFields<> fields(reader.info());
  double spread = 0;
  for (const std::int32_t k : {0, 7, 24}) {
    reader.read_level(TimeLevel(k), fields);
    const auto values = source.read(static_cast<std::size_t>(k));
    const auto next_values = source.read(static_cast<std::size_t>(std::min(k + 1, 24)));
    const auto step_mean = [&](std::size_t n) { return (values[n] + next_values[n]) / 2; };
    double mean_speed = 0;
    for (std::size_t member = 0; member < 21; ++member) {
      const auto [u, v] = velocity(reader.info(), fields, middle, member);
      EXPECT_NEAR(u, step_mean(member * points + point), 2e-5);
      EXPECT_NEAR(v, step_mean((21 + member) * points + point), 2e-5);
      mean_speed += values[(42 + member) * points + point] / 21;
      spread = std::max(spread, std::abs(u - fields.u_mean[middle]));
    }
    EXPECT_NEAR(fields.scalar[middle], mean_speed, 1e-5);
  }
  EXPECT_GT(spread, 1);  // the members do differ
}

}  // namespace
}  // namespace tidewise

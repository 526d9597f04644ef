// The whole import, from a small forecast to an environment file that is read back.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <omp.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>

#include "base/error.h"
#include "base/file/atomic_file.h"
#include "base/hdf5/handle.h"
#include "env/file/reader.h"
#include "env/forecast_error.h"
#include "env/import/grid/local_plane.h"
#include "env/import/import_forecast.h"
#include "env/mask.h"
#include "env/units/calendar_time.h"
#include "support/ocean/netcdf_fixture.h"
#include "support/program.h"
#include "support/temporary_folder.h"

namespace tidewise::ingest {
namespace {

using test::NetcdfFixture;
using test::SmallForecast;
using ::testing::Contains;
using ::testing::DoubleNear;
using ::testing::HasSubstr;
using ::testing::Pointwise;

/// One small forecast, its import, and the resulting environment.
class Import : public ::testing::Test {
 protected:
  Import() {
    options.files = {folder / "forecast.nc"};
    options.out = folder / "env.h5";
    options.spacing = 20000;
    options.variance = 1;
  }

  ImportReport run() {
    if (!std::filesystem::exists(options.files[0])) forecast.write(options.files[0]);
    SilentProgress progress;
    return import_forecast(options, progress);
  }

  /// Returns the velocity of a realization at a cell: mean + Σ coefficient · mode, in double.
  static std::pair<double, double> velocity(const EnvironmentInfo& info,
                                            const LevelFields<>& fields, std::size_t cell,
                                            std::size_t realization) {
    const auto cells = static_cast<std::size_t>(info.grid.cell_count());
    const auto realizations = static_cast<std::size_t>(info.realization_count);
    double u = fields.u_mean[cell];
    double v = fields.v_mean[cell];
    for (std::size_t m = 0; m < static_cast<std::size_t>(info.mode_count); ++m) {
      const double c = fields.coefficient[m * realizations + realization];
      u += c * fields.u_modes()[m * cells + cell];
      v += c * fields.v_modes()[m * cells + cell];
    }
    return {u, v};
  }

  const test::TemporaryFolder folder;
  SmallForecast forecast;
  ImportOptions options;
};

TEST_F(Import, ReproducesEveryMemberAtEveryCellAndLevel) {
  // Fields linear in space are exact under bilinear interpolation; three members have two modes.
  const ImportReport report = run();
  const EnvironmentReader reader(options.out);
  const EnvironmentInfo& info = reader.info();
  EXPECT_EQ(info.units, Units::metric);
  EXPECT_EQ(info.coordinates, Coordinates::geographic);
  EXPECT_EQ(info.obstacles, Obstacles::fixed);
  EXPECT_EQ(info.mode_count, 2);
  EXPECT_EQ(info.realization_count, 3);
  EXPECT_EQ(info.uncertainty, ForecastUncertainty::ensemble);
  EXPECT_EQ(info.time.level_count, 4);
  EXPECT_EQ(info.time.step, 6 * 3600);
  EXPECT_EQ(info.time_units, "seconds since 2024-10-28T00:00:00");
  EXPECT_NEAR(*info.variance_kept, 1, 1e-12);
  EXPECT_THAT(report.lines, Contains(HasSubstr("uo, vo (found by known names)")));

  const auto longitude = reader.read_longitude();
  const auto latitude = reader.read_latitude();
  const LocalPlane plane({-8, 41.5});
  EXPECT_EQ(info.projection, plane.proj_string());
  LevelFields<> fields(info);
  std::size_t water = 0;
  for (std::int32_t k = 0; k < info.time.level_count; ++k) {
    reader.read_level(TimeLevel(k), fields);
    for (std::size_t cell = 0; cell < longitude.size(); ++cell) {
      const double lon = longitude[cell];
      const double lat = latitude[cell];
      const bool inside = lon >= -10 && lon <= -6 && lat >= 40 && lat <= 43;
      ASSERT_EQ(fields.masked[cell], inside ? 0 : beyond_forecast) << lon << " " << lat;
      ASSERT_EQ(fields.dry[cell], inside ? 0 : 1);
      if (!inside) continue;
      ++water;
      const PlanePoint north = plane.north_at({lon, lat});
      for (int member = 0; member < 3; ++member) {
        const double hour = k < 3 ? 6 * k + 3 : 18;  // a step's middle; the last level has no step
        const double east_speed = forecast.u(lon, lat, hour, member);
        const double north_speed = forecast.v(lon, lat, hour, member);
        const auto [u, v] = velocity(info, fields, cell, static_cast<std::size_t>(member));
        ASSERT_NEAR(u, east_speed * north.y + north_speed * north.x, 1e-6);
        ASSERT_NEAR(v, -east_speed * north.x + north_speed * north.y, 1e-6);
      }
    }
  }
  EXPECT_GT(water, 4u * 200u);
}

TEST_F(Import, WritesMetadataForOtherTools) {
  run();
  const auto file = Hdf5File::open(options.out);
  EXPECT_EQ(file.text_attribute("crs", "grid_mapping_name"), "stereographic");
  EXPECT_EQ(file.number_attribute("crs", "latitude_of_projection_origin"), 41.5);
  EXPECT_EQ(file.number_attribute("crs", "longitude_of_projection_origin"), -8);
  EXPECT_EQ(file.text_attribute("u_mean", "standard_name"), "sea_water_x_velocity");
  EXPECT_EQ(file.text_attribute("u_mean", "grid_mapping"), "crs");
  const auto variance_kept = file.read_all<double>("variance_kept");
  ASSERT_EQ(variance_kept.size(), 4u);
  EXPECT_NEAR(variance_kept[2], 1, 1e-12);
  EXPECT_EQ(file.text_attribute("/", "history"),
            "tidewise env import forecast.nc --spacing 20000 --variance 1");
  EXPECT_THAT(*file.text_attribute("/", "comment"), HasSubstr("own ensemble (dimension member)"));
}

TEST_F(Import, RotatesAUniformEastwardFlowWithTheMeridians) {
  forecast.u = [](double, double, double, int member) { return 0.5 + 0.1 * member; };
  forecast.v = [](double, double, double, int) { return 0.0; };
  run();
  const EnvironmentReader reader(options.out);
  LevelFields<> fields(reader.info());
  reader.read_level(TimeLevel(0), fields);
  const Grid& grid = reader.info().grid;
  // Meridians converge to the north, so that east points south of +x in the west of the middle.
  const int j = grid.row_at(0);
  const auto cell = [&](int i) { return static_cast<std::size_t>(grid.cell(i, j).value); };
  const auto west = cell(grid.column_at(-120000));
  const auto middle = cell(grid.column_at(0));
  const auto east = cell(grid.column_at(120000));
  EXPECT_NEAR(fields.u_mean[middle], 0.6, 1e-6);
  EXPECT_NEAR(fields.v_mean[middle], 0, 1e-6);
  // Convergence there: 120 km / R · tan(41.5°) = 0.0167, times 0.6 m/s.
  EXPECT_NEAR(fields.v_mean[east], 0.0100, 0.0002);
  EXPECT_NEAR(fields.v_mean[west], -0.0100, 0.0002);
  EXPECT_NEAR(std::hypot(fields.u_mean[east], fields.v_mean[east]), 0.6, 1e-6);
}

TEST_F(Import, MakesMembersByLagging) {
  forecast.members = 0;
  forecast.hour = {0, 6, 12, 18, 24, 30};
  forecast.u = [](double, double, double hour, int) { return 0.01 * hour; };
  forecast.v = [](double, double, double, int) { return 0.0; };
  options.lagged = 2;
  const ImportReport report = run();
  EXPECT_EQ(report.info.realization_count, 5);
  EXPECT_EQ(EnvironmentReader(options.out).info().uncertainty, ForecastUncertainty::lagged);
  {  // Files of earlier versions lack the attribute.
    const Hdf5Handle file(H5Fopen(options.out.c_str(), H5F_ACC_RDWR, H5P_DEFAULT), H5Fclose);
    ASSERT_GE(H5Adelete(file.id(), "uncertainty"), 0);
  }
  EXPECT_EQ(EnvironmentReader(options.out).info().uncertainty, ForecastUncertainty::lagged);
  EXPECT_EQ(report.info.time.level_count, 2);  // six times less two at each end
  EXPECT_EQ(report.info.time_units, "seconds since 2024-10-28T12:00:00");
  EXPECT_THAT(report.info.comment, HasSubstr("lagging one deterministic forecast"));
  EXPECT_THAT(report.lines,
              Contains(HasSubstr("the first 12 h and the last 12 h of the forecast are lost")));
  const EnvironmentReader reader(options.out);
  LevelFields<> fields(reader.info());
  const Grid& grid = reader.info().grid;
  const auto middle = static_cast<std::size_t>(grid.cell(grid.column_at(0), grid.row_at(0)).value);
  for (std::int32_t k = 0; k < 2; ++k) {
    reader.read_level(TimeLevel(k), fields);
    for (int member = 0; member < 5; ++member) {
      const auto [u, v] = velocity(reader.info(), fields, middle, static_cast<std::size_t>(member));
      const double middle_of_step = k == 0 ? 3 : 0;
      EXPECT_NEAR(u, 0.01 * (12 + 6 * k + middle_of_step + 6 * (member - 2)), 1e-6);
    }
  }
}

TEST_F(Import, ReportsASingleStepInTheSingular) {
  forecast.members = 0;
  options.lagged = 1;
  const ImportReport report = run();
  EXPECT_THAT(report.lines, Contains(HasSubstr("from 1 step of 21600 s earlier to 1 step later")));
  for (const auto& line : report.lines) EXPECT_THAT(line, ::testing::Not(HasSubstr("1 steps")));
}

TEST_F(Import, MakesOneRealizationOfOneForecast) {
  forecast.members = 0;
  options.variance.reset();
  const ImportReport report = run();
  EXPECT_EQ(report.info.realization_count, 1);
  EXPECT_EQ(EnvironmentReader(options.out).info().uncertainty, ForecastUncertainty::none);
  EXPECT_EQ(report.info.mode_count, 1);
  EXPECT_THAT(report.info.comment, HasSubstr("one deterministic forecast as the only realization"));
  EXPECT_THAT(report.lines, Contains(HasSubstr("--forecast-error adds its error")));
  EXPECT_THAT(report.lines, Contains("modes: none are needed; the file holds one, of zeros"));
  const EnvironmentReader reader(options.out);
  const auto longitude = reader.read_longitude();
  const auto latitude = reader.read_latitude();
  LevelFields<> fields(reader.info());
  reader.read_level(TimeLevel(2), fields);
  for (std::size_t cell = 0; cell < longitude.size(); ++cell) {
    EXPECT_EQ(fields.u_mode[cell], 0);
    if (fields.dry[cell] != 0) continue;
    ASSERT_NEAR(std::hypot(fields.u_mean[cell], fields.v_mean[cell]),
                std::hypot(forecast.u(longitude[cell], latitude[cell], 15, 0),
                           forecast.v(longitude[cell], latitude[cell], 15, 0)),
                1e-6);
  }
}

TEST_F(Import, HoldsAFieldOfOneTime) {
  forecast.members = 0;
  forecast.hour = {12};
  options.variance.reset();
  options.steady = 86400;
  ImportReport report = run();
  EXPECT_EQ(report.info.time.level_count, 25);  // an hour apart
  EXPECT_EQ(report.info.time_units, "seconds since 2024-10-28T12:00:00");
  EXPECT_THAT(report.lines, Contains(HasSubstr("the field of one time is held at all levels")));
  EXPECT_THAT(report.info.history, HasSubstr("--steady 86400"));
  options.step = 3 * 3600;
  options.from = parse_iso_time("2024-10-28");  // a day's mean, from its midnight on
  options.scalar = "uo2";
  NetcdfFixture fixture = forecast.fixture();
  fixture.variables.push_back(fixture.variable("uo"));
  fixture.variables.back().name = "uo2";
  fixture.write(options.files[0]);
  report = run();
  EXPECT_EQ(report.info.time.level_count, 9);
  EXPECT_EQ(report.info.time_units, "seconds since 2024-10-28T00:00:00");
  const EnvironmentReader reader(options.out);
  LevelFields<> first(reader.info());
  LevelFields<> last(reader.info());
  reader.read_level(TimeLevel(0), first);
  reader.read_level(TimeLevel(8), last);
  double max = 0;
  for (std::size_t cell = 0; cell < first.dry.size(); ++cell) {
    EXPECT_EQ(first.u_mean[cell], last.u_mean[cell]);
    EXPECT_EQ(first.scalar[cell], last.scalar[cell]);
    max = std::max(max, std::abs(static_cast<double>(last.u_mean[cell])));
  }
  EXPECT_GT(max, 0.1);
}

/// One time of a longer field, as tools extract it: no time dimension, but a single time or none.
TEST_F(Import, HoldsAFieldWithoutATimeAxis) {
  forecast.members = 0;
  forecast.hour = {12};
  forecast.order = {"lat", "lon"};
  options.variance.reset();
  options.steady = 7200;
  NetcdfFixture fixture = forecast.fixture();
  fixture.variable("time").dimensions.clear();
  fixture.write(options.files[0]);
  EXPECT_EQ(run().info.time_units, "seconds since 2024-10-28T12:00:00");
  std::erase_if(fixture.variables, [](const auto& variable) { return variable.name == "time"; });
  fixture.write(options.files[0]);
  options.from = parse_iso_time("2024-11-01");
  EXPECT_EQ(run().info.time_units, "seconds since 2024-11-01T00:00:00");
}

TEST_F(Import, IsLinearInTimeAndTakesAWindow) {
  forecast.u = [](double, double, double hour, int member) {
    return (hour == 6 ? 0.6 : 0.2) + 0.01 * member;
  };
  options.step = 2 * 3600;
  options.from = parse_iso_time("2024-10-28T04:00");
  options.to = parse_iso_time("2024-10-28T11:00");
  run();
  const EnvironmentReader reader(options.out);
  EXPECT_EQ(reader.info().time.level_count, 4);  // 4, 6, 8, 10 h
  LevelFields<> fields(reader.info());
  const Grid& grid = reader.info().grid;
  const auto middle = static_cast<std::size_t>(grid.cell(grid.column_at(0), grid.row_at(0)).value);
  // The flow at the steps' middles, 5, 7 and 9 h, and at the last level's own time.
  const std::vector<double> expected{0.2 + 0.4 * 5 / 6, 0.6 - 0.4 * 1 / 6, 0.6 - 0.4 * 3 / 6,
                                     0.6 - 0.4 * 4 / 6};
  for (std::int32_t k = 0; k < 4; ++k) {
    reader.read_level(TimeLevel(k), fields);
    EXPECT_NEAR(fields.u_mean[middle], expected[static_cast<std::size_t>(k)] + 0.01, 1e-6);
  }
}

TEST_F(Import, HoldsTheMeanOfStepsUnlessBeginningsAreRequested) {
  // At the source's step, 0.2, 0.6, 0.2 and 0.8 m/s have the means 0.4, 0.4 and 0.5.
  forecast.members = 0;
  options.variance.reset();
  forecast.u = [](double, double, double hour, int) {
    return hour == 6 ? 0.6 : hour == 18 ? 0.8 : 0.2;
  };
  forecast.v = [](double, double, double, int) { return 0.0; };
  const auto levels = [&] {
    const EnvironmentReader reader(options.out);
    LevelFields<> fields(reader.info());
    const Grid& grid = reader.info().grid;
    const CellIndex middle = grid.cell(grid.column_at(0), grid.row_at(0));
    std::vector<double> speeds;
    for (std::int32_t k = 0; k < reader.info().time.level_count; ++k) {
      reader.read_level(TimeLevel(k), fields);
      speeds.push_back(fields.u_mean[static_cast<std::size_t>(middle.value)]);
    }
    return speeds;
  };
  EXPECT_THAT(run().info.comment, HasSubstr("6 h: each holds the mean flow of its step."));
  EXPECT_THAT(levels(), Pointwise(DoubleNear(1e-6), {0.4, 0.4, 0.5, 0.8}));
  options.sample = Sampling::begin;
  const ImportReport begin = run();
  EXPECT_THAT(levels(), Pointwise(DoubleNear(1e-6), {0.2, 0.6, 0.2, 0.8}));
  EXPECT_EQ(begin.info.history, "tidewise env import forecast.nc --spacing 20000 --sample begin");
  EXPECT_THAT(begin.info.comment, HasSubstr("each holds the flow of its own time"));
  EXPECT_THAT(begin.lines, Contains(HasSubstr("sample: each level holds the flow of its own")));
}

/// A forecast of daily levels on points 0.1 degrees apart, near 41 N.
class ImportOfDays : public Import {
 protected:
  ImportOfDays() {
    forecast.longitude = {-8.2, -8.1, -8, -7.9, -7.8};
    forecast.latitude = {40.8, 40.9, 41, 41.1, 41.2};
    forecast.hour = {0, 24, 48};
    forecast.members = 0;
    forecast.v = [](double, double, double, int) { return 0.0; };
    options.spacing.reset();
    options.variance.reset();
  }

  /// Returns the report's line about the step, or "" without one.
  static std::string step_line(const ImportReport& report) {
    for (const auto& line : report.lines) {
      if (line.starts_with("step: ")) return line;
    }
    return "";
  }
};

TEST_F(ImportOfDays, GetsShorterStepsWhereTheFlowChangesWithTime) {
  // 1.6e-5 m s-2 moves water 59.7 km after a day, 6.6 after 8 h and 3.7 after 6; half the spacing
  // is 4.85 km.
  forecast.u = [](double, double, double hours, int) { return 1.6e-5 * 3600 * (hours - 24); };
  const ImportReport report = run();
  EXPECT_EQ(report.info.time.step, 6 * 3600);
  EXPECT_EQ(report.info.time.level_count, 9);
  EXPECT_THAT(step_line(report), HasSubstr("step: 6 h, linear between the source's 24 h"));
  EXPECT_THAT(step_line(report), HasSubstr("60 km after 24 h, 3.7 km after 6 h"));
  EXPECT_THAT(report.info.comment, HasSubstr("Levels are 6 h apart, the source's times 24 h"));
  const EnvironmentReader reader(options.out);
  LevelFields<> fields(reader.info());
  reader.read_level(TimeLevel(1), fields);
  const std::size_t middle = fields.u_mean.size() / 2;
  EXPECT_NEAR(fields.u_mean[middle], 1.6e-5 * 3600 * (9 - 24), 0.01);  // at the step's middle
}

TEST_F(ImportOfDays, GetsShorterStepsWhereTheFlowChangesWithPlace) {
  // Steady, with a gradient of 2.5e-5 s-1 to the east, times the speed of at most 1.3 m s-1.
  forecast.u = [](double lon, double, double, int) { return 2.5e-5 * (lon + 8.5) * 84000; };
  EXPECT_EQ(run().info.time.step, 4 * 3600);
}

TEST_F(ImportOfDays, GetsSixHoursAtMost) {
  forecast.u = [](double, double, double hours, int) { return 1e-7 * 3600 * (hours - 24); };
  const ImportReport report = run();
  EXPECT_EQ(report.info.time.step, 6 * 3600);
  EXPECT_THAT(step_line(report), HasSubstr("source's 24 h: a plan chooses one action per step"));
}

TEST_F(ImportOfDays, KeepsTheSourcesStepIfRequestedOrSufficient) {
  forecast.u = [](double, double, double hours, int) { return 1e-5 * 3600 * (hours - 6); };
  forecast.hour = {0, 6, 12};
  EXPECT_EQ(run().info.time.step, 6 * 3600);
  EXPECT_EQ(step_line(run()), "");
  forecast.hour = {0, 24, 48};
  forecast.u = [](double, double, double hours, int) { return 1.6e-5 * 3600 * (hours - 24); };
  forecast.write(options.files[0]);
  options.step = 24 * 3600;
  const ImportReport requested = run();
  EXPECT_EQ(requested.info.time.step, 24 * 3600);
  EXPECT_THAT(step_line(requested), HasSubstr("step: 24 h is long for this flow"));
  EXPECT_THAT(step_line(requested), HasSubstr("without --step it is 6 h"));
  options.step = 4 * 3600;
  EXPECT_EQ(step_line(run()), "");
}

TEST_F(Import, AveragesOverStepsLongerThanTheSources) {
  // The flow alternates with the forecast's times, so that every mean over 12 h is the same. The
  // last level has the flow of its own time.
  forecast.u = [](double, double, double hour, int) { return hour == 6 || hour == 18 ? 0.6 : 0.2; };
  forecast.v = [](double, double, double hour, int member) { return 0.01 * hour * (member + 1); };
  // A point that falls dry at 6 h is land for the step from 0 to 12 h, and not after it.
  NetcdfFixture fixture = forecast.fixture();
  const std::size_t points = forecast.longitude.size() * forecast.latitude.size();
  auto& u = fixture.variable("uo").values;  // (time, member, lat, lon)
  for (std::size_t member = 0; member < 3; ++member) u[(3 + member) * points] = NAN;
  fixture.write(options.files[0]);
  options.step = 12 * 3600;
  const ImportReport report = run();
  const EnvironmentReader reader(options.out);
  ASSERT_EQ(reader.info().time.level_count, 2);
  LevelFields<> fields(reader.info());
  const Grid& grid = reader.info().grid;
  const auto middle = static_cast<std::size_t>(grid.cell(grid.column_at(0), grid.row_at(0)).value);
  reader.read_level(TimeLevel(0), fields);
  const auto dry_at_first = std::count(fields.dry.begin(), fields.dry.end(), 1);
  EXPECT_NEAR(fields.u_mean[middle], 0.4, 1e-6);
  EXPECT_NEAR(fields.v_mean[middle], 0.01 * 6 * 2, 0.002);
  reader.read_level(TimeLevel(1), fields);
  EXPECT_NEAR(fields.u_mean[middle], 0.2, 1e-6);
  EXPECT_NEAR(fields.v_mean[middle], 0.01 * 12 * 2, 0.002);
  EXPECT_GT(dry_at_first, std::count(fields.dry.begin(), fields.dry.end(), 1));
}

TEST_F(Import, KeepsLandOutOfTheWater) {
  NetcdfFixture fixture = forecast.fixture();
  for (double& value : fixture.variable("uo").values) value = 0.4;
  for (double& value : fixture.variable("vo").values) value = 0.2;
  // The two eastern columns of points are land, in one component of one member only.
  auto& u = fixture.variable("uo");
  u.numbers = {{"_FillValue", NC_FLOAT, {1e20}}};
  for (std::size_t time = 0; time < 4; ++time) {
    for (std::size_t row = 0; row < 4; ++row) {
      for (const std::size_t column : {3U, 4U})
        u.values[((time * 3 + 1) * 4 + row) * 5 + column] = 1e20;
    }
  }
  fixture.write(options.files[0]);
  run();
  const EnvironmentReader reader(options.out);
  const auto longitude = reader.read_longitude();
  const auto latitude = reader.read_latitude();
  LevelFields<> fields(reader.info());
  reader.read_level(TimeLevel(3), fields);
  for (std::size_t cell = 0; cell < longitude.size(); ++cell) {
    const bool inside = longitude[cell] >= -10 && latitude[cell] >= 40 && latitude[cell] <= 43;
    ASSERT_EQ(fields.dry[cell], inside && longitude[cell] < -7.5 ? 0 : 1) << longitude[cell];
    if (fields.dry[cell] != 0) continue;
    ASSERT_NEAR(std::hypot(fields.u_mean[cell], fields.v_mean[cell]), std::hypot(0.4, 0.2), 1e-6);
  }
}

TEST_F(Import, GivesTheSameBytesFromTheSameInput) {
  options.realizations = 20;
  run();
  const std::string first = test::bytes_of(options.out);
  options.out = folder / "another.h5";
  const int threads = omp_get_max_threads();
  omp_set_num_threads(threads == 1 ? 3 : 1);
  run();
  omp_set_num_threads(threads);
  EXPECT_EQ(test::bytes_of(options.out), first);
  options.seed = 2;
  run();
  EXPECT_NE(test::bytes_of(options.out), first);
}

TEST_F(Import, ChoosesModesByVarianceOrNumber) {
  forecast.members = 8;
  forecast.u = [](double lon, double lat, double, int member) {
    return std::sin(member * 1.7) * (lon + 8) * 0.2 + std::cos(member * 2.9) * (lat - 41.5) * 0.06 +
           std::sin(member * 5.1) * 0.001;
  };
  forecast.v = [](double, double, double, int) { return 0.0; };
  const auto modes_with = [&](std::optional<int> modes, std::optional<double> variance) {
    options.modes = modes;
    options.variance = variance;
    const ImportReport report = run();
    EXPECT_NEAR(*report.info.variance_kept, *EnvironmentReader(options.out).info().variance_kept,
                0);
    const double min = *std::min_element(report.variance_kept.begin(), report.variance_kept.end());
    EXPECT_GE(min, modes ? 0.5 : variance.value_or(0.99) - 1e-12);
    return report.info.mode_count;
  };
  EXPECT_EQ(modes_with({}, 0.5), 1);
  EXPECT_EQ(modes_with({}, {}), 2);
  EXPECT_EQ(modes_with({}, 1.0), 3);
  EXPECT_EQ(modes_with(5, {}), 5);
  EXPECT_EQ(modes_with(2, 1.0), 2);
}

TEST_F(Import, DrawsRealizationsWithTheMembersVariance) {
  options.realizations = 4000;
  run();
  const EnvironmentReader reader(options.out);
  ASSERT_EQ(reader.info().realization_count, 4000);
  EXPECT_THAT(reader.info().comment, HasSubstr("4000 realizations drawn"));
  LevelFields<> fields(reader.info());
  reader.read_level(TimeLevel(1), fields);
  for (std::size_t m = 0; m < 2; ++m) {
    double square = 0;
    for (std::size_t r = 0; r < 4000; ++r) {
      square += std::pow(fields.coefficient[m * 4000 + r], 2) / 4000;
    }
    EXPECT_NEAR(square, 1, 0.1);
  }
}

TEST_F(Import, ClosesObstaclesInAMovingMask) {
  write_text_file(folder / "a.geojson", R"({"type": "Feature",
      "properties": {"start": "2024-10-28T06:00Z", "end": "2024-10-28T12:00Z"},
      "geometry": {"type": "Polygon", "coordinates": [
        [[-8.3, 41.2], [-7.7, 41.2], [-7.7, 41.8], [-8.3, 41.8], [-8.3, 41.2]]]}})");
  options.obstacles = folder / "a.geojson";
  const ImportReport report = run();
  EXPECT_THAT(report.lines, Contains(HasSubstr("1 of 1 polygons")));
  const EnvironmentReader reader(options.out);
  EXPECT_EQ(reader.info().obstacles, Obstacles::moving);
  LevelFields<> fields(reader.info());
  const Grid& grid = reader.info().grid;
  const auto middle = static_cast<std::size_t>(grid.cell(grid.column_at(0), grid.row_at(0)).value);
  for (std::int32_t k = 0; k < 4; ++k) {
    reader.read_level(TimeLevel(k), fields);
    EXPECT_EQ(fields.masked[middle], k == 1 || k == 2 ? 1 : 0);
    EXPECT_EQ(fields.dry[middle], 0);  // closed water still flows
    EXPECT_NE(fields.u_mean[middle], 0);
  }
}

TEST_F(Import, WritesTheMeanOfAScalar) {
  NetcdfFixture fixture = forecast.fixture();
  fixture.variables.push_back(fixture.variable("uo"));
  fixture.variables.back().name = "temperature";
  fixture.variables.back().texts = {{"units", "degC"}, {"long_name", "warmth"}};
  fixture.write(options.files[0]);
  options.scalar = "temperature";
  run();
  {
    const EnvironmentReader reader(options.out);
    EXPECT_EQ(reader.info().scalar_units, "degC");
    EXPECT_EQ(reader.info().scalar_long_name, "warmth");
    const auto longitude = reader.read_longitude();
    const auto latitude = reader.read_latitude();
    LevelFields<> fields(reader.info());
    reader.read_level(TimeLevel(2), fields);
    for (std::size_t cell = 0; cell < longitude.size(); ++cell) {
      if (fields.dry[cell] != 0) continue;
      ASSERT_NEAR(fields.scalar[cell], forecast.u(longitude[cell], latitude[cell], 12, 1), 1e-6);
    }
  }
  // From a separate file with other points, longer times, and no members.
  SmallForecast coarse;
  coarse.members = 0;
  coarse.longitude = {350, 355};  // the same meridians as -10 and -5
  coarse.latitude = {45, 39};
  coarse.hour = {-10, 30};
  coarse.u = [](double, double lat, double hour, int) { return lat + hour; };
  coarse.u_name = "swh";
  coarse.write(folder / "waves.nc", 0);
  options.scalar = (folder / "waves.nc").string() + ":swh";
  run();
  const EnvironmentReader reader(options.out);
  const auto latitude = reader.read_latitude();
  LevelFields<> fields(reader.info());
  reader.read_level(TimeLevel(1), fields);
  const Grid& grid = reader.info().grid;
  const auto middle = static_cast<std::size_t>(grid.cell(grid.column_at(0), grid.row_at(0)).value);
  EXPECT_NEAR(fields.scalar[middle], latitude[middle] + 6, 1e-5);
}

TEST_F(Import, FillsAScalarOnlyOnRequest) {
  NetcdfFixture fixture = forecast.fixture();
  fixture.variables.push_back(fixture.variable("uo"));
  fixture.variables.back().name = "swh";
  for (double& value : fixture.variables.back().values) value = std::nan("");
  fixture.write(options.files[0]);
  options.scalar = "swh";
  EXPECT_THROW(run(), InputError);
  EXPECT_FALSE(std::filesystem::exists(options.out));
  options.scalar_fill = 2.5;
  run();
  const EnvironmentReader reader(options.out);
  LevelFields<> fields(reader.info());
  reader.read_level(TimeLevel(0), fields);
  const Grid& grid = reader.info().grid;
  EXPECT_EQ(
      fields.scalar[static_cast<std::size_t>(grid.cell(grid.column_at(0), grid.row_at(0)).value)],
      2.5F);
}

TEST_F(Import, JoinsFilesAlongTime) {
  SmallForecast late = forecast;
  late.hour = {24, 30};
  late.write(folder / "late.nc", 0);
  options.files = {folder / "late.nc", folder / "forecast.nc"};
  forecast.write(folder / "forecast.nc");
  const ImportReport report = run();
  EXPECT_EQ(report.info.time.level_count, 6);
  EXPECT_EQ(report.info.time_units, "seconds since 2024-10-28T00:00:00");
}

TEST_F(Import, WorksAcrossTheAntimeridian) {
  forecast.longitude = {178, 179, 180, -179, -178};
  forecast.u = [](double lon, double, double, int member) {
    return 0.1 * (lon < 0 ? lon + 180 : lon - 180) + 0.01 * (member + 1);  // nowhere at rest
  };
  forecast.v = [](double, double, double, int) { return 0.0; };
  run();
  const EnvironmentReader reader(options.out);
  LevelFields<> fields(reader.info());
  reader.read_level(TimeLevel(0), fields);
  const auto longitude = reader.read_longitude();
  for (std::size_t cell = 0; cell < longitude.size(); ++cell) {
    if (fields.dry[cell] != 0) continue;
    ASSERT_NEAR(std::hypot(fields.u_mean[cell], fields.v_mean[cell]),
                std::abs(forecast.u(longitude[cell], 0, 0, 1)), 1e-6);
  }
}

/// One forecast on 20 km cells, with an error whose length is 60 km.
class ImportWithError : public Import {
 protected:
  ImportWithError() {
    forecast.members = 0;
    options.variance.reset();
    options.error_rms = 0.2;
    options.error_length = 60e3;
    options.error_time = 12 * 3600;
  }

  LevelFields<> read(std::int32_t level) const {
    const EnvironmentReader reader(options.out);
    LevelFields<> fields(reader.info());
    reader.read_level(TimeLevel(level), fields);
    return fields;
  }
};

TEST_F(ImportWithError, KeepsTheForecastAsItsMean) {
  const ImportReport report = run();
  const EnvironmentInfo info = EnvironmentReader(options.out).info();
  EXPECT_EQ(info.realization_count, 100);
  EXPECT_EQ(info.uncertainty, ForecastUncertainty::error_model);
  EXPECT_GE(*info.variance_kept, 0.99);
  EXPECT_THAT(report.lines, Contains(HasSubstr("error: rms 0.20, 0.20 and 0.20 m/s")));
  const LevelFields<> with_error = read(2);
  options.error_rms.reset();
  options.error_length.reset();
  options.error_time.reset();
  run();
  const LevelFields<> without_error = read(2);
  const auto cells = static_cast<std::size_t>(info.grid.cell_count());
  double square = 0;
  double open = 0;
  for (std::size_t cell = 0; cell < cells; ++cell) {
    EXPECT_EQ(with_error.masked[cell], without_error.masked[cell]);
    EXPECT_EQ(with_error.u_mean[cell], without_error.u_mean[cell]);
    if (with_error.masked[cell] != 0) continue;
    ++open;
    double mean = 0;
    for (std::size_t r = 0; r < 100; ++r) {
      const double error = velocity(info, with_error, cell, r).first - with_error.u_mean[cell];
      mean += error / 100;
      square += error * error / 100;
    }
    EXPECT_NEAR(mean, 0, 1e-6);
  }
  EXPECT_NEAR(std::sqrt(square / open), 0.2, 0.03);
}

TEST_F(ImportWithError, CountsLeadTimesFromTheFirstFieldOfTheFile) {
  std::ofstream(folder / "model.toml") << R"([forecast_error]
rms = [["0h", 0.1], ["12h", 0.3]]
length = "60km"
slow_time = "12h"
)";
  options.forecast_error = (folder / "model.toml").string();
  options.error_rms.reset();
  options.error_length.reset();
  options.error_time.reset();
  options.step = 6 * 3600;
  run();
  const auto rms = [](const LevelFields<>& fields) {  // the rms of the first mode's coefficients
    double square = 0;
    for (std::size_t r = 0; r < 100; ++r) {
      square += double{fields.coefficient[r]} * fields.coefficient[r] / 100;
    }
    return std::sqrt(square);
  };
  EXPECT_NEAR(rms(read(0)), 0.1, 1e-6);
  EXPECT_NEAR(rms(read(1)), 0.2, 1e-6);
  options.from = parse_iso_time("2024-10-28T06:00:00");
  const std::string first = std::filesystem::path(options.files[0]).string();
  run();
  EXPECT_NEAR(rms(read(0)), 0.2, 1e-6);
}

TEST_F(ImportWithError, MarksAGuessFromTheFlow) {
  options.error_rms.reset();
  options.error_length.reset();
  options.error_time.reset();
  options.forecast_error = default_forecast_error;
  options.realizations = 20;
  const ImportReport report = run();
  const EnvironmentInfo info = EnvironmentReader(options.out).info();
  EXPECT_EQ(info.realization_count, 20);
  EXPECT_EQ(info.uncertainty, ForecastUncertainty::guess);
  // Here the default error is limited to 2σ², the difference of two unrelated flows.
  EXPECT_THAT(report.lines, Contains(::testing::AllOf(HasSubstr("error: rms 0.13, "),
                                                      HasSubstr("a guess; plausible are 0.07"))));
  EXPECT_THAT(info.history, HasSubstr("--realizations 20 --forecast-error default --seed 1"));
  EnvironmentReader reader(options.out);
  const auto scales = reader.file().number_attributes("/", error_scale_range_attribute);
  ASSERT_EQ(scales.size(), 2u);
  EXPECT_LT(scales[0], 1);
  EXPECT_GE(scales[0], 0.5);
  EXPECT_GE(scales[1], 1);
  EXPECT_LE(scales[1], 2);
  const LevelFields<> fields = read(1);
  reader.scale_coefficients(0.5F);
  LevelFields<> scaled(info);
  reader.read_level(TimeLevel(1), scaled);
  EXPECT_EQ(scaled.coefficient[3], 0.5F * fields.coefficient[3]);
  EXPECT_EQ(scaled.u_mean[3], fields.u_mean[3]);
}

TEST_F(ImportWithError, DependsOnlyOnTheSeed) {
  options.realizations = 10;
  const auto bytes = [&] {
    run();
    std::ifstream file(options.out, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(file), {});
  };
  const int before = omp_get_max_threads();
  omp_set_num_threads(1);
  const std::string expected = bytes();
  omp_set_num_threads(3);
  EXPECT_EQ(bytes(), expected);
  omp_set_num_threads(before);
  options.seed = 2;
  EXPECT_NE(bytes(), expected);
}

}  // namespace
}  // namespace tidewise::ingest

// The choice of cells by flow and vehicle, and of steps for a vehicle.

#include "env/import/cell_size.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "base/error.h"
#include "env/file/reader.h"
#include "env/import/import_forecast.h"
#include "env/import/level_step.h"
#include "support/ocean/netcdf_fixture.h"
#include "support/temporary_folder.h"

namespace tidewise::ingest {
namespace {

using test::SmallForecast;
using ::testing::HasSubstr;

TEST(FlowDetail, PredictsTheLossByInterpolation) {
  // Interpolation cuts off a kink of 1 m/s at s (0 to 1) of a cell: a triangle of height s (1 − s).
  // Its mean square is s² (1 − s)² / 3, and 1/90 on average over s.
  double mean_square = 0;
  constexpr int samples = 200;
  for (int n = 0; n < samples; ++n) {
    const double s = (n + 0.5) / samples;
    mean_square += std::pow(s * (1 - s), 2) / 3 / samples;
  }
  FlowDetail detail{.kink = 1, .speed = 10, .spacing = 8000};
  EXPECT_NEAR(detail.interpolation_error(8000), std::sqrt(mean_square) / 10, 1e-6);
  EXPECT_NEAR(detail.interpolation_error(4000), detail.interpolation_error(8000) / std::sqrt(8),
              1e-12);
  EXPECT_EQ((FlowDetail{.kink = 0, .speed = 0, .spacing = 8000}).interpolation_error(8000), 0);
}

TEST(CellChoice, HalvesTheSpacingForDetailedFlow) {
  const FlowDetail smooth{.kink = 0.1, .speed = 1, .spacing = 8000};  // 1.1 %
  const FlowDetail rough{.kink = 0.4, .speed = 1, .spacing = 8000};   // 4.2 %
  EXPECT_EQ(choose_cells(smooth, 0, 1e6).parts, 1);
  EXPECT_EQ(choose_cells(rough, 0, 1e6).parts, 2);
  // A vehicle of 4 km per step needs cells of 8/3 km. At 30 km per step only the flow counts.
  EXPECT_EQ(choose_cells(smooth, 4000, 1e6).parts, 3);
  EXPECT_EQ(choose_cells(rough, 30000, 1e6).parts, 2);
  // Cells of 0.5 km would be a sixteenth; four parts are the limit.
  EXPECT_EQ(choose_cells(rough, 500, 1e6).parts, 4);
  EXPECT_TRUE(choose_cells(rough, 500, 1e6).slow);
  EXPECT_FALSE(choose_cells(rough, 4000, 1e6).slow);
}

TEST(CellChoice, IsLimitedByThePlansMemory) {
  const FlowDetail rough{.kink = 0.4, .speed = 1, .spacing = 8000};
  EXPECT_EQ(choose_cells(rough, 0, 4e7).parts, 2);
  const CellChoice bounded = choose_cells(rough, 0, 6e7);
  EXPECT_EQ(bounded.parts, 1);
  EXPECT_EQ(bounded.wanted, 2);
}

TEST(StepChoice, AllowsAVehicleThreeCellsPerStep) {
  const FlowChange slow_change{.acceleration = 1e-6, .spacing = 9000};  // 0.23 km after 6 h
  const auto chosen_step = [&](double speed, double source_step) {
    return choose_step(slow_change, source_step, limits_for(speed, 9000)) / 3600;
  };
  EXPECT_EQ(chosen_step(0.5, 3600), 6);      // six steps joined: 10.8 km
  EXPECT_EQ(chosen_step(1.5, 3600), 5);      // 27 km in five hours
  EXPECT_EQ(chosen_step(1.5, 3 * 3600), 3);  // three hours, because six are too long
  EXPECT_EQ(chosen_step(5, 6 * 3600), 1);    // 27 km take 1.5 h, so the step is 1 h
  EXPECT_NEAR(chosen_step(15, 3600), 0.5, 1e-9);
  EXPECT_EQ(choose_step(slow_change, 3600), 3600);  // the source's step without a vehicle
  const FlowChange fast_change{.acceleration = 1e-4, .spacing = 9000};  // 5.8 km after 3 h
  EXPECT_EQ(choose_step(fast_change, 3600, limits_for(0.5, 9000)), 2 * 3600);
}

/// A forecast of eddies four points wide. Cells as wide as the spacing of the points would blur
/// them.
class ImportOfEddies : public ::testing::Test {
 protected:
  ImportOfEddies() {
    forecast.members = 0;
    forecast.longitude.clear();
    forecast.latitude.clear();
    for (int n = 0; n < 13; ++n) {
      forecast.longitude.push_back(-8.6 + 0.1 * n);
      forecast.latitude.push_back(40.4 + 0.1 * n);
    }
    const auto wave = [](double degrees) { return std::sin(degrees * 5 * std::numbers::pi); };
    forecast.u = [wave](double, double lat, double, int) { return 0.3 + 0.2 * wave(lat - 41); };
    forecast.v = [wave](double lon, double, double, int) { return 0.2 * wave(lon + 8); };
    forecast.write(options.files.emplace_back(folder / "forecast.nc"));
    options.out = folder / "env.h5";
  }

  ImportReport run() {
    SilentProgress progress;
    return import_forecast(options, progress);
  }

  static std::string cells_line(const ImportReport& report) {
    for (const auto& line : report.lines) {
      if (line.starts_with("cells: ")) return line;
    }
    return "";
  }

  const test::TemporaryFolder folder;
  SmallForecast forecast;
  ImportOptions options;
};

TEST_F(ImportOfEddies, ChoosesCellsOfHalfThePointSpacing) {
  const ImportReport report = run();
  EXPECT_EQ(report.info.grid.dx, 4800);  // the points are 9.7 km apart
  EXPECT_THAT(cells_line(report), HasSubstr("cells: 4.8 km, half of the 9.7 km between"));
  EXPECT_THAT(cells_line(report), HasSubstr("--spacing 9700m keeps the source's"));
  options.spacing = 9700;
  EXPECT_THAT(cells_line(run()), HasSubstr("cells: 9.7 km are wide for this flow"));
  EXPECT_THAT(cells_line(run()), HasSubstr("without --spacing they are 4.8 km"));
  options.spacing = 4000;
  EXPECT_EQ(cells_line(run()), "");
}

TEST_F(ImportOfEddies, KeepsTheSpacingForSmoothFlow) {
  forecast.u = [](double, double lat, double, int) { return 0.3 * (lat - 40); };
  forecast.v = [](double, double, double, int) { return 0.1; };
  forecast.write(options.files[0]);
  const ImportReport report = run();
  EXPECT_EQ(report.info.grid.dx, 9700);
  EXPECT_EQ(cells_line(report), "");
}

TEST_F(ImportOfEddies, FitsCellsAndStepsToTheVehicle) {
  options.vehicle_speed = 0.25;  // 5.4 km in six hours, in cells of a third of 9.7 km
  const ImportReport slow = run();
  EXPECT_EQ(slow.info.time.step, 6 * 3600);
  EXPECT_EQ(slow.info.grid.dx, 3200);
  EXPECT_THAT(cells_line(slow), HasSubstr("a third of the 9.7 km"));
  EXPECT_THAT(cells_line(slow), HasSubstr("a vehicle of 0.25 m/s moves 1.7 cells per step"));
  EXPECT_THAT(slow.info.history, HasSubstr("--vehicle-speed 0.25"));
  options.vehicle_speed = 2;  // 43 km in six hours, 14.4 in two: three cells of 4.8 km
  EXPECT_EQ(run().info.time.step, 2 * 3600);
  options.vehicle_speed = -1;
  EXPECT_THROW(run(), InputError);
}

}  // namespace
}  // namespace tidewise::ingest

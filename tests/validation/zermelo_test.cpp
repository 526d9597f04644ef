#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "solver/backward_induction.h"
#include "support/environment_builder.h"
#include "support/temporary_folder.h"

namespace tidewise {
namespace {

// Zermelo's problem across a jet u(y) along x. Where the flow does not depend on x and t, the
// time-optimal heading θ keeps F / cos θ + u(y) = C (E. Zermelo, 1931; Bryson and Ho, Applied
// Optimal Control, section 2.7), so the exact solution is one number and two quadratures.

constexpr double vehicle_speed = 1.0;
constexpr double jet_speed = 0.6;
constexpr double jet_centre = 30.0;
constexpr double jet_width = 8.0;
constexpr double step = 4.0;

double jet(double y) {
  const double z = (y - jet_centre) / jet_width;
  return jet_speed * std::exp(-z * z);
}

struct Crossing {
  double eastward;
  double time;
};

/// The extremal with C = 1/k from y0 to y1.
Crossing cross(double k, double y0, double y1) {
  constexpr int intervals = 2000;
  const double dy = (y1 - y0) / intervals;
  Crossing crossing{0, 0};
  for (int n = 0; n < intervals; ++n) {
    const double u = jet(y0 + (n + 0.5) * dy);
    const double cosine = vehicle_speed * k / (1 - u * k);
    const double northward = vehicle_speed * std::sqrt(1 - cosine * cosine);
    crossing.time += dy / northward;
    crossing.eastward += (vehicle_speed * cosine + u) * dy / northward;
  }
  return crossing;
}

double optimal_time(double eastward, double y0, double y1) {
  double low = -1 / vehicle_speed + 1e-9;  // due west in still water
  double high = 1 / (vehicle_speed + jet_speed) - 1e-9;
  for (int n = 0; n < 100; ++n) {
    const double middle = (low + high) / 2;
    (cross(middle, y0, y1).eastward < eastward ? low : high) = middle;
  }
  return cross(low, y0, y1).time;
}

/// Mean of (planned − optimal) / optimal over starts south of the jet, on cells of a given size.
double mean_relative_error(double spacing) {
  const test::TemporaryFolder folder;
  auto info = test::plain_info(static_cast<int>(100 / spacing), static_cast<int>(60 / spacing), 19);
  info.grid = {info.grid.nx, info.grid.ny, spacing / 2, spacing / 2, spacing, spacing};
  info.time.step = step;
  test::write_environment(folder / "env.h5", info, [&](TimeLevel, LevelFields<>& fields) {
    for (std::int32_t j = 0; j < info.grid.ny; ++j) {
      for (std::int32_t i = 0; i < info.grid.nx; ++i) {
        fields.u_mean[static_cast<std::size_t>(info.grid.cell(i, j).value)] =
            static_cast<float>(jet(info.grid.y(j)));
      }
    }
  });
  const EnvironmentReader reader(folder / "env.h5");
  const double target_x = 60.25;
  const double target_y = 50.25;
  Mission mission;
  // Arrivals are counted in whole steps: a radius of half a step makes up for it on average.
  mission.target = target_cells(info.grid, target_x, target_y, vehicle_speed * step / 2);
  mission.last = TimeLevel(info.time.level_count - 1);
  PolicyTable policy(info.grid, mission.last);
  SilentProgress progress;
  solve_mission(reader, make_actions({vehicle_speed}, 72, info.grid, info.time), mission,
                {.threads = 2}, policy, progress);
  double sum = 0;
  int starts = 0;
  for (double x = 20.25; x < 75; x += 0.5) {
    for (double y = 4.25; y < 16; y += 0.5) {
      const std::int32_t i = info.grid.column_at(x);
      const std::int32_t j = info.grid.row_at(y);
      const double optimal = optimal_time(target_x - info.grid.x(i), info.grid.y(j), target_y);
      const double planned =
          100.0 - policy.value[static_cast<std::size_t>(info.grid.cell(i, j).value)];
      sum += (planned - optimal) / optimal;
      ++starts;
    }
  }
  return sum / starts;
}

TEST(Zermelo, TheQuadratureIsTheStraightWayInStillWater) {
  // No flow outside the jet: far south of it the way is straight.
  EXPECT_NEAR(optimal_time(3, -104, -100), 5, 1e-6);
}

TEST(Zermelo, ErrorFallsAsCellsAreRefined) {
  const double coarse = mean_relative_error(1.0);
  const double medium = mean_relative_error(0.5);
  const double fine = mean_relative_error(0.25);
  RecordProperty("coarse", std::to_string(coarse));
  RecordProperty("medium", std::to_string(medium));
  RecordProperty("fine", std::to_string(fine));
  printf("relative error of the planned time: 4 cells a step %.4f, 8: %.4f, 16: %.4f\n", coarse,
         medium, fine);
  EXPECT_LT(std::abs(medium), 0.8 * std::abs(coarse));
  EXPECT_LT(std::abs(fine), 0.6 * std::abs(medium));
  EXPECT_LT(std::abs(fine), 0.02);
}

}  // namespace
}  // namespace tidewise

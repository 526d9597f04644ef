#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <utility>
#include <vector>

#include "solver/fly/rollout.h"
#include "solver/induction/backward_induction.h"
#include "support/campaign.h"
#include "support/ocean/environment_builder.h"
#include "support/temporary_folder.h"

namespace tidewise {
namespace {

// Zermelo's problem across a jet u(y) along x. Where the flow does not depend on x and t, the
// time-optimal heading θ satisfies F / cos θ + u(y) = C at speed F (E. Zermelo, 1931; Bryson and
// Ho, Applied Optimal Control, section 2.7), so the exact solution is one number and two
// quadratures.

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

/// Returns the displacement and time of the extremal with C = 1/k from y0 to y1.
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

/// Mean relative errors against the optimal time, over starts south of the jet.
struct Errors {
  double planned = 0;  ///< from the policy's value
  double flown = 0;    ///< error of the time that a continuous flight of the policy takes
};

/// Returns the errors with `across`² realizations, which spread positions evenly over one cell; 1
/// leaves only the jet.
Errors mean_relative_errors(LandingBy landing, double spacing, int across) {
  const test::TemporaryFolder folder;
  auto info = test::plain_info(static_cast<int>(100 / spacing), static_cast<int>(60 / spacing), 25,
                               2, across * across);
  info.grid = {info.grid.nx, info.grid.ny, spacing / 2, spacing / 2, spacing, spacing};
  info.time.step = step;
  test::write_environment(folder / "env.h5", info, [&](TimeLevel, LevelFields<>& fields) {
    const auto cells = static_cast<std::ptrdiff_t>(info.grid.cell_count());
    std::fill_n(fields.u_mode.begin(), cells, static_cast<float>(spacing / step));
    std::fill_n(fields.v_mode.begin() + cells, cells, static_cast<float>(spacing / step));
    const auto realizations = static_cast<std::size_t>(info.realization_count);
    for (int r = 0; r < across * across; ++r) {
      const auto offset = [&](int n) {
        return (static_cast<float>(n) + 0.5F) / static_cast<float>(across) - 0.5F;
      };
      fields.coefficient[static_cast<std::size_t>(r)] = offset(r % across);
      fields.coefficient[realizations + static_cast<std::size_t>(r)] = offset(r / across);
    }
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
  // Arrival is at the rim of a disc, which is one step from its centre.
  const double radius = vehicle_speed * step;
  const double allowance = radius / vehicle_speed;
  mission.target = target_cells(info.grid, target_x, target_y, radius);
  mission.disc = target_disc(info.grid, target_x, target_y, radius);
  mission.last = TimeLevel(info.time.level_count - 1);
  const auto actions = make_actions({vehicle_speed}, 72, info.grid, info.time);
  PolicyTable policy(info.grid, mission.last);
  SilentProgress progress;
  const PlanningProblem problem{actions, mission, position_rule(landing, reader.info())};
  solve_mission(reader, problem, {.threads = 2}, policy, progress);

  Errors sum;
  int starts = 0;
  int flights = 0;
  for (double x = 20.25; x < 75; x += 0.5) {
    for (double y = 4.25; y < 16; y += 0.5, ++starts) {
      const std::int32_t i = info.grid.column_at(x);
      const std::int32_t j = info.grid.row_at(y);
      mission.start = info.grid.cell(i, j);
      mission.start_x = info.grid.x(i);
      mission.start_y = info.grid.y(j);
      const double optimal = optimal_time(target_x - mission.start_x, mission.start_y, target_y);
      const double planned =
          100.0 - policy.value[static_cast<std::size_t>(mission.start.value)] + allowance;
      sum.planned += (planned - optimal) / optimal;
      if (starts % 40 != 0) continue;  // every flight reads the levels again
      const RolloutResult flown =
          fly(reader, problem, policy, {.realizations = {(across * across) / 2}}, progress);
      const Trajectory& flight = flown.trajectories.at(0);
      EXPECT_EQ(flight.outcome, TrajectoryOutcome::arrived) << x << " " << y;
      const double travel_time = flight.steps() * step + allowance;
      sum.flown += (travel_time - optimal) / optimal;
      ++flights;
    }
  }
  return {sum.planned / starts, sum.flown / flights};
}

TEST(Zermelo, QuadratureGivesStraightPathInStillWater) {
  // No flow outside the jet: far south of it the path is straight.
  EXPECT_NEAR(optimal_time(3, -104, -100), 5, 1e-6);
}

Errors report(LandingBy landing, double spacing, int across) {
  const Errors errors = mean_relative_errors(landing, spacing, across);
  std::printf("by %s, %s, %2.0f cells a step: planned %+.2f %%, flown %+.2f %%\n",
              std::string(to_string(landing)).c_str(), across == 1 ? "certain" : "uncertain",
              step / spacing, 100 * errors.planned, 100 * errors.flown);
  return errors;
}

/// Returns (spacing, across) for 4, 8 and at night 16 cells per step, with and without an
/// uncertainty of one cell.
std::vector<std::pair<double, int>> cases() {
  std::vector<std::pair<double, int>> all{{1, 1}, {0.5, 1}, {1, 5}};
  if (test::is_night()) all.insert(all.begin() + 2, {{0.25, 1}, {0.5, 5}});
  return all;
}

TEST(Zermelo, PlanAndFlightByAreaMatchTheExactTime) {
  for (const auto& [spacing, across] : cases()) {
    const Errors errors = report(LandingBy::area, spacing, across);
    EXPECT_LT(std::abs(errors.planned), 0.004) << spacing << " " << across;
    EXPECT_LT(std::abs(errors.flown), 0.004) << spacing << " " << across;
  }
}

/// Rounding to cells can move a planned vehicle half a cell farther in each step, so that its
/// predicted time is too short. Finer cells reduce the error. A flight has no such rounding
/// (docs/trust/accuracy.md).
TEST(Zermelo, ErrorByCellDecreasesWithFinerCells) {
  Errors previous{-1, 1};
  for (const auto& [spacing, across] : cases()) {
    if (across != 1) continue;
    const Errors errors = report(LandingBy::cell, spacing, across);
    EXPECT_LT(errors.planned, 0);
    EXPECT_GT(errors.flown, 0);
    EXPECT_LT(std::abs(errors.planned), 0.8 * std::abs(previous.planned));
    EXPECT_LT(errors.flown, 0.8 * previous.flown);
    previous = errors;
  }
  EXPECT_LT(std::abs(previous.planned), test::is_night() ? 0.02 : 0.04);
  EXPECT_LT(previous.flown, test::is_night() ? 0.01 : 0.02);
}

}  // namespace
}  // namespace tidewise

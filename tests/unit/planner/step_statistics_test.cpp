// Reasons for differences between a plan and its flights, by hand, and the effect of the advised
// remedy.

#include "planner/run/step_statistics.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numbers>
#include <regex>
#include <string>

#include "planner/run/run_mission.h"
#include "solver/policy/policy.h"
#include "support/ocean/environment_builder.h"
#include "support/temporary_folder.h"

namespace tidewise {
namespace {

using std::numbers::pi;
using testing::HasSubstr;
using testing::Not;

/// An environment in metres and seconds, with cells of 4 km and steps of a day.
EnvironmentInfo metric_info() {
  EnvironmentInfo info = test::plain_info(9, 9, 4);
  info.units = Units::metric;
  info.grid.dx = info.grid.dy = 4000;
  info.time.step = 86400;
  return info;
}

TEST(StepStatistics, NamesTheDominantCause) {
  const EnvironmentInfo info = metric_info();
  // Half a cell a step: blurred by 0.41 / 0.5. Three parts make 1.5 cells a step.
  const StepStatistics slow{.cells = 0.5, .own = 0.5, .bend = 0.05, .length = 40, .disc = 1};
  EXPECT_THAT(explain_difference(slow, 0.08, info), HasSubstr("blur it by 82 %"));
  EXPECT_THAT(explain_difference(slow, 0.08, info), HasSubstr("--spacing 1.3km"));
  EXPECT_THAT(explain_difference(slow, -0.08, info), HasSubstr("the current bends a step"))
      << "blur makes no promise too early";
  // Six cells a step, of which a fifth is bent: in five parts, and so that they are whole hours in
  // six; a cell a step then, in place of which it should be one and a half.
  const StepStatistics bent{.cells = 6, .own = 6, .bend = 0.2, .length = 40, .disc = 1};
  EXPECT_THAT(explain_difference(bent, 0.1, info),
              HasSubstr("the current bends a step by 20 % of its length"));
  EXPECT_THAT(explain_difference(bent, 0.1, info), HasSubstr("--step 4h --spacing 2.7km"));
  const StepStatistics kept{
      .cells = 2, .own = 2, .bend = 0.05, .persists = 0.2, .length = 40, .disc = 1};
  EXPECT_THAT(explain_difference(kept, -0.1, info), HasSubstr("current errors persist"));
  EXPECT_THAT(explain_difference(kept, -0.1, info), HasSubstr("20 % of the length of a step"));
  EXPECT_THAT(explain_difference(kept, -0.1, info), Not(HasSubstr("--spacing")));
  // Blurred by 0.41 / 1.5 = 27 %, which makes a plan late too: in two parts.
  const StepStatistics both{.cells = 1.5, .own = 1.5, .persists = 0.2, .length = 40, .disc = 1};
  EXPECT_THAT(explain_difference(both, 0.1, info),
              HasSubstr("smaller cells help too: --spacing 2km"));
  const StepStatistics pointed{.cells = 2, .own = 2, .bend = 0.01, .length = 10, .disc = 0};
  EXPECT_THAT(explain_difference(pointed, 0.05, info), HasSubstr("mission.target_radius to 4000"));
  // Beside it by half a cell, and back when the vehicle surfaces, four cells later: 2 of 40 cells.
  StepStatistics held{
      .cells = 2, .own = 2, .bend = 0.01, .persists = 0.2, .length = 40, .disc = 0.5};
  EXPECT_THAT(explain_difference(held, -0.08, info), HasSubstr("current errors persist"));
  held.held = 4;
  EXPECT_THAT(explain_difference(held, -0.08, info), HasSubstr("mission.target_radius to 4000"));
  EXPECT_EQ(explain_difference({}, 0.05, info), "") << "not one whole step was flown";
}

TEST(StepStatistics, AdvisesImportForSeveralProfiles) {
  const StepStatistics bent{.cells = 6, .own = 6, .bend = 0.2, .length = 40, .disc = 1};
  const StepStatistics slow{.cells = 0.5, .own = 0.5, .bend = 0.05, .length = 40, .disc = 1};
  EnvironmentInfo info = metric_info();
  EXPECT_THAT(validate_straight_line(bent, info),
              HasSubstr("import the forecast, or use 'env resample', with --step 4h --spacing"));
  info.profiles = {{"shallow", "0:200"}, {"deep", "0:1000"}};
  EXPECT_THAT(validate_straight_line(bent, info),
              HasSubstr(": import the forecast with --step 4h --spacing"));
  EXPECT_THAT(explain_difference(slow, 0.08, info),
              HasSubstr(": import the forecast with --spacing 1.3km"));
}

TEST(StraightLine, BendsByTheFlowAlongIt) {
  // By hand: u = 0.1 x, and a vehicle of speed 1 from x = 1.5 along x, steps of 1: the path from x
  // is (0.1 x + 1) (e^0.1 − 1) / 0.1, and by the flow of its beginning 0.1 x + 1.
  EnvironmentInfo info = test::plain_info(9, 9, 2);
  LevelFields<> fields = test::still_level(info);
  for (std::int32_t cell = 0; cell < info.grid.cell_count(); ++cell) {
    const auto here = static_cast<std::size_t>(cell);
    fields.u_mean[here] = static_cast<float>(0.1 * info.grid.x(info.grid.column(CellIndex(cell))));
  }
  Mission mission;
  mission.start_x = 1.5;
  mission.target_x = 6.5;
  mission.start_y = mission.target_y = 4.5;
  StraightLine straight(info, mission, 1);
  straight.add(fields.view(info));
  const StepStatistics steps = straight.result();
  EXPECT_NEAR(steps.bend, 1 - 0.1 / (std::exp(0.1) - 1), 1e-3);
  EXPECT_NEAR(steps.own, 1, 1e-12);
  EXPECT_EQ(steps.length, 5);
  EXPECT_EQ(validate_straight_line(steps, info), "");
  EXPECT_THAT(
      validate_straight_line({.cells = 6, .own = 6, .bend = 0.2, .length = 40}, metric_info()),
      HasSubstr("the prediction will be inaccurate; the current bends a step by 20 %"));
}

/// Straight flights along x from a level on, of this number of steps, each longer than the last.
RolloutResult flights_from(std::int32_t departure, std::size_t steps) {
  RolloutResult rollout;
  rollout.departure = TimeLevel(departure);
  for (int n = 0; n < 3; ++n) {
    Trajectory& flight = rollout.trajectories.emplace_back();
    TrajectoryPoint point{1.5, 1.5 + n, 0, 0.5F, 0, 0};
    for (std::size_t m = 0; m <= steps; ++m) {
      flight.points.push_back(point);
      point.x += 0.1 * static_cast<double>(m + 1);
    }
  }
  return rollout;
}

TEST(StepStatistics, EqualSeparateMeasurements) {
  const test::TemporaryFolder folder;
  EnvironmentInfo info = test::plain_info(9, 9, 9);
  test::write_environment(folder / "ocean.h5", info, [&](TimeLevel k, LevelFields<>& fields) {
    std::fill(fields.u_mean.begin(), fields.u_mean.end(), 0.01F * static_cast<float>(k.value));
  });
  const EnvironmentReader environment(folder / "ocean.h5");
  const std::vector<RolloutResult> rollouts{flights_from(0, 3), flights_from(4, 4),
                                            flights_from(2, 0), flights_from(6, 1)};
  Mission mission;
  mission.start_x = 1.5;
  mission.target_x = 4.5;
  std::vector<FlownMission> flown;
  flown.reserve(rollouts.size());
  for (const RolloutResult& rollout : rollouts) flown.push_back({&mission, &rollout});
  const std::vector<StepStatistics> together = measure_steps(environment, flown, 2);
  ASSERT_EQ(together.size(), rollouts.size());
  for (std::size_t n = 0; n < flown.size(); ++n) {
    const StepStatistics alone = measure_steps(environment, {flown[n]}, 1).front();
    EXPECT_EQ(together[n].cells, alone.cells) << n;
    EXPECT_EQ(together[n].bend, alone.bend) << n;
    EXPECT_EQ(together[n].length, 3) << n;
  }
  // By hand: steps of 0.1, 0.2 and 0.3, where flow and vehicle make 0.5, 0.51 and 0.52; a mean step
  // through the water of 0.5.
  EXPECT_NEAR(together[0].cells, 0.2, 1e-9);
  EXPECT_NEAR(together[0].bend, (0.4 + 0.31 + 0.22) / 3 / 0.5, 1e-6);
  EXPECT_NEAR(together[3].bend, (0.5 + 0.06 - 0.1) / 0.5, 1e-6) << "by the flow of its own level";
  EXPECT_EQ(together[2].cells, 0) << "not one step was flown";
}

/// A certain flow of eddies on a square of 48 by 48, by cells and steps of any size, and a mission
/// across it.
class StepsThroughEddies : public testing::Test {
 protected:
  struct Outcome {
    double off = 0;       ///< difference of the predicted time from the flown one, a share
    std::string warning;  ///< "" where the promise is kept
  };

  /// `speed` and `eddies`: of the vehicle and of the flow at its fastest.
  Outcome plan(double spacing, double step, double speed, double eddies,
               std::optional<double> radius = {}) {
    const auto cells = static_cast<std::int32_t>(std::lround(48 / spacing));
    const auto levels = static_cast<std::int32_t>(std::lround(160 / step)) + 1;
    EnvironmentInfo info = test::plain_info(cells, cells, levels);
    info.grid.x_first = info.grid.y_first = spacing / 2;
    info.grid.dx = info.grid.dy = spacing;
    info.time.step = step;
    test::write_environment(folder_ / "ocean.h5", info, [&](TimeLevel, LevelFields<>& fields) {
      for (std::int32_t cell = 0; cell < info.grid.cell_count(); ++cell) {
        const double x = info.grid.x(info.grid.column(CellIndex(cell))) * pi / 8;
        const double y = info.grid.y(info.grid.row(CellIndex(cell))) * pi / 8;
        const auto here = static_cast<std::size_t>(cell);
        fields.u_mean[here] = static_cast<float>(-eddies * std::sin(x) * std::cos(y));
        fields.v_mean[here] = static_cast<float>(eddies * std::cos(x) * std::sin(y));
      }
    });
    RunRequest request;
    request.name = "m.toml";
    request.environment = folder_ / "ocean.h5";
    request.vehicle.speeds = {speed};
    request.vehicle.headings = 32;
    request.goal.start = {Position::Frame::plane, 6.5, 7.5};
    request.goal.target = {Position::Frame::plane, 38.5, 33.5};
    request.goal.target_radius = radius.value_or(2);
    request.rollout.baselines = BaselineChoice::none;
    MissionProblem run(request);
    SilentProgress silent;
    const auto store = open_store(run, folder_ / "policy.h5", {});
    RunSummary summary = begin_summary(run);
    solve(run, nullptr, ExplicitMethod{}, *store, summary, silent);
    (void)fly(run, store->source(), summary, silent);
    Outcome outcome;
    outcome.off = summary.expected->time / summary.rollout->time.mean - 1;
    for (const std::string& warning : summary.warnings) outcome.warning += warning;
    return outcome;
  }

  /// The value that a warning advises for an option.
  static double told(const std::string& warning, const std::string& option) {
    std::smatch found;
    const bool is_there = std::regex_search(warning, found, std::regex(option + " ([0-9.]+)"));
    EXPECT_TRUE(is_there) << option << ": " << warning;
    return is_there ? std::stod(found[1]) : 1;
  }

  test::TemporaryFolder folder_;
};

TEST_F(StepsThroughEddies, OfASlowVehicleIsBlurredAndSmallerCellsHelp) {
  const Outcome coarse = plan(2, 1, 0.7, 0.5);
  EXPECT_GT(coarse.off, 0.03);
  EXPECT_THAT(coarse.warning, HasSubstr("the bilinear weights at its end blur it"));
  const Outcome fine = plan(told(coarse.warning, "--spacing"), 1, 0.7, 0.5);
  EXPECT_LT(std::abs(fine.off), coarse.off / 2) << fine.warning;
}

TEST_F(StepsThroughEddies, OfLongStepsIsBentAndShorterStepsHelp) {
  const Outcome coarse = plan(1, 8, 0.7, 0.5);
  EXPECT_GT(std::abs(coarse.off), 0.03);
  EXPECT_THAT(coarse.warning, HasSubstr("the current bends a step by"));
  const double step = told(coarse.warning, "--step");
  const bool both = coarse.warning.find("--spacing") != std::string::npos;
  const Outcome fine = plan(both ? told(coarse.warning, "--spacing") : 1, step, 0.7, 0.5);
  EXPECT_LT(std::abs(fine.off), std::abs(coarse.off) / 2) << fine.warning;
}

TEST_F(StepsThroughEddies, ToAPointIsLateByHalfACellAndADiscHelps) {
  const Outcome point = plan(2, 4, 0.7, 0.1, 0);
  EXPECT_GT(std::abs(point.off), 0.03);
  EXPECT_THAT(point.warning, HasSubstr("a plan arrives at the centre of a cell"));
  const Outcome disc = plan(2, 4, 0.7, 0.1, told(point.warning, "mission.target_radius to"));
  EXPECT_LT(std::abs(disc.off), std::abs(point.off) / 2) << disc.warning << point.off;
}

}  // namespace
}  // namespace tidewise

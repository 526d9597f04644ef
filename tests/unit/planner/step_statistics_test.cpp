// Reasons for differences between a plan and its flights, compared with hand calculations, and the
// effect of the advised changes.

#include "planner/run/step_statistics.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
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
  // Half a cell per step is blurred by 0.41 / 0.5. In three parts, cells make 1.5 per step.
  const StepStatistics slow{.cells = 0.5, .own = 0.5, .bend = 0.05, .length = 40, .disc = 1};
  EXPECT_THAT(explain_difference(slow, 0.08, info), HasSubstr("blur it by 82 %"));
  EXPECT_THAT(explain_difference(slow, 0.08, info), HasSubstr("--spacing 1.3km"));
  EXPECT_THAT(explain_difference(slow, -0.08, info), HasSubstr("the current bends a step"))
      << "blur makes no promise too early";
  // Six cells per step, of which a fifth is bent, need five parts, or six for whole hours. A part
  // makes one cell, but should make one and a half.
  const StepStatistics bent{.cells = 6, .own = 6, .bend = 0.2, .length = 40, .disc = 1};
  EXPECT_THAT(explain_difference(bent, 0.1, info),
              HasSubstr("the current bends a step by 20 % of its length"));
  EXPECT_THAT(explain_difference(bent, 0.1, info), HasSubstr("--step 4h --spacing 2.7km"));
  const StepStatistics persistent{
      .cells = 2, .own = 2, .bend = 0.05, .persists = 0.2, .length = 40, .disc = 1};
  EXPECT_THAT(explain_difference(persistent, -0.1, info), HasSubstr("current errors persist"));
  EXPECT_THAT(explain_difference(persistent, -0.1, info),
              HasSubstr("20 % of the length of a step"));
  EXPECT_THAT(explain_difference(persistent, -0.1, info), Not(HasSubstr("--spacing")));
  // A blur of 0.41 / 1.5 = 27 % also makes a plan late; cells in two parts reduce it.
  const StepStatistics blurred{.cells = 1.5, .own = 1.5, .persists = 0.2, .length = 40, .disc = 1};
  EXPECT_THAT(explain_difference(blurred, 0.1, info),
              HasSubstr("smaller cells help too: --spacing 2km"));
  const StepStatistics to_point{.cells = 2, .own = 2, .bend = 0.01, .length = 10, .disc = 0};
  EXPECT_THAT(explain_difference(to_point, 0.05, info), HasSubstr("mission.target_radius to 4000"));
  // The vehicle passes half a cell from the target and returns four cells later: 2 of 40 cells.
  StepStatistics stay{
      .cells = 2, .own = 2, .bend = 0.01, .persists = 0.2, .length = 40, .disc = 0.5};
  EXPECT_THAT(explain_difference(stay, -0.08, info), HasSubstr("current errors persist"));
  stay.held = 4;
  EXPECT_THAT(explain_difference(stay, -0.08, info), HasSubstr("mission.target_radius to 4000"));
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

TEST(StraightLineStatistics, BendsByTheFlowAlongIt) {
  // The flow is u = 0.1 x, and the vehicle's speed is 1. A step of 1 from x has the length
  // (0.1 x + 1) (e^0.1 − 1) / 0.1; by the flow at its beginning, it has 0.1 x + 1.
  EnvironmentInfo info = test::plain_info(9, 9, 2);
  LevelFields<> fields = test::still_level(info);
  for (std::int32_t cell = 0; cell < info.grid.cell_count(); ++cell) {
    const auto index = static_cast<std::size_t>(cell);
    fields.u_mean[index] = static_cast<float>(0.1 * info.grid.x(info.grid.column(CellIndex(cell))));
  }
  Mission mission;
  mission.start_x = 1.5;
  mission.target_x = 6.5;
  mission.start_y = mission.target_y = 4.5;
  StraightLineStatistics straight(info, mission, 1);
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

/// Straight flights of `steps` steps along x, each of which is longer than the one before.
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

// A batch keeps only the departure and the end of most flights.
TEST(StepStatistics, OmitFlightsWithoutTracks) {
  const test::TemporaryFolder folder;
  test::write_environment(folder / "ocean.h5", test::plain_info(9, 9, 9),
                          [&](TimeLevel, LevelFields<>& fields) {
                            std::fill(fields.u_mean.begin(), fields.u_mean.end(), 0.01F);
                          });
  const EnvironmentReader environment(folder / "ocean.h5");
  const RolloutResult tracks = flights_from(0, 3);
  RolloutResult flights = tracks;
  const float nan = std::numeric_limits<float>::quiet_NaN();
  for (const std::int32_t steps : {1, 2}) {
    Trajectory& ends = flights.trajectories.emplace_back();
    ends.points = {{1.5, 1.5, nan, nan, 0, 0}, {4.5, 1.5, nan, nan, 0, 0}};
    ends.skipped = steps - 1;
    EXPECT_FALSE(ends.has_track());
  }
  Mission mission;
  mission.target_x = 4.5;
  const StepStatistics expected = measure_steps(environment, {{&mission, &tracks}}, 1).front();
  const StepStatistics found = measure_steps(environment, {{&mission, &flights}}, 1).front();
  EXPECT_GT(found.bend, 0);
  EXPECT_EQ(found.bend, expected.bend);
  EXPECT_EQ(found.own, expected.own);
  EXPECT_EQ(found.cells, expected.cells);
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
  const std::vector<StepStatistics> all = measure_steps(environment, flown, 2);
  ASSERT_EQ(all.size(), rollouts.size());
  for (std::size_t n = 0; n < flown.size(); ++n) {
    const StepStatistics single = measure_steps(environment, {flown[n]}, 1).front();
    EXPECT_EQ(all[n].cells, single.cells) << n;
    EXPECT_EQ(all[n].bend, single.bend) << n;
    EXPECT_EQ(all[n].length, 3) << n;
  }
  // Steps are 0.1, 0.2 and 0.3, where flow and vehicle would make 0.5, 0.51 and 0.52. The mean step
  // through the water is 0.5.
  EXPECT_NEAR(all[0].cells, 0.2, 1e-9);
  EXPECT_NEAR(all[0].bend, (0.4 + 0.31 + 0.22) / 3 / 0.5, 1e-6);
  EXPECT_NEAR(all[3].bend, (0.5 + 0.06 - 0.1) / 0.5, 1e-6) << "by the flow of its own level";
  EXPECT_EQ(all[2].cells, 0) << "not one step was flown";
}

/// A mission through eddies without forecast error, on a square of 48 by 48 that is divided into
/// cells and steps of any size.
class StepsThroughEddies : public testing::Test {
 protected:
  struct Outcome {
    double error = 0;     ///< of the predicted time, relative to the flown one
    std::string warning;  ///< "" if plan and flights agree
  };

  /// `speed`: of the vehicle; `eddies`: greatest speed of the flow.
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
        const auto index = static_cast<std::size_t>(cell);
        fields.u_mean[index] = static_cast<float>(-eddies * std::sin(x) * std::cos(y));
        fields.v_mean[index] = static_cast<float>(eddies * std::cos(x) * std::sin(y));
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
    MissionProblem problem(request);
    SilentProgress silent;
    const auto store = open_store(problem, folder_ / "policy.h5", {});
    RunSummary summary = begin_summary(problem);
    solve(problem, nullptr, ExplicitMethod{}, *store, summary, silent);
    (void)fly(problem, store->source(), summary, silent);
    Outcome outcome;
    outcome.error = summary.expected->time / summary.rollout->time.mean - 1;
    for (const std::string& warning : summary.warnings) outcome.warning += warning;
    return outcome;
  }

  /// The value that a warning advises for an option.
  static double advised(const std::string& warning, const std::string& option) {
    std::smatch found;
    const bool has_value = std::regex_search(warning, found, std::regex(option + " ([0-9.]+)"));
    EXPECT_TRUE(has_value) << option << ": " << warning;
    return has_value ? std::stod(found[1]) : 1;
  }

  test::TemporaryFolder folder_;
};

TEST_F(StepsThroughEddies, AreLessBlurredInSmallerCells) {
  const Outcome coarse = plan(2, 1, 0.7, 0.5);
  EXPECT_GT(coarse.error, 0.03);
  EXPECT_THAT(coarse.warning, HasSubstr("the bilinear weights at its end blur it"));
  const Outcome fine = plan(advised(coarse.warning, "--spacing"), 1, 0.7, 0.5);
  EXPECT_LT(std::abs(fine.error), coarse.error / 2) << fine.warning;
}

TEST_F(StepsThroughEddies, AreLessBentIfShorter) {
  const Outcome coarse = plan(1, 8, 0.7, 0.5);
  EXPECT_GT(std::abs(coarse.error), 0.03);
  EXPECT_THAT(coarse.warning, HasSubstr("the current bends a step by"));
  const double step = advised(coarse.warning, "--step");
  const bool too_coarse = coarse.warning.find("--spacing") != std::string::npos;
  const Outcome fine = plan(too_coarse ? advised(coarse.warning, "--spacing") : 1, step, 0.7, 0.5);
  EXPECT_LT(std::abs(fine.error), std::abs(coarse.error) / 2) << fine.warning;
}

TEST_F(StepsThroughEddies, ArriveAsPredictedInADisc) {
  const Outcome point = plan(2, 4, 0.7, 0.1, 0);
  EXPECT_GT(std::abs(point.error), 0.03);
  EXPECT_THAT(point.warning, HasSubstr("a plan arrives at the centre of a cell"));
  const Outcome disc = plan(2, 4, 0.7, 0.1, advised(point.warning, "mission.target_radius to"));
  EXPECT_LT(std::abs(disc.error), std::abs(point.error) / 2) << disc.warning << point.error;
}

}  // namespace
}  // namespace tidewise

// Numbers of benchmarks, and their reports.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/progress.h"
#include "bench/growth.h"
#include "bench/planner/benchmark.h"
#include "bench/report.h"

namespace tidewise {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

// 3 s plus 1 s per unit of size, for the sizes 1, 2 and 4. These times are the samples' medians.
Growth affine() {
  return {"cells", "2 actions", "s", {{1, {4, 4, 9}, 1e6}, {2, {1, 5, 5}, 3.2e6}, {4, {7}, 5e6}}};
}

TEST(Growth, SlopeIsTheExponentOfAPower) {
  Growth cubes{"side", "", "s", {}};
  for (const double side : {1.0, 2.0, 5.0, 7.0}) {
    cubes.points.push_back({side, {4 * side * side * side}, 0});
  }
  EXPECT_NEAR(cubes.slope(), 3, 1e-12);
  EXPECT_NEAR(cubes.last_slope(), 3, 1e-12);
}

TEST(Growth, ComputesSlopesOfAnExample) {
  // Logarithms of sizes are equally spaced, so the middle one has no weight: log2(7/4) / 2. The
  // last slope is log2(7/5).
  EXPECT_NEAR(affine().slope(), 0.403677, 1e-6);
  EXPECT_NEAR(affine().last_slope(), 0.485427, 1e-6);
}

TEST(Growth, ReportsTextAndJson) {
  EXPECT_THAT(affine().to_text(), HasSubstr("cells (2 actions), s\n"));
  EXPECT_THAT(affine().to_text(), HasSubstr("5.000      1.000      5.000          3\n"));
  EXPECT_THAT(affine().to_text(), HasSubstr("0.40, of the last two 0.49"));
  const auto json = affine().to_json();
  EXPECT_EQ(json["points"][1]["size"], 2);
  EXPECT_EQ(json["points"][1]["median"], 5);
  EXPECT_EQ(json["points"][1]["device_memory_bytes"], 3.2e6);
  EXPECT_NEAR(json["slope"].get<double>(), 0.403677, 1e-6);
}

BenchmarkReport two_sides() {
  BenchmarkReport report;
  report.sides = {{"slow", {8, 6, 9}}, {"fast", {2, 3, 3}}};
  return report;
}

TEST(BenchmarkReport, ComputesRatiosSampleBySample) {
  EXPECT_EQ(two_sides().median_ratio("slow", "fast"), 3);  // of 4, 2 and 3
}

TEST(BenchmarkReport, ReportsAims) {
  BenchmarkReport report = two_sides();
  report.ratios = {{"slow", "fast", 2, 0}, {"fast", "slow", 0, 5}, {"fast", "fast", 0, 0}};
  EXPECT_THAT(report.to_text(), HasSubstr("slow / fast: 3.00  (aim: at least 2)\n"));
  EXPECT_THAT(report.to_text(), HasSubstr("fast / slow: 0.33  (aim: at most 5)\n"));
  EXPECT_THAT(report.to_text(), HasSubstr("fast / fast: 1.00\n"));
  const auto json = report.to_json();
  EXPECT_EQ(json["ratios"][0]["aim"], 2);
  EXPECT_FALSE(json["ratios"][0].contains("aim_at_most"));
  EXPECT_EQ(json["ratios"][1]["aim_at_most"], 5);
}

// Measures two contenders into `report`, and returns their calls in order.
std::vector<std::string> rounds_of(WarmUp warm_up, BenchmarkReport& report) {
  std::vector<std::string> calls;
  const auto side = [&](const std::string& name, double sample) {
    return BenchmarkContender{name, [&calls, name, sample](std::int32_t round) {
                                calls.push_back(name + std::to_string(round));
                                return sample + round;
                              }};
  };
  SilentProgress progress;
  measure_in_turn({side("a", 10), side("b", 20)}, 2, warm_up, report, progress);
  return calls;
}

TEST(BenchmarkReport, MeasuresContendersInTurnAfterWarmUp) {
  BenchmarkReport cold = two_sides();
  EXPECT_THAT(rounds_of(WarmUp::none, cold), ElementsAre("a1", "b1", "a2", "b2"));
  ASSERT_EQ(cold.sides.size(), 4u);
  EXPECT_EQ(cold.sides[2].name, "a");
  EXPECT_THAT(cold.sides[2].samples, ElementsAre(11, 12));
  EXPECT_THAT(cold.sides[3].samples, ElementsAre(21, 22));
  BenchmarkReport warm;
  EXPECT_THAT(rounds_of(WarmUp::one_round, warm), ElementsAre("a0", "b0", "a1", "b1", "a2", "b2"));
  EXPECT_THAT(warm.sides[0].samples, ElementsAre(11, 12));
}

TEST(PlannerBenchmarkReport, ReportsAllResults) {
  PlannerBenchmarkReport report;
  report.times = two_sides();
  report.steps = 199;
  report.wholes = {{"slow", 1.5, {}}, {"fast", 0.18, {0.19, 0.107}}};
  EXPECT_THAT(report.to_text(), HasSubstr("199 steps"));
  EXPECT_THAT(report.to_text(), HasSubstr("0.1800 s  (aim: at most 0.19 s)  (aim: at most 0.107"));
  EXPECT_EQ(report.to_json()["whole_problem"][1]["seconds"], 0.18);
}

TEST(PlannerGrowthReport, ReportsGrowthsAndTheLargestProblem) {
  const PlannerGrowthReport report{
      "growth", "a machine", {affine()}, LargestProblem{"Large", 2e8, {2, 4, 1}, 3e6}};
  EXPECT_THAT(report.to_text(),
              HasSubstr("Large: 2.000 s, 2e+08 states, 1e+08 states/s, 3 MB (3 runs)"));
  EXPECT_EQ(report.to_json()["growth"][0]["along"], "cells");
  EXPECT_EQ(report.to_json()["largest"]["states_per_second"], 1e8);
}

}  // namespace
}  // namespace tidewise

// Samples along legs, and the forecast's observations from these samples.
#include "learning/flow_observation.h"

#include <gtest/gtest.h>

#include <numeric>

namespace tidewise {
namespace {

EnvironmentInfo small_info() {
  EnvironmentInfo info;
  info.grid = {6, 5, 100, 50, 10, 20};  // centres 100 … 150, 50 … 130
  info.time = {4, 1000, 60};
  info.mode_count = 2;
  info.realization_count = 1;
  return info;
}

/// Mean u = k + x, v = y; mode 0 is 1 along x, mode 1 is x·y/1000 along y.
LevelFields<> linear_level(const EnvironmentInfo& info, std::int32_t k) {
  LevelFields<> fields(info);
  const auto cells = static_cast<std::size_t>(info.grid.cell_count());
  for (std::int32_t j = 0; j < info.grid.ny; ++j) {
    for (std::int32_t i = 0; i < info.grid.nx; ++i) {
      const auto n = static_cast<std::size_t>(info.grid.cell(i, j).value);
      const double x = info.grid.x(i);
      const double y = info.grid.y(j);
      fields.u_mean[n] = static_cast<float>(k + x);
      fields.v_mean[n] = static_cast<float>(y);
      fields.u_mode[n] = 1;
      fields.v_mode[n] = 0;
      fields.u_mode[cells + n] = 0;
      fields.v_mode[cells + n] = static_cast<float>(x * y / 1000);
      fields.masked[n] = 0;
      fields.dry[n] = 0;
    }
  }
  fields.coefficient[0] = fields.coefficient[1] = 0;
  return fields;
}

double total_share(const std::vector<FlowSample>& samples) {
  return std::accumulate(samples.begin(), samples.end(), 0.0,
                         [](double sum, const FlowSample& sample) { return sum + sample.share; });
}

TEST(SampleLeg, GivesEachStepItsShareOfTheTime) {
  const EnvironmentInfo info = small_info();
  // The leg lasts from a quarter of step 0 to half of step 2: 45 + 60 + 30 of 135 s.
  const auto samples = sample_leg(info.grid, info.time, {{{100, 50}, {101, 50}}, {1015, 1150}});
  ASSERT_EQ(samples.size(), 3u);
  EXPECT_EQ(samples[0].level, 0);
  EXPECT_EQ(samples[1].level, 1);
  EXPECT_EQ(samples[2].level, 2);
  EXPECT_NEAR(samples[0].share, 45.0 / 135, 1e-15);
  EXPECT_NEAR(samples[1].share, 60.0 / 135, 1e-15);
  EXPECT_NEAR(samples[2].share, 30.0 / 135, 1e-15);
  EXPECT_NEAR(samples[0].at.x, 100 + 22.5 / 135, 1e-12);  // the middle of its part
  EXPECT_NEAR(samples[1].at.x, 100 + 75.0 / 135, 1e-12);
}

TEST(SampleLeg, DividesLongStepsAndEndsWithTheForecast) {
  const EnvironmentInfo info = small_info();
  const auto samples = sample_leg(info.grid, info.time, {{{100, 50}, {150, 50}}, {1120, 1180}});
  EXPECT_EQ(samples.size(), 20u);  // 5 cells in quarters
  EXPECT_NEAR(total_share(samples), 1, 1e-12);
  for (const FlowSample& sample : samples) EXPECT_EQ(sample.level, 2);
  // A leg may have no motion, or several fixes.
  EXPECT_EQ(sample_leg(info.grid, info.time, {{{100, 50}, {100, 50}}, {1000, 1060}}).size(), 1u);
  const auto bent =
      sample_leg(info.grid, info.time, {{{100, 50}, {110, 50}, {110, 90}}, {1000, 1030, 1180}});
  EXPECT_NEAR(total_share(bent), 1, 1e-12);
}

TEST(FlowOperator, AveragesLinearFlowAlongALeg) {
  const EnvironmentInfo info = small_info();
  FlowOperator flow(sample_leg(info.grid, info.time, {{{105, 60}, {145, 100}}, {1000, 1120}}), 2);
  EXPECT_EQ(flow.levels(), (std::vector<std::int32_t>{0, 1}));
  for (const std::int32_t k : flow.levels()) {
    flow.add(TimeLevel(k), linear_level(info, k).view(info));
  }
  const FlowObservation u = flow.observe_u(3, 0.5);
  const FlowObservation v = flow.observe_v(4, 0.25);
  EXPECT_EQ(u.value, 3);
  EXPECT_EQ(u.error, 0.5);
  EXPECT_NEAR(u.mean, 0.5 + 125, 1e-5);  // x in the middle; k = 0 and 1 last equally long
  EXPECT_NEAR(v.mean, 80, 1e-5);
  EXPECT_NEAR(u.middle, 1, 1e-12);
  ASSERT_EQ(u.parts.size(), 2u);
  EXPECT_NEAR(u.parts[0].sensitivity[0], 0.5, 1e-12);
  EXPECT_NEAR(u.parts[1].sensitivity[0], 0.5, 1e-12);
  EXPECT_EQ(u.parts[0].sensitivity[1], 0);
  // ∫ x·y/1000 over the first half, where x = 105 + 20 s and y = 60 + 20 s.
  EXPECT_NEAR(v.parts[0].sensitivity[1], 0.5 * (105 * 60 + 165 * 10 + 400.0 / 3) / 1000, 1e-3);
  EXPECT_EQ(flow.dry_share(), 0);
  EXPECT_EQ(flow.closed_share(), 0);
}

TEST(FlowOperator, ReportsSharesOnLand) {
  const EnvironmentInfo info = small_info();
  LevelFields<> fields = linear_level(info, 0);
  for (std::int32_t j = 0; j < info.grid.ny; ++j) {
    for (const std::int32_t i : {4, 5}) {
      const auto n = static_cast<std::size_t>(info.grid.cell(i, j).value);
      fields.masked[n] = fields.dry[n] = 1;
    }
  }
  FlowOperator flow({{0, {120, 70}, 0.5}, {0, {148, 70}, 0.3}, {0, {136, 70}, 0.2}}, 2);
  flow.add(TimeLevel(0), fields.view(info));
  EXPECT_NEAR(flow.closed_share(), 0.5, 1e-15);  // the last two
  EXPECT_NEAR(flow.dry_share(), 0.3, 1e-15);     // the third interpolates water in the west
  EXPECT_NEAR(flow.observe_u(0, 1).mean, 0.5 * 120 + 0.2 * 130, 1e-4);
}

}  // namespace
}  // namespace tidewise

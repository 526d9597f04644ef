#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <omp.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "env/gyre/flow/spin_up.h"
#include "support/ocean/gyre_flows.h"

namespace tidewise::gyre {
namespace {

using test::flow_of;
using test::greatest;
using test::random_flow;
using test::relative_distance;
using ::testing::HasSubstr;

constexpr DimensionlessNumbers low_reynolds{20, 1e3, 1e3, 0};

/// Records the reported progress.
class RecordingProgress final : public Progress {
 public:
  void begin(std::string_view, std::int64_t total, std::string_view) override { total_ = total; }
  void advance_to(std::int64_t done) override { done_.push_back(done); }
  void end() override { ended_ = true; }

  std::int64_t total_ = 0;
  std::vector<std::int64_t> done_;
  bool ended_ = false;
};

TEST(SpinUpStages, UseCoarserGridsThatResolveTheBoundaryLayer) {
  // The boundary layer is (1000 · 20)^(−1/3) = 0.0368 wide; grids of 28 cells or more resolve it.
  const auto three_stages = spin_up_stages({200, 200}, low_reynolds, 3);
  ASSERT_EQ(three_stages.size(), 3u);
  EXPECT_EQ(three_stages[0].grid, (StaggeredGrid{50, 50}));
  EXPECT_EQ(three_stages[1].grid, (StaggeredGrid{100, 100}));
  EXPECT_EQ(three_stages[2].grid, (StaggeredGrid{200, 200}));
  EXPECT_DOUBLE_EQ(three_stages[0].duration, 1.5);
  EXPECT_DOUBLE_EQ(three_stages[1].duration, 0.9);
  EXPECT_DOUBLE_EQ(three_stages[2].duration, 0.6);

  const auto two_stages = spin_up_stages({64, 64}, low_reynolds, 1);
  ASSERT_EQ(two_stages.size(), 2u);
  EXPECT_EQ(two_stages[0].grid, (StaggeredGrid{32, 32}));
  EXPECT_DOUBLE_EQ(two_stages[0].duration, 0.8);

  // A grid that is too coarse itself still has the whole duration.
  const auto single_stage = spin_up_stages({16, 16}, low_reynolds, 1);
  ASSERT_EQ(single_stage.size(), 1u);
  EXPECT_EQ(single_stage[0].grid, (StaggeredGrid{16, 16}));
  EXPECT_DOUBLE_EQ(single_stage[0].duration, 1);
}

TEST(SpinUp, GivesTheSameBitsForAnyThreads) {
  const int threads = omp_get_max_threads();
  const auto final_values = [&](int count) {
    omp_set_num_threads(count);
    SilentProgress progress;
    const VelocityField velocity =
        spin_up({{{36, 32}, 0.05}, {{72, 64}, 0.02}}, {50, 1e3, 1e3, 0}, progress);
    omp_set_num_threads(threads);
    return velocity.values();
  };
  EXPECT_EQ(final_values(2), final_values(1));
}

TEST(SpinUp, ReportsProgress) {
  RecordingProgress recording;
  const VelocityField velocity = spin_up({{{8, 8}, 0.3}, {{16, 16}, 0.1}}, low_reynolds, recording);
  EXPECT_EQ(velocity.grid(), (StaggeredGrid{16, 16}));
  EXPECT_EQ(recording.total_, 1000);
  ASSERT_FALSE(recording.done_.empty());
  EXPECT_TRUE(std::is_sorted(recording.done_.begin(), recording.done_.end()));
  EXPECT_NEAR(static_cast<double>(recording.done_.back()), 1000, 1);
  EXPECT_TRUE(recording.ended_);
}

TEST(SpinUp, IsFreeOfDivergenceWithoutMirrorSymmetry) {
  SilentProgress progress;
  const VelocityField velocity = spin_up({{{32, 32}, 0.2}}, {50, 1e3, 1e3, 0}, progress);
  EXPECT_LT(greatest_divergence(velocity), 1e-12 * greatest(velocity) * 64);
  EXPECT_GT(greatest_speed(velocity), 10);
  EXPECT_GT(relative_distance(test::mirrored(velocity), velocity), 0.1);
}

TEST(SpinUp, RefusesInvalidInput) {
  SilentProgress progress;
  EXPECT_THROW(spin_up({2, 40}, low_reynolds, 1, progress), InputError);
  EXPECT_THROW(spin_up({40, 40}, low_reynolds, 0, progress), InputError);
  EXPECT_THROW(spin_up({40, 40}, {0, 1e3, 1e3, 0}, 1, progress), InputError);
  EXPECT_THROW(spin_up({40, 40}, {20, 0, 1e3, 0}, 1, progress), InputError);
  EXPECT_THROW(spin_up({40, 40}, {20, 1e3, -1, 0}, 1, progress), InputError);
  EXPECT_THROW(spin_up(std::vector<SpinUpStage>{}, low_reynolds, progress), InputError);
}

TEST(SpinUp, ReportsARemedyForAFlowThatIsNotFinite) {
  SilentProgress progress;
  try {
    spin_up({{{8, 8}, 1.0}}, {1e3, 1e3, 1e300, 0}, progress);
    FAIL();
  } catch (const RunError& error) {
    EXPECT_THAT(error.what(), HasSubstr("lower Reynolds number or a finer grid"));
  }
}

TEST(Regridded, IsFreeOfDivergenceAndClosed) {
  const VelocityField flow = random_flow({20, 14}, 1);
  for (const StaggeredGrid& grid :
       {StaggeredGrid{40, 28}, StaggeredGrid{33, 50}, StaggeredGrid{9, 7}}) {
    const VelocityField other = regridded(flow, grid);
    EXPECT_LT(greatest_divergence(other), 1e-12 * greatest(other) * (grid.nx + grid.ny));
    for (int j = 0; j < grid.ny; ++j) EXPECT_EQ(other.u(j, 0), 0);
    for (int j = 0; j < grid.ny; ++j) EXPECT_EQ(other.u(j, grid.nx), 0);
    for (int i = 0; i < grid.nx; ++i) EXPECT_EQ(other.v(0, i), 0);
    for (int i = 0; i < grid.nx; ++i) EXPECT_EQ(other.v(grid.ny, i), 0);
  }
}

TEST(Regridded, TheSameGridGivesTheSameFlow) {
  const VelocityField flow = random_flow({20, 14}, 2);
  EXPECT_LT(relative_distance(regridded(flow, {20, 14}), flow), 1e-13);
}

TEST(Regridded, KeepsACubicStreamFunction) {
  // Interpolation is exact for cubics along each axis; this one is 0 on the walls.
  const auto psi = [](double x, double y) { return x * x * (1 - x) * y * (1 - y) * (2 - y); };
  const VelocityField fine = regridded(flow_of({6, 5}, psi), {17, 23});
  EXPECT_LT(relative_distance(fine, flow_of({17, 23}, psi)), 1e-12);
}

TEST(Regridded, ConvergesAtThirdOrder) {
  constexpr double pi = std::numbers::pi;
  const auto psi = [](double x, double y) {
    const double s = std::sin(pi * x);
    return s * s * std::sin(2 * pi * y) * std::exp(x);
  };
  const StaggeredGrid fine{96, 96};
  const VelocityField exact = flow_of(fine, psi);
  const double coarse = relative_distance(regridded(flow_of({12, 12}, psi), fine), exact);
  const double middle = relative_distance(regridded(flow_of({24, 24}, psi), fine), exact);
  EXPECT_GT(std::log2(coarse / middle), 2.7);
  EXPECT_LT(middle, 2e-3);
}

TEST(Regridded, RefusesTooFewCells) {
  EXPECT_THROW(regridded(VelocityField({2, 8}), {16, 16}), InputError);
}

}  // namespace
}  // namespace tidewise::gyre

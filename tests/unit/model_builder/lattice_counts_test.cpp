// The kernels of a cell's cloud for every SIMD target, and the lattice's table.

#include <gtest/gtest.h>

#include "model_builder/direct/engine.h"
#include "model_builder/lattice/counts.h"
#include "model_builder/step/level_spread.h"
#include "support/ocean/counting_problem.h"
#include "support/ocean/plain_counting.h"
#include "support/simd_targets.h"

namespace tidewise {
namespace {

using test::CountingProblem;

class CellKernels : public test::OnEveryTarget {};
INSTANTIATE_TEST_SUITE_P(Targets, CellKernels, testing::ValuesIn(test::simd_targets()),
                         test::name_of_target);

void expect_box(const BinBox& box, const std::vector<std::int32_t>& x,
                const std::vector<std::int32_t>& y) {
  EXPECT_EQ(box.x_min, *std::min_element(x.begin(), x.end()));
  EXPECT_EQ(box.x_max, *std::max_element(x.begin(), x.end()));
  EXPECT_EQ(box.y_min, *std::min_element(y.begin(), y.end()));
  EXPECT_EQ(box.y_max, *std::max_element(y.begin(), y.end()));
}

void expect_packed(const Array<std::int32_t>& packed, const std::vector<std::int32_t>& x,
                   const std::vector<std::int32_t>& y) {
  for (std::size_t r = 0; r < x.size(); ++r) {
    ASSERT_EQ(static_cast<std::int16_t>(packed[r] & 0xffff), x[r]) << r;
    ASSERT_EQ(packed[r] >> 16, y[r]) << r;
  }
}

TEST_P(CellKernels, MatchPlainLoops) {
  unsigned seed = 3;
  for (const int modes : {1, 2, 5, 10, 37}) {
    for (const int realizations : {1, 7, 64, 65, 200}) {
      for (const double spread : {0.01, 0.6, 9.0}) {
        CountingProblem problem(4, 2, modes, realizations);
        problem.randomize(seed++, spread);
        const PositionRule rule{LandingBy::area, modes % 2 == 0 ? 3 : 5};
        const LevelView level = problem.level();
        const DisplacementScale scale(problem.info.grid, problem.info.time);
        const LevelSpread spread_of_level(level, scale, rule);
        CellModes cells[2];
        Array<std::int32_t> packed[2];
        SpreadArguments pair[2];
        for (std::size_t c = 0; c < 2; ++c) {
          cells[c].gather(level, spread_of_level, scale, CellIndex(c == 0 ? 2 : 7));
          packed[c] = Array<std::int32_t>(spread_of_level.row_length());
          pair[c] = cells[c].arguments(spread_of_level);
          ASSERT_TRUE(cells[c].fits_packed_bins());
        }
        BinBox box[2];
        std::int32_t* const out[2] = {packed[0].data(), packed[1].data()};
        packed_bins_of_two(pair, out, box);
        for (std::size_t c = 0; c < 2; ++c) {
          const std::size_t cell = c == 0 ? 2 : 7;
          const auto x = test::plain_bins(level, level.u_mode, cell, 1, rule.bin_bits);
          const auto y = test::plain_bins(level, level.v_mode, cell, 1, rule.bin_bits);
          expect_box(box[c], x, y);
          expect_packed(packed[c], x, y);
          Array<std::int32_t> single(spread_of_level.row_length());
          expect_box(packed_bins(pair[c], single.data()), x, y);
          expect_packed(single, x, y);
          Array<std::int32_t> x_bins(spread_of_level.row_length());
          Array<std::int32_t> y_bins(spread_of_level.row_length());
          spread_bins(pair[c], x_bins.data(), y_bins.data());
          EXPECT_TRUE(std::equal(x.begin(), x.end(), x_bins.begin()));
          EXPECT_TRUE(std::equal(y.begin(), y.end(), y_bins.begin()));
        }
      }
    }
  }
}

TEST_P(CellKernels, UseTheFullRangeOf16Bits) {
  // Two realizations of ±4095.9 cells in bins of 1/8: 32767 is the greatest that fits.
  CountingProblem problem(2, 2, 1, 3);
  problem.randomize(1, 0);
  std::fill(problem.fields.u_mode.begin(), problem.fields.u_mode.end(), 32766.0F / 8);
  std::fill(problem.fields.v_mode.begin(), problem.fields.v_mode.end(), -32766.0F / 8);
  problem.fields.coefficient[0] = 1;
  problem.fields.coefficient[1] = -1;
  problem.fields.coefficient[2] = 0;
  const PositionRule rule{LandingBy::area, 3};
  const DisplacementScale scale(problem.info.grid, problem.info.time);
  const LevelSpread spread(problem.level(), scale, rule);
  CellModes cell;
  cell.gather(problem.level(), spread, scale, CellIndex(0));
  Array<std::int32_t> packed(spread.row_length());
  const BinBox box = packed_bins(cell.arguments(spread), packed.data());
  const auto x = test::plain_bins(problem.level(), problem.level().u_mode, 0, 1, 3);
  EXPECT_NEAR(x[0], 32766, 1);
  expect_box(box, x, test::plain_bins(problem.level(), problem.level().v_mode, 0, 1, 3));
  EXPECT_TRUE(cell.fits_packed_bins());
  std::fill(problem.fields.u_mode.begin(), problem.fields.u_mode.end(), 33000.0F / 8);
  cell.gather(problem.level(), spread, scale, CellIndex(0));
  EXPECT_FALSE(cell.fits_packed_bins());
}

std::int32_t pack(std::int32_t x, std::int32_t y) {
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(y) << 16 |
                                   (static_cast<std::uint32_t>(x) & 0xffffu));
}

TEST_P(CellKernels, AddUpToOneHistogram) {
  for (const std::size_t count : {1u, 5u, 16u, 33u, 100u, 1300u}) {
    const BinBox box{-30, 20, -3, 4};
    const std::int32_t stride = 60;
    std::vector<std::int32_t> packed;
    std::vector<std::uint32_t> expected(8 * 60, 0);
    for (std::size_t n = 0; n < count; ++n) {
      const auto x = static_cast<std::int32_t>(n * 37 % 51) - 30;
      const auto y = static_cast<std::int32_t>(n * 11 % 8) - 3;
      packed.push_back(pack(x, y));
      ++expected[static_cast<std::size_t>((y + 3) * stride + x + 30)];
    }
    std::vector<std::vector<std::uint32_t>> parts(4, std::vector(expected.size(), 0u));
    PartialHistograms histograms;
    for (std::size_t part = 0; part < parts.size(); ++part) histograms[part] = parts[part].data();
    count_packed_bins(packed.data(), count, box, stride, histograms);
    std::vector<std::uint32_t> sum(expected.size(), 0);
    for (const auto& part : parts) {
      for (std::size_t n = 0; n < sum.size(); ++n) sum[n] += part[n];
    }
    EXPECT_EQ(sum, expected) << count;
  }
}

/// The nonzero counts of one cell, by (action, dy, dx).
test::Counts counts_of(const CellTransitions& transitions) {
  test::Collector collector(1);
  collector.accept(0, CellIndex(0), transitions);
  return collector.take();
}

/// Expects the table's counts to equal those of `direct` for a cloud of x, y, whatever the cost.
void expect_table_agrees(const std::vector<std::int32_t>& x, const std::vector<std::int32_t>& y,
                         Displacement mean, const std::vector<Action>& actions,
                         const std::vector<std::uint32_t>& weights) {
  for (const PositionRule& rule : test::position_rules()) {
    SCOPED_TRACE(test::name_of(rule));
    LatticeCounts lattice(actions, rule);
    DirectCounts direct(actions, rule);
    const auto [x_min, x_max] = std::minmax_element(x.begin(), x.end());
    const auto [y_min, y_max] = std::minmax_element(y.begin(), y.end());
    const BinBox box{*x_min, *x_max, *y_min, *y_max};
    std::vector<std::int32_t> packed;
    for (std::size_t r = 0; r < x.size(); ++r) packed.push_back(pack(x[r], y[r]));
    const View<const std::uint32_t> weight{weights.data(), weights.size()};
    if (!lattice.fits(box)) {
      EXPECT_EQ(rule.bin_bits, 8);  // a window of one or two cells fills the table
      continue;
    }
    EXPECT_EQ(counts_of(lattice.count({packed.data(), packed.size()}, box, mean, weight)),
              counts_of(direct.count({x.data(), x.size()}, {y.data(), y.size()}, mean, weight)));
  }
}

TEST(LatticeCounts, MatchTheDirectEngine) {
  const CountingProblem problem(2, 2, 1, 1);
  auto actions = problem.actions({0, 0.3, 2.7}, 11);
  std::mt19937 random(5);
  for (const int count : {1, 2, 30, 300}) {
    for (const double spread : {0.0, 1.0, 9.0, 70.0}) {
      std::normal_distribution<double> normal(0, spread);
      std::vector<std::int32_t> x;
      std::vector<std::int32_t> y;
      std::vector<std::uint32_t> weights;
      for (int r = 0; r < count; ++r) {
        x.push_back(static_cast<std::int32_t>(std::lround(normal(random))) - 7);
        y.push_back(static_cast<std::int32_t>(std::lround(normal(random))) + 3);
        weights.push_back(static_cast<std::uint32_t>(r * 13 % 29));
      }
      const Displacement mean{static_cast<std::int32_t>(random() % (8u << 20)) - (4 << 20),
                              static_cast<std::int32_t>(random() % (8u << 20)) - (4 << 20)};
      expect_table_agrees(x, y, mean, actions, {});
      expect_table_agrees(x, y, mean, actions, weights);
    }
  }
}

TEST(LatticeCounts, HoldTheLargestRowInOneCell) {
  const CountingProblem problem(2, 2, 1, 1);
  // A row of 32767 realizations on one point, 2^31 − 2^16 with bilinear weights.
  const std::vector<std::int32_t> x(32767, 2);
  expect_table_agrees(x, x, {0, 0}, problem.actions({0}, 1), {});
  expect_table_agrees(x, x, {one_cell / 3, one_cell / 2}, problem.actions({0}, 1), {});
  expect_table_agrees({0, 1000}, {5, 5}, {one_cell, 0}, problem.actions({1}, 8), {32766, 1});
}

TEST(LatticeCounts, RejectBoxesThatDoNotPay) {
  const CountingProblem problem(2, 2, 1, 1);
  const auto actions = problem.actions({1}, 32);
  const LatticeCounts lattice(actions, {LandingBy::area, 3});
  EXPECT_TRUE(lattice.pays({-8, 8, -8, 8}, 5000));
  EXPECT_FALSE(lattice.pays({-200, 200, -200, 200}, 10));
  EXPECT_FALSE(lattice.fits({-20000, 20000, 0, 0}));
  EXPECT_FALSE(lattice.fits({-600, 600, -600, 600}));
}

}  // namespace
}  // namespace tidewise

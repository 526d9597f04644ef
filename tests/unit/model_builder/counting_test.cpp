#include <gtest/gtest.h>

#include <limits>
#include <map>
#include <numeric>
#include <set>

#include "base/error.h"
#include "model_builder/engines.h"
#include "model_builder/lattice/axis.h"
#include "model_builder/step/level_bounds.h"
#include "model_builder/step/stencil.h"
#include "model_builder/step/velocity_bound.h"
#include "support/backends.h"
#include "support/ocean/counting_problem.h"

namespace tidewise {
namespace {

using test::Counts;
using Problem = test::CountingProblem;

/// Each case for every engine on every backend, against `paper` on one thread of the CPU.
class Counting : public test::OnEveryCountingBackend {
 protected:
  Counts count(const Problem& problem, const std::vector<Action>& actions,
               const std::vector<std::uint32_t>& weights = {}) const {
    const auto engine = GetParam().make(problem.info.grid, problem.info.time, actions);
    return problem.count(*engine, GetParam().threads, weights);
  }

  /// The same counts as the reference, and every row against the total.
  void expect_agreement(const Problem& problem, const std::vector<Action>& actions,
                        const std::vector<std::uint32_t>& weights = {}) const {
    const Counts found = count(problem, actions, weights);
    EXPECT_TRUE(found == problem.reference(actions, weights));  // too long to be printed
    std::map<std::pair<int, int>, std::uint64_t> sums;
    for (const auto& [key, n] : found) sums[{std::get<0>(key), std::get<1>(key)}] += n;
    EXPECT_EQ(sums.size(), problem.cells.size() * actions.size());
    const std::uint64_t total =
        weights.empty() ? static_cast<std::uint64_t>(problem.info.realization_count)
                        : std::accumulate(weights.begin(), weights.end(), std::uint64_t{0});
    for (const auto& [row, sum] : sums) EXPECT_EQ(sum, total);
  }
};

INSTANTIATE_TEST_SUITE_P(Backends, Counting, testing::ValuesIn(test::counting_backends()),
                         test::backend_name);

TEST(Actions, AreRoundedOnceAndInOrder) {
  const Grid grid{4, 4, 0, 0, 2, 1};
  const auto actions = make_actions({0, 1}, 4, grid, {2, 0, 1});
  ASSERT_EQ(actions.size(), 5u);
  EXPECT_EQ(actions[0].displacement.x, 0);
  EXPECT_EQ(actions[1].displacement.x, one_cell / 2);
  EXPECT_EQ(actions[2].displacement.x, 0);
  EXPECT_EQ(actions[2].displacement.y, one_cell);
  EXPECT_EQ(actions[3].displacement.x, -one_cell / 2);
  EXPECT_THROW(make_actions({}, 4, grid, {2, 0, 1}), InputError);
  EXPECT_THROW(make_actions({-1}, 4, grid, {2, 0, 1}), InputError);
  EXPECT_THROW(make_actions({1, 1}, 4, grid, {2, 0, 1}), InputError);
  EXPECT_THROW(make_actions({1}, 0, grid, {2, 0, 1}), InputError);
  EXPECT_THROW(make_actions({3000}, 4, grid, {2, 0, 1}), InputError);
}

TEST(LatticeStencil, DividingByAnInverseIsExact) {
  for (std::int32_t d = 1; d < 4096; d += d < 300 ? 1 : 37) {
    const float inverse = 1.0F / static_cast<float>(d);
    for (std::int32_t n = -4095; n < 4096; ++n) {
      ASSERT_EQ(floor_divide_by(n, inverse), floor_divide(n, d)) << n << " / " << d;
    }
  }
}

TEST(Landing, ByHand) {
  EXPECT_EQ(landing_offset(0, 0), 0);
  EXPECT_EQ(landing_offset(half_cell - 1, 0), 0);
  EXPECT_EQ(landing_offset(half_cell, 0), 1);  // the lower edge belongs to the next cell
  EXPECT_EQ(landing_offset(-half_cell, 0), 0);
  EXPECT_EQ(landing_offset(-half_cell - 1, 0), -1);
  EXPECT_EQ(to_displacement(0.5F, 1.0F), 0);  // to even
  EXPECT_EQ(to_displacement(1.5F, 1.0F), 2);
}

TEST(LatticeAxis, OffsetsAreWholeRunsOfBins) {
  const std::vector<std::int32_t> a{
      0,      300000, -300000, 1,     -1,   one_cell / 2, 7 * one_cell / 3,
      300003, 300007, -7777,   -7778, -7779};
  const LatticeAxis axis(a);
  const auto tables = axis.tables();
  for (std::int32_t x = -3 * one_cell; x < 3 * one_cell; x += 1733) {
    ASSERT_EQ(fine_bin(x, tables.bins_per_cell, tables.small), axis.bin(x)) << x;
    ASSERT_EQ(fine_bin(x, tables.bins_per_cell, tables.large), axis.bin(x)) << x;
    for (std::size_t n = 0; n < a.size(); ++n) {
      const auto offset = offset_of_bin(axis.bin(x), axis.first_bin()[n], axis.bins_per_cell());
      ASSERT_EQ(offset, landing_offset(x, a[n])) << x << " " << a[n];
    }
  }
}

TEST(LatticeStencil, ByHand) {
  EXPECT_EQ(floor_divide(-7, 3), -3);
  EXPECT_EQ(floor_divide(-6, 3), -2);
  EXPECT_EQ(floor_divide(-1, 3), -1);
  EXPECT_EQ(floor_divide(0, 3), 0);
  EXPECT_EQ(floor_divide(5, 3), 1);
  EXPECT_EQ(cells_touched(1, 4), 1);
  EXPECT_EQ(cells_touched(2, 4), 2);  // they may lie on both sides of a boundary
  EXPECT_EQ(cells_touched(5, 4), 2);
  EXPECT_EQ(cells_touched(6, 4), 3);
  EXPECT_EQ(cells_touched(3, 1), 3);
}

TEST_P(Counting, OneRealizationByHand) {
  Problem problem(3, 3, 1, 1);
  for (auto* field : {&problem.fields.u_mode, &problem.fields.v_mode}) {
    std::fill(field->begin(), field->end(), 0.0F);
  }
  std::fill(problem.fields.u_mean.begin(), problem.fields.u_mean.end(), 0.6F);
  std::fill(problem.fields.v_mean.begin(), problem.fields.v_mean.end(), -1.2F);
  problem.fields.coefficient[0] = 1;
  const auto actions = problem.actions({1}, 4);
  const Counts counts = count(problem, actions);
  ASSERT_EQ(counts.size(), 36u);
  EXPECT_EQ(counts.at({4, 0, -1, 2}), 1u);  // east: 1.6 → 2, −1.2 → −1
  EXPECT_EQ(counts.at({4, 1, 0, 1}), 1u);   // north: 0.6 → 1, −0.2 → 0
  EXPECT_EQ(counts.at({4, 2, -1, 0}), 1u);  // west: −0.4 → 0
  EXPECT_EQ(counts.at({4, 3, -2, 1}), 1u);  // south: −2.2 → −2
  expect_agreement(problem, actions);
}

TEST_P(Counting, RandomCloudsOfAllSizes) {
  unsigned seed = 1;
  for (const int realizations : {1, 2, 15, 16, 17, 63, 64, 65, 333}) {
    for (const double spread : {0.0, 0.05, 0.5, 2.0}) {
      Problem problem(5, 3, 3, realizations);
      problem.randomize(seed++, spread);
      expect_agreement(problem, problem.actions({0.5, 1}, 16));
    }
  }
}

TEST_P(Counting, FewAndManyActions) {
  Problem problem(4, 3, 2, 100);
  problem.randomize(7, 0.6);
  expect_agreement(problem, problem.actions({0}, 8));  // drift alone
  expect_agreement(problem, problem.actions({1}, 1));  // one action
  expect_agreement(problem, problem.actions({0, 0.25, 1}, 3));
  expect_agreement(problem, problem.actions({0.5, 1}, 64));  // gathers, not permutes
  expect_agreement(problem, problem.actions({3.7}, 360));
}

TEST_P(Counting, DisplacementsOnAndBesideThresholds) {
  const int realizations = 7;
  Problem problem(6, 5, 1, realizations);
  const auto actions = problem.actions({0.5, 1}, 16);
  std::vector<std::int32_t> x;
  std::vector<std::int32_t> y;
  for (const auto& action : actions) {
    x.push_back(action.displacement.x);
    y.push_back(action.displacement.y);
  }
  const LatticeAxis x_axis(x);
  const LatticeAxis y_axis(y);
  // mean = threshold, one mode of 2^-20 with coefficients −3 … 3: exactly on it and beside it.
  const auto cells = problem.fields.u_mean.size();
  for (std::size_t c = 0; c < cells; ++c) {
    const auto pick = [&](const LatticeAxis& axis) {
      return static_cast<float>(axis.thresholds()[c % axis.thresholds().size()]) /
             static_cast<float>(one_cell);
    };
    problem.fields.u_mean[c] = pick(x_axis) - static_cast<float>(c % 3);
    problem.fields.v_mean[c] = pick(y_axis) + static_cast<float>(c % 2);
    problem.fields.u_mode[c] = problem.fields.v_mode[c] = 0x1p-20F;
  }
  for (int r = 0; r < realizations; ++r) {
    problem.fields.coefficient[static_cast<std::size_t>(r)] = static_cast<float>(r - 3);
  }
  expect_agreement(problem, actions);
}

TEST_P(Counting, NearbyThresholdsShareEntries) {
  Problem problem(4, 4, 2, 200);
  problem.randomize(11, 0.4);
  std::vector<Action> actions = problem.actions({1}, 8);
  for (int n = 0; n < 12; ++n) {  // a dozen thresholds within a few units of each other
    Action action = actions[1];
    action.displacement.x += n;
    action.displacement.y -= 2 * n;
    actions.push_back(action);
  }
  actions.push_back(actions[0]);  // and one twice
  expect_agreement(problem, actions);
}

TEST_P(Counting, VeryWideCloudsFallBack) {
  Problem problem(3, 2, 2, 64);
  problem.randomize(13, 12.0);  // clouds of some fifty cells: beyond the table
  expect_agreement(problem, problem.actions({0.5, 1}, 16));
  problem.randomize(14, 70.0);  // beyond 16-bit bins as well
  std::fill(problem.fields.v_mode.begin(), problem.fields.v_mode.end(), 0.0F);
  expect_agreement(problem, problem.actions({1}, 64));
}

TEST_P(Counting, VeryWideAndFlatCloudsFallBackToo) {
  // Few rows and more columns of bins than 16 bits hold: u = ±1000 cells, 30 thresholds along x.
  Problem problem(2, 2, 1, 64);
  problem.randomize(31, 0.0);
  std::fill(problem.fields.u_mean.begin(), problem.fields.u_mean.end(), 0.0F);
  std::fill(problem.fields.v_mean.begin(), problem.fields.v_mean.end(), 5.1F);
  std::fill(problem.fields.u_mode.begin(), problem.fields.u_mode.end(), 1000.0F);
  for (std::size_t r = 0; r < 64; ++r) {
    problem.fields.coefficient[r] = static_cast<float>(r) / 31.5F - 1;
  }
  std::vector<Action> actions;
  for (int n = 0; n < 30; ++n) actions.push_back({1, 0, {n * 30000, 0}});
  expect_agreement(problem, actions);
}

TEST_P(Counting, ErrorsLeaveTheParallelRegion) {
  Problem problem(6, 6, 2, 20);
  problem.randomize(37, 0.5);
  class Refusing final : public CountSink {
    void accept(std::int32_t, CellIndex cell, const CellTransitions&) override {
      if (cell.value == 17) throw InputError("cell 17");
    }
  };
  Refusing sink;
  const auto engine =
      GetParam().make(problem.info.grid, problem.info.time, problem.actions({1}, 4));
  EXPECT_THROW(engine->count_level(problem.level(), {}, problem.cell_view(), sink), InputError);
}

TEST_P(Counting, WeightsTakeThePlaceOfOnes) {
  Problem problem(4, 3, 2, 50);
  problem.randomize(17, 0.5);
  std::vector<std::uint32_t> weights(50, (1u << 24) / 50);
  weights[3] += (1u << 24) - std::accumulate(weights.begin(), weights.end(), 0u);
  weights[7] = 0;
  expect_agreement(problem, problem.actions({0.5, 1}, 16), weights);
}

TEST_P(Counting, ASubsetOfCells) {
  Problem problem(5, 5, 2, 40);
  problem.randomize(19, 0.5);
  const auto actions = problem.actions({1}, 16);
  const Counts all = count(problem, actions);
  problem.cells = {CellIndex(3), CellIndex(11), CellIndex(24)};
  const Counts some = count(problem, actions);
  std::set<int> seen;
  for (const auto& [key, n] : some) {
    EXPECT_EQ(all.at(key), n);
    seen.insert(std::get<0>(key));
  }
  EXPECT_EQ(seen, (std::set<int>{3, 11, 24}));
}

TEST_P(Counting, RefusesADisplacementOfAThousandCells) {
  Problem problem(2, 2, 1, 4);
  problem.randomize(23, 0.5);
  problem.fields.u_mean[1] = 1023.5F;
  EXPECT_THROW(count(problem, problem.actions({1}, 4)), InputError);
}

TEST(LevelBounds, RefuseAFlowThatIsNoNumber) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const auto bound = [](const Problem& problem) {
    return bound_displacements(problem.level(),
                               DisplacementScale(problem.info.grid, problem.info.time),
                               problem.cell_view(), problem.actions({1}, 4), 2);
  };
  for (auto field : {&LevelFields<>::u_mean, &LevelFields<>::v_mode, &LevelFields<>::coefficient}) {
    Problem problem(2, 2, 1, 4);
    problem.randomize(23, 0.5);
    EXPECT_NO_THROW(bound(problem));
    (problem.fields.*field)[2] = nan;
    EXPECT_THROW(bound(problem), InputError);
  }
}

TEST(LevelBounds, OfOneVelocityByHand) {
  const float mode[] = {2, 0, -1};  // every other one is another cell's
  const Interval coefficients[] = {{-1, 3}, {0, 2}};
  const Interval bound = bound_velocity(1.0F, mode, 2, coefficients, 2);
  const double slack = (1 + 6 + 2) * 6 * 0x1p-23;
  EXPECT_DOUBLE_EQ(bound.least, 1.0 - 2 - 2 - slack);
  EXPECT_DOUBLE_EQ(bound.greatest, 1.0 + 6 + 0 + slack);
}

TEST(SubGrid, HoldsEveryLanding) {
  Problem problem(6, 6, 3, 200);
  problem.randomize(29, 0.7);
  const auto actions = problem.actions({0.5, 1}, 16);
  const DisplacementScale scale(problem.info.grid, problem.info.time);
  const auto range = bound_displacements(problem.level(), scale, problem.cell_view(), actions, 2);
  const SubGrid subgrid = subgrid_of(range, actions);
  const auto direct =
      make_cpu_engine(Engine::direct, problem.info.grid, problem.info.time, actions, 2);
  for (const auto& [key, n] : problem.count(*direct, 2)) {
    EXPECT_TRUE(subgrid.holds({std::get<3>(key), std::get<2>(key)}));
  }
  for (int i = 0; i < subgrid.size(); ++i) EXPECT_EQ(subgrid.index(subgrid.offset(i)), i);
}

}  // namespace
}  // namespace tidewise

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <set>

#include "base/error.h"
#include "env/weights.h"
#include "model_builder/engines.h"
#include "model_builder/step/level_bounds.h"
#include "model_builder/step/velocity_bound.h"
#include "support/backends.h"
#include "support/ocean/counting_problem.h"
#include "support/ocean/plain_counting.h"

namespace tidewise {
namespace {

using test::Counts;
using test::position_rules;
using Problem = test::CountingProblem;

/// Compares each case with plain loops, for every engine on every backend.
class Counting : public test::OnEveryCountingBackend {
 protected:
  Counts count(const Problem& problem, const PositionRule& rule, const std::vector<Action>& actions,
               const std::vector<std::uint32_t>& weights = {}) const {
    const auto engine = GetParam().make(rule, problem.info.grid, problem.info.time, actions);
    return problem.count(*engine, GetParam().threads, weights);
  }

  /// Expects the counts of plain loops, and the right total in every row.
  void expect_agreement(const Problem& problem, const PositionRule& rule,
                        const std::vector<Action>& actions,
                        const std::vector<std::uint32_t>& weights = {}) const {
    const Counts counts = count(problem, rule, actions, weights);
    EXPECT_TRUE(counts ==
                test::count_plainly(problem, rule, actions, weights));  // too long to print
    std::map<std::pair<int, int>, std::uint64_t> sums;
    for (const auto& [key, n] : counts) sums[{std::get<0>(key), std::get<1>(key)}] += n;
    EXPECT_EQ(sums.size(), problem.cells.size() * actions.size());
    const std::uint64_t total =
        weights.empty() ? static_cast<std::uint64_t>(problem.info.realization_count)
                        : std::accumulate(weights.begin(), weights.end(), std::uint64_t{0});
    for (const auto& [row, sum] : sums) EXPECT_EQ(sum, total * rule.share());
  }

  void expect_agreement(const Problem& problem, const std::vector<Action>& actions) const {
    for (const PositionRule& rule : position_rules()) {
      SCOPED_TRACE(test::name_of(rule));
      expect_agreement(problem, rule, actions);
    }
  }
};

INSTANTIATE_TEST_SUITE_P(Backends, Counting, testing::ValuesIn(test::counting_backends()),
                         test::backend_name);

constexpr PositionRule by_area{LandingBy::area, 3};
constexpr PositionRule by_cell{LandingBy::cell, 3};

TEST(Actions, AreRoundedOnceInOrder) {
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

/// One realization without spread, and a uniform mean flow.
Problem uniform_problem(float u, float v) {
  Problem problem(3, 3, 1, 1);
  for (auto* field : {&problem.fields.u_mode, &problem.fields.v_mode}) {
    std::fill(field->begin(), field->end(), 0.0F);
  }
  std::fill(problem.fields.u_mean.begin(), problem.fields.u_mean.end(), u);
  std::fill(problem.fields.v_mean.begin(), problem.fields.v_mean.end(), v);
  problem.fields.coefficient[0] = 1;
  return problem;
}

TEST_P(Counting, MatchesAHandCalculationWithNearestCell) {
  const Problem problem = uniform_problem(0.6F, -1.2F);
  const auto actions = problem.actions({1}, 4);
  const Counts counts = count(problem, by_cell, actions);
  ASSERT_EQ(counts.size(), 36u);
  EXPECT_EQ(counts.at({4, 0, -1, 2}), 1u);  // east: 1.6 → 2, −1.2 → −1
  EXPECT_EQ(counts.at({4, 1, 0, 1}), 1u);   // north: 0.6 → 1, −0.2 → 0
  EXPECT_EQ(counts.at({4, 2, -1, 0}), 1u);  // west: −0.4 → 0
  EXPECT_EQ(counts.at({4, 3, -2, 1}), 1u);  // south: −2.2 → −2
}

TEST_P(Counting, MatchesAHandCalculationWithBilinearWeights) {
  const Problem problem = uniform_problem(0.25F, -1.5F);
  const auto actions = problem.actions({1}, 4);
  const Counts counts = count(problem, by_area, actions);
  // East: 1.25, −1.5: a quarter goes to column 2, a half to row −1.
  EXPECT_EQ(counts.at({4, 0, -2, 1}), 192u * 128);
  EXPECT_EQ(counts.at({4, 0, -2, 2}), 64u * 128);
  EXPECT_EQ(counts.at({4, 0, -1, 1}), 192u * 128);
  EXPECT_EQ(counts.at({4, 0, -1, 2}), 64u * 128);
  // West: −0.75.
  EXPECT_EQ(counts.at({4, 2, -1, -1}), 192u * 128);
  EXPECT_EQ(counts.at({4, 2, -1, 0}), 64u * 128);
}

TEST_P(Counting, GivesAPositionAtACellCentreToThatCellOnly) {
  const Problem problem = uniform_problem(2, -1);
  const auto actions = problem.actions({0}, 1);
  for (const PositionRule& rule : position_rules()) {
    const Counts counts = count(problem, rule, actions);
    EXPECT_EQ(counts.size(), 9u);
    EXPECT_EQ(counts.at({4, 0, -1, 2}), rule.share());
  }
}

TEST_P(Counting, HasMeansWithin512thOfACellWithoutSpread) {
  for (const double u : {0.3, -1.71, 0.00195, 12.3456}) {
    const Problem problem = uniform_problem(static_cast<float>(u), static_cast<float>(-u / 3));
    const auto actions = problem.actions({0.77}, 7);
    for (const std::int32_t bits : {0, 3, 8}) {
      std::map<int, std::pair<double, double>> mean;  // (action)
      for (const auto& [key, n] : count(problem, {LandingBy::area, bits}, actions)) {
        const auto& [cell, action, dy, dx] = key;
        if (cell != 4) continue;
        mean[action].first += dx * (n / 65536.0);
        mean[action].second += dy * (n / 65536.0);
      }
      for (std::size_t a = 0; a < actions.size(); ++a) {
        const auto [x, y] = mean.at(static_cast<int>(a));
        EXPECT_NEAR(x, u + 0.77 * std::cos(actions[a].heading), 1 / 512.0 + 1e-5);
        EXPECT_NEAR(y, -u / 3 + 0.77 * std::sin(actions[a].heading), 1 / 512.0 + 1e-5);
      }
    }
  }
}

TEST_P(Counting, MatchesPlainLoopsForCloudsOfAllSizes) {
  unsigned seed = 1;
  for (const int realizations : {1, 2, 15, 17, 64, 333}) {
    for (const double spread : {0.0, 0.05, 0.5, 2.0}) {
      Problem problem(5, 3, 3, realizations);
      problem.randomize(seed++, spread);
      expect_agreement(problem, problem.actions({0.5, 1}, 8));
    }
  }
}

TEST_P(Counting, MatchesPlainLoopsForLargeEnsembles) {
  Problem problem(3, 1, 4, 2500);
  problem.randomize(41, 0.3);
  expect_agreement(problem, problem.actions({0.5, 1}, 8));
}

TEST_P(Counting, MatchesPlainLoopsForOneModeAndMany) {
  for (const int modes : {1, 2, 9, 37}) {
    Problem problem(3, 3, modes, 130);
    problem.randomize(static_cast<unsigned>(43 + modes), 0.4 / std::sqrt(modes));
    expect_agreement(problem, problem.actions({0.7}, 6));
  }
}

TEST_P(Counting, MatchesPlainLoopsForFewAndManyActions) {
  Problem problem(4, 3, 2, 100);
  problem.randomize(7, 0.6);
  expect_agreement(problem, problem.actions({0}, 8));  // only drift
  expect_agreement(problem, problem.actions({1}, 1));  // one action
  expect_agreement(problem, problem.actions({0, 0.25, 1}, 3));
  expect_agreement(problem, by_area, problem.actions({3.7}, 360));
  expect_agreement(problem, by_cell, problem.actions({3.7}, 360));
}

TEST_P(Counting, MatchesPlainLoopsOnAndNextToEdges) {
  // Means are within 1/256 of a cell from an edge or a centre, and spreads are whole bins.
  const int realizations = 7;
  Problem problem(6, 5, 1, realizations);
  for (std::size_t c = 0; c < problem.fields.u_mean.size(); ++c) {
    const auto n = static_cast<float>(c);
    problem.fields.u_mean[c] = -2 + 0.25F * n + std::fmod(n, 3.0F) / 256 - 1 / 256.0F;
    problem.fields.v_mean[c] = 1 - 0.5F * n + std::fmod(n, 5.0F) / 512 - 1 / 256.0F;
    problem.fields.u_mode[c] = problem.fields.v_mode[c] = 0.125F;
  }
  for (int r = 0; r < realizations; ++r) {
    problem.fields.coefficient[static_cast<std::size_t>(r)] = static_cast<float>(r - 3);
  }
  expect_agreement(problem, problem.actions({0.5, 1}, 16));
}

TEST_P(Counting, CountsARepeatedAction) {
  Problem problem(4, 4, 2, 200);
  problem.randomize(11, 0.4);
  std::vector<Action> actions = problem.actions({1}, 8);
  actions.push_back(actions[0]);
  expect_agreement(problem, actions);
}

TEST_P(Counting, MatchesPlainLoopsForVeryWideClouds) {
  Problem problem(3, 2, 2, 64);
  problem.randomize(13, 12.0);  // clouds of some fifty cells: too wide for the table
  expect_agreement(problem, problem.actions({0.5, 1}, 16));
  problem.randomize(14, 70.0);  // too wide for 16-bit bins
  std::fill(problem.fields.v_mode.begin(), problem.fields.v_mode.end(), 0.0F);
  expect_agreement(problem, problem.actions({1}, 64));
}

TEST_P(Counting, MatchesPlainLoopsForWideFlatClouds) {
  // Clouds have few rows, and more columns of bins than 16 bits can hold: u = ±1000 cells.
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

TEST_P(Counting, RethrowsErrorsOfTheSink) {
  Problem problem(6, 6, 2, 20);
  problem.randomize(37, 0.5);
  class FailingSink final : public CountSink {
    void accept(std::int32_t, CellIndex cell, const CellTransitions&) override {
      if (cell.value == 17) throw InputError("cell 17");
    }
  };
  FailingSink sink;
  const auto engine =
      GetParam().make(by_area, problem.info.grid, problem.info.time, problem.actions({1}, 4));
  EXPECT_THROW(engine->count_level(problem.level(), {}, problem.cell_view(), sink), InputError);
}

TEST_P(Counting, CountsWithWeights) {
  for (const int realizations : {50, 1500}) {
    Problem problem(4, 3, 2, realizations);
    problem.randomize(17, 0.5);
    for (std::size_t r = 0; r < static_cast<std::size_t>(realizations); ++r) {
      problem.info.realization_weight.push_back(r % 7 == 3 ? 0 : 1 + r % 4);
    }
    problem.info.realization_weight = to_integer_weights(
        {problem.info.realization_weight.begin(), problem.info.realization_weight.end()});
    for (const PositionRule& rule : position_rules()) {
      SCOPED_TRACE(test::name_of(rule));
      expect_agreement(problem, rule, problem.actions({0.5, 1}, 16),
                       counting_weights(problem.info, rule));
    }
  }
}

TEST_P(Counting, CountsASubsetOfCells) {
  Problem problem(5, 5, 2, 40);
  problem.randomize(19, 0.5);
  const auto actions = problem.actions({1}, 16);
  const Counts all = count(problem, by_area, actions);
  problem.cells = {CellIndex(3), CellIndex(11), CellIndex(24)};
  const Counts subset = count(problem, by_area, actions);
  std::set<int> counted;
  for (const auto& [key, n] : subset) {
    EXPECT_EQ(all.at(key), n);
    counted.insert(std::get<0>(key));
  }
  EXPECT_EQ(counted, (std::set<int>{3, 11, 24}));
}

TEST_P(Counting, RejectsADisplacementOfAThousandCells) {
  Problem problem(2, 2, 1, 4);
  problem.randomize(23, 0.5);
  problem.fields.u_mean[1] = 1023.5F;
  EXPECT_THROW(count(problem, by_area, problem.actions({1}, 4)), InputError);
  // The mean itself is limited to 1023 cells, even if the spread cancels it.
  problem.fields.u_mean[1] = 1500;
  problem.fields.u_mode[1] = -1500;
  std::fill(problem.fields.coefficient.begin(), problem.fields.coefficient.end(), 1.0F);
  EXPECT_THROW(count(problem, by_area, problem.actions({1}, 4)), InputError);
}

TEST(LevelBounds, RejectAFlowThatIsNotFinite) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const auto bound = [](const Problem& problem) {
    return bound_displacements(problem.level(),
                               DisplacementScale(problem.info.grid, problem.info.time), by_area,
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

TEST(LevelBounds, MatchAHandCalculation) {
  const float mode[] = {2, 0, -1};  // the other values belong to another cell
  const Interval coefficients[] = {{-1, 3}, {0, 2}};
  const Interval bound = bound_velocity(1.0F, mode, 2, coefficients, 2);
  const double slack = (1 + 6 + 2) * (2 * 0x1p-23 + 0x1p-14 + 0x1p-20) + 6 * 2 * 0x1p-11;
  EXPECT_DOUBLE_EQ(bound.min, 1.0 - 2 - 2 - slack);
  EXPECT_DOUBLE_EQ(bound.max, 1.0 + 6 + 0 + slack);
}

TEST(SubGrid, ContainsEveryLanding) {
  for (const PositionRule& rule : position_rules()) {
    for (const double spread : {0.01, 0.7, 20.0}) {
      Problem problem(6, 6, 3, 200);
      problem.randomize(29, spread);
      const auto actions = problem.actions({0.5, 1}, 16);
      const DisplacementScale scale(problem.info.grid, problem.info.time);
      const auto range =
          bound_displacements(problem.level(), scale, rule, problem.cell_view(), actions, 2);
      const SubGrid subgrid = subgrid_of(range, actions, rule);
      for (const auto& [key, n] : test::count_plainly(problem, rule, actions)) {
        EXPECT_TRUE(subgrid.holds({std::get<3>(key), std::get<2>(key)}));
      }
      for (int i = 0; i < subgrid.size(); ++i) EXPECT_EQ(subgrid.index(subgrid.offset(i)), i);
    }
  }
}

}  // namespace
}  // namespace tidewise

#include <gtest/gtest.h>

#include <cstring>
#include <limits>
#include <map>
#include <numeric>
#include <random>
#include <set>

#include "base/error.h"
#include "env/environment_info.h"
#include "model_builder/counting_engine.h"
#include "model_builder/lattice_axis.h"
#include "model_builder/lattice_engine.h"
#include "model_builder/level_bounds.h"

namespace tidewise {
namespace {

/// Counts by (cell, action, dy, dx), zeros left out: what two engines must agree on.
using Counts = std::map<std::tuple<int, int, int, int>, std::uint32_t>;

class Collector final : public CountSink {
 public:
  explicit Collector(int threads) : parts_(static_cast<std::size_t>(threads)) {}
  void accept(std::int32_t thread, CellIndex cell, const CellCounts& counts) override {
    auto& part = parts_[static_cast<std::size_t>(thread)];
    for (int a = 0; a < counts.action_count; ++a) {
      for (int row = 0; row < counts.height; ++row) {
        for (int column = 0; column < counts.width; ++column) {
          const auto n = counts.row(a, row)[column];
          if (n == 0) continue;
          part[{cell.value, counts.first_action + a, counts.origin[a].dy + row,
                counts.origin[a].dx + column}] += n;
        }
      }
    }
  }
  Counts take() {
    Counts all;
    for (auto& part : parts_) all.merge(part);
    return all;
  }

 private:
  std::vector<Counts> parts_;
};

/// A level whose cells have clouds of a chosen kind.
struct Problem {
  EnvironmentInfo info;
  LevelFields<> fields;
  std::vector<CellIndex> cells;

  Problem(int nx, int ny, int modes, int realizations) {
    info.grid = {nx, ny, 0.5, 0.5, 1, 1};
    info.time = {2, 0, 1};
    info.mode_count = modes;
    info.realization_count = realizations;
    fields = LevelFields<>(info);
    for (int c = 0; c < nx * ny; ++c) cells.emplace_back(c);
    std::fill(fields.closed.begin(), fields.closed.end(), std::uint8_t{0});
  }

  void randomize(unsigned seed, double spread) {
    std::mt19937 random(seed);
    std::normal_distribution<float> normal(0, 1);
    for (auto* field : {&fields.u_mean, &fields.v_mean}) {
      for (auto& value : *field) value = 1.5F * normal(random);
    }
    for (auto* field : {&fields.u_mode, &fields.v_mode}) {
      for (auto& value : *field) value = static_cast<float>(spread) * normal(random);
    }
    for (auto& value : fields.coefficient) value = normal(random);
  }

  Counts count(CountingEngine& engine, int threads,
               const std::vector<std::uint32_t>& weights = {}) const {
    Collector collector(threads);
    engine.count_level(fields.view(info), {weights.data(), weights.size()},
                       {cells.data(), cells.size()}, collector);
    return collector.take();
  }

  Counts count(Engine engine, const std::vector<Action>& actions, int threads = 2,
               const std::vector<std::uint32_t>& weights = {}) const {
    return count(*make_cpu_engine(engine, info.grid, info.time, actions, threads), threads,
                 weights);
  }

  /// Every engine, kernel and number of threads against `paper`; every row against the total.
  void expect_agreement(const std::vector<Action>& actions,
                        const std::vector<std::uint32_t>& weights = {}) const {
    const Counts expected = count(Engine::paper, actions, 1, weights);
    EXPECT_EQ(count(Engine::direct, actions, 2, weights), expected);
    const CellKernels* kernels[4] = {};
    const auto available = available_cell_kernels(kernels);
    for (std::size_t k = 0; k < available; ++k) {
      for (const int threads : {1, 3}) {
        const auto engine =
            make_lattice_engine(info.grid, info.time, actions, threads, *kernels[k]);
        EXPECT_EQ(count(*engine, threads, weights), expected) << kernels[k]->name << threads;
      }
    }
    std::map<std::pair<int, int>, std::uint64_t> sums;
    for (const auto& [key, n] : expected) sums[{std::get<0>(key), std::get<1>(key)}] += n;
    EXPECT_EQ(sums.size(), cells.size() * actions.size());
    const std::uint64_t total =
        weights.empty() ? static_cast<std::uint64_t>(info.realization_count)
                        : std::accumulate(weights.begin(), weights.end(), std::uint64_t{0});
    for (const auto& [row, sum] : sums) EXPECT_EQ(sum, total);
  }
};

std::vector<Action> actions_for(const Problem& problem, std::vector<double> speeds, int headings) {
  return make_actions(speeds, headings, problem.info.grid, problem.info.time);
}

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
    const std::int32_t fraction = x & (one_cell - 1);
    for (const BinTable& table : {tables.small, tables.large}) {
      std::int32_t bin = (x >> 20) * tables.bins_per_cell +
                         ((fraction + table.entry[fraction >> table.shift]) >> 20);
      for (int e = 0; e < table.extra_count; ++e) bin += fraction >= table.extra[e] ? 1 : 0;
      ASSERT_EQ(bin, axis.bin(x)) << x;
    }
    for (std::size_t n = 0; n < a.size(); ++n) {
      const std::int32_t from_first = axis.bin(x) - axis.first_bin()[n];
      const std::int32_t d = axis.bins_per_cell();
      const std::int32_t offset = from_first >= 0 ? from_first / d : -((d - 1 - from_first) / d);
      ASSERT_EQ(offset, landing_offset(x, a[n])) << x << " " << a[n];
    }
  }
}

TEST(Counting, OneRealizationByHand) {
  Problem problem(3, 3, 1, 1);
  for (auto* field : {&problem.fields.u_mode, &problem.fields.v_mode}) {
    std::fill(field->begin(), field->end(), 0.0F);
  }
  std::fill(problem.fields.u_mean.begin(), problem.fields.u_mean.end(), 0.6F);
  std::fill(problem.fields.v_mean.begin(), problem.fields.v_mean.end(), -1.2F);
  problem.fields.coefficient[0] = 1;
  const auto actions = actions_for(problem, {1}, 4);
  const Counts counts = problem.count(Engine::lattice, actions);
  ASSERT_EQ(counts.size(), 36u);
  EXPECT_EQ(counts.at({4, 0, -1, 2}), 1u);  // east: 1.6 → 2, −1.2 → −1
  EXPECT_EQ(counts.at({4, 1, 0, 1}), 1u);   // north: 0.6 → 1, −0.2 → 0
  EXPECT_EQ(counts.at({4, 2, -1, 0}), 1u);  // west: −0.4 → 0
  EXPECT_EQ(counts.at({4, 3, -2, 1}), 1u);  // south: −2.2 → −2
  problem.expect_agreement(actions);
}

TEST(Counting, RandomCloudsOfAllSizes) {
  unsigned seed = 1;
  for (const int realizations : {1, 2, 15, 16, 17, 63, 64, 65, 333}) {
    for (const double spread : {0.0, 0.05, 0.5, 2.0}) {
      Problem problem(5, 3, 3, realizations);
      problem.randomize(seed++, spread);
      problem.expect_agreement(actions_for(problem, {0.5, 1}, 16));
    }
  }
}

TEST(Counting, FewAndManyActions) {
  Problem problem(4, 3, 2, 100);
  problem.randomize(7, 0.6);
  problem.expect_agreement(actions_for(problem, {0}, 8));  // drift alone
  problem.expect_agreement(actions_for(problem, {1}, 1));  // one action
  problem.expect_agreement(actions_for(problem, {0, 0.25, 1}, 3));
  problem.expect_agreement(actions_for(problem, {0.5, 1}, 64));  // gathers, not permutes
  problem.expect_agreement(actions_for(problem, {3.7}, 360));
}

TEST(Counting, DisplacementsOnAndBesideThresholds) {
  const int realizations = 7;
  Problem problem(6, 5, 1, realizations);
  const auto actions = actions_for(problem, {0.5, 1}, 16);
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
  problem.expect_agreement(actions);
}

TEST(Counting, NearbyThresholdsShareEntries) {
  Problem problem(4, 4, 2, 200);
  problem.randomize(11, 0.4);
  std::vector<Action> actions = actions_for(problem, {1}, 8);
  for (int n = 0; n < 12; ++n) {  // a dozen thresholds within a few units of each other
    Action action = actions[1];
    action.displacement.x += n;
    action.displacement.y -= 2 * n;
    actions.push_back(action);
  }
  actions.push_back(actions[0]);  // and one twice
  problem.expect_agreement(actions);
}

TEST(Counting, VeryWideCloudsFallBack) {
  Problem problem(3, 2, 2, 64);
  problem.randomize(13, 12.0);  // clouds of some fifty cells: beyond the table
  problem.expect_agreement(actions_for(problem, {0.5, 1}, 16));
  problem.randomize(14, 70.0);  // beyond 16-bit bins as well
  std::fill(problem.fields.v_mode.begin(), problem.fields.v_mode.end(), 0.0F);
  problem.expect_agreement(actions_for(problem, {1}, 64));
}

TEST(Counting, VeryWideAndFlatCloudsFallBackToo) {
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
  problem.expect_agreement(actions);
}

TEST(Counting, ErrorsLeaveTheParallelRegion) {
  Problem problem(6, 6, 2, 20);
  problem.randomize(37, 0.5);
  class Refusing final : public CountSink {
    void accept(std::int32_t, CellIndex cell, const CellCounts&) override {
      if (cell.value == 17) throw InputError("cell 17");
    }
  };
  for (const Engine engine : {Engine::paper, Engine::direct, Engine::lattice}) {
    Refusing sink;
    const auto counter = make_cpu_engine(engine, problem.info.grid, problem.info.time,
                                         actions_for(problem, {1}, 4), 2);
    EXPECT_THROW(counter->count_level(problem.fields.view(problem.info), {},
                                      {problem.cells.data(), problem.cells.size()}, sink),
                 InputError);
  }
}

TEST(Counting, WeightsTakeThePlaceOfOnes) {
  Problem problem(4, 3, 2, 50);
  problem.randomize(17, 0.5);
  std::vector<std::uint32_t> weights(50, (1u << 24) / 50);
  weights[3] += (1u << 24) - std::accumulate(weights.begin(), weights.end(), 0u);
  weights[7] = 0;
  problem.expect_agreement(actions_for(problem, {0.5, 1}, 16), weights);
}

TEST(Counting, ASubsetOfCells) {
  Problem problem(5, 5, 2, 40);
  problem.randomize(19, 0.5);
  const auto actions = actions_for(problem, {1}, 16);
  const Counts all = problem.count(Engine::lattice, actions);
  problem.cells = {CellIndex(3), CellIndex(11), CellIndex(24)};
  const Counts some = problem.count(Engine::lattice, actions);
  std::set<int> seen;
  for (const auto& [key, n] : some) {
    EXPECT_EQ(all.at(key), n);
    seen.insert(std::get<0>(key));
  }
  EXPECT_EQ(seen, (std::set<int>{3, 11, 24}));
}

TEST(Counting, RefusesADisplacementOfAThousandCells) {
  Problem problem(2, 2, 1, 4);
  problem.randomize(23, 0.5);
  problem.fields.u_mean[1] = 1023.5F;
  for (const Engine engine : {Engine::paper, Engine::direct, Engine::lattice}) {
    EXPECT_THROW(problem.count(engine, actions_for(problem, {1}, 4)), InputError);
  }
}

TEST(Counting, RefusesAFlowThatIsNoNumber) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const auto bound = [](const Problem& problem) {
    return bound_displacements(
        problem.fields.view(problem.info), DisplacementScale(problem.info.grid, problem.info.time),
        {problem.cells.data(), problem.cells.size()}, actions_for(problem, {1}, 4), 2);
  };
  for (auto field : {&LevelFields<>::u_mean, &LevelFields<>::v_mode, &LevelFields<>::coefficient}) {
    Problem problem(2, 2, 1, 4);
    problem.randomize(23, 0.5);
    EXPECT_NO_THROW(bound(problem));
    (problem.fields.*field)[2] = nan;
    EXPECT_THROW(bound(problem), InputError);
  }
}

TEST(SubGrid, HoldsEveryLanding) {
  Problem problem(6, 6, 3, 200);
  problem.randomize(29, 0.7);
  const auto actions = actions_for(problem, {0.5, 1}, 16);
  const DisplacementScale scale(problem.info.grid, problem.info.time);
  const auto range = bound_displacements(problem.fields.view(problem.info), scale,
                                         {problem.cells.data(), problem.cells.size()}, actions, 2);
  const SubGrid subgrid = subgrid_of(range, actions);
  for (const auto& [key, n] : problem.count(Engine::direct, actions)) {
    EXPECT_TRUE(subgrid.holds({std::get<3>(key), std::get<2>(key)}));
  }
  for (int i = 0; i < subgrid.size(); ++i) EXPECT_EQ(subgrid.index(subgrid.offset(i)), i);
}

}  // namespace
}  // namespace tidewise

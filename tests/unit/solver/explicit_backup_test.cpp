// The explicit solver's kernels, run on the host, give the same bits as LevelBackup.

#include <gtest/gtest.h>

#include <bit>
#include <cstring>

#include "explicit_level_fixture.h"
#include "solver/explicit/backup.h"
#include "solver/explicit/sparse_row.h"
#include "support/host_warp.h"

namespace tidewise {
namespace {

using test::ExplicitLevel;
using test::HostWarp;

TEST(BestAction, OrdersBitsLikeNumbers) {
  const float ascending[] = {-INFINITY, -3e38F, -1000.5F, -1e-40F, 0.0F, 1e-40F, 99.0F, INFINITY};
  for (std::size_t n = 0; n < std::size(ascending); ++n) {
    EXPECT_EQ(number_of(ordered_bits(ascending[n])), ascending[n]);
    if (n > 0) {
      EXPECT_LT(ordered_bits(ascending[n - 1]), ordered_bits(ascending[n]));
    }
  }
}

TEST(BestAction, PrefersTheLowestIndexAndIgnoresNan) {
  BestAction found;
  test::run_warp([&](const HostWarp& warp) {
    BestAction best_of_lane;
    best_of_lane.consider(warp.lane() % 3 == 1 ? 5.0F : NAN, warp.lane() + 100);
    const BestAction best = best_of(warp, best_of_lane);
    if (warp.lane() == 31) found = best;
  });
  EXPECT_EQ(found.value, 5.0F);
  EXPECT_EQ(found.action, 101);
  test::run_warp([&](const HostWarp& warp) {
    BestAction best_of_lane;
    best_of_lane.consider(NAN, warp.lane());
    const BestAction best = best_of(warp, best_of_lane);
    if (warp.lane() == 0) found = best;
  });
  EXPECT_EQ(found.value, -INFINITY);
  EXPECT_EQ(found.action, no_action);
}

// Open water of 9 × 9 cells, one of which closes at the next level; the target is at (4, 6).
class Outcomes : public testing::Test {
 protected:
  OutcomeWord find(std::int32_t closed_column, std::int32_t closed_row, LastStep last,
                   std::int32_t cell) {
    std::vector<std::uint8_t> masked = open_;
    masked[static_cast<std::size_t>(grid_.cell(closed_column, closed_row).value)] = 1;
    LandingRule rule;
    rule.grid = grid_;
    rule.last_step = last;
    rule.target = target_;
    rule.masked_now = open_;
    rule.masked_next = masked;
    PackedView level;
    level.window = windows_;
    std::vector<OutcomeWord> found(81);
    const FindOutcomes work{rule, level, 1, found};
    test::run_warp([&](const HostWarp& warp) { work(warp, cell); });
    return found[static_cast<std::size_t>(cell)];
  }
  std::int32_t place(std::int32_t dx, std::int32_t dy) const { return window_.place({dx, dy}); }

  Grid grid_ = test::plain_info(9, 9, 3).grid;
  CellStencil window_{-1, 2, -1, 2};
  std::vector<CellStencil> windows_ = std::vector<CellStencil>(81, window_);
  std::vector<std::uint8_t> open_ = std::vector<std::uint8_t>(81, 0);
  std::vector<std::uint8_t> target_ = target_cells(grid_, 4.5, 6.5, 0);
};

TEST_F(Outcomes, AreUnderWayInOpenWaterUntilTheTarget) {
  const OutcomeWord found = find(0, 0, LastStep::no, grid_.cell(4, 4).value);
  EXPECT_FALSE(found.is_decided());
  for (std::int32_t n = 0; n < window_.size(); ++n) {
    EXPECT_EQ(found.at(n, LastStep::no),
              n == place(0, 2) ? StepOutcome::arrived : StepOutcome::under_way)
        << n;
  }
}

TEST_F(Outcomes, BlockAnObstaclesCellAndThePathsThroughIt) {
  const OutcomeWord found = find(5, 5, LastStep::no, grid_.cell(4, 4).value);
  EXPECT_EQ(found.at(place(1, 1), LastStep::no), StepOutcome::obstacle);
  EXPECT_EQ(found.at(place(2, 2), LastStep::no), StepOutcome::obstacle);
  EXPECT_EQ(found.at(place(2, 0), LastStep::no), StepOutcome::under_way);
  EXPECT_EQ(found.at(place(0, 2), LastStep::no), StepOutcome::arrived);
}

TEST_F(Outcomes, FailAtTheBorderAndWhenTimeIsUp) {
  const OutcomeWord corner = find(0, 8, LastStep::no, grid_.cell(8, 0).value);
  EXPECT_EQ(corner.at(place(1, 0), LastStep::no), StepOutcome::out_of_domain);
  EXPECT_EQ(corner.at(place(0, -1), LastStep::no), StepOutcome::out_of_domain);
  EXPECT_EQ(corner.at(place(-1, 1), LastStep::no), StepOutcome::under_way);
  const OutcomeWord late = find(0, 0, LastStep::yes, grid_.cell(4, 4).value);
  EXPECT_EQ(late.at(place(0, 0), LastStep::yes), StepOutcome::out_of_time);
  EXPECT_EQ(late.at(place(0, 2), LastStep::yes), StepOutcome::arrived);
}

TEST_F(Outcomes, MarkTheTargetAsDecided) {
  EXPECT_TRUE(find(0, 0, LastStep::no, grid_.cell(4, 6).value).is_decided());
}

// Parameters: objective, number of headings (at two speeds), weighted realizations, last step.
class ExplicitKernels : public testing::TestWithParam<std::tuple<Objective, int, bool, bool>> {
 protected:
  ExplicitKernels()
      : level_({.objective = std::get<0>(GetParam()),
                .headings = std::get<1>(GetParam()),
                .weighted = std::get<2>(GetParam()),
                .last_step = std::get<3>(GetParam())}),
        rewards_(level_.rewards()),
        rule_(level_.rule(rewards_)),
        value_(level_.value.size(), NAN),
        action_(level_.value.size(), -7) {}

  PackedLevel<MemorySpace::host> packed() const {
    PackedLevel<MemorySpace::host> packed;
    pack(level_.rows, level_.subgrid, level_.action_count(), level_.total(), 1, packed);
    return packed;
  }

  View<float> value() { return value_; }
  View<std::int16_t> action() { return action_; }

  template <template <class> class Source, class Entry>
  void back_up() {
    const auto packed = this->packed();
    const PackedView view = packed.view();
    const std::int32_t words = outcome_words(packed.max_window_places);
    std::vector<OutcomeWord> outcomes(packed.cells() * static_cast<std::size_t>(words));
    const FindOutcomes find_outcomes{rule_.outcome.landing, view, words, outcomes};
    rule_.outcomes = outcomes;
    rule_.words = words;
    const std::uint32_t kind_bytes =
        4 * std::bit_ceil(static_cast<std::uint32_t>(packed.max_window_places));
    const auto table_bytes = kind_bytes * static_cast<std::uint32_t>(rewards_.kind.size());
    Array<unsigned char> shared(2 * table_bytes);  // uses the second warp's part, to test offsets
    test::run_warp([&](const HostWarp& warp) {
      for (std::int32_t cell = 0; cell < packed.cell_count; ++cell) find_outcomes(warp, cell);
      warp.sync();
      const WarpScratch scratch{shared.data(), table_bytes, kind_bytes};
      const std::int32_t middle = 45;  // batches of 32 and 13, then of 32, … and the rest
      back_up_cells<Source, Entry>(warp, rule_, view, scratch, 0, middle, value(), action());
      back_up_cells<Source, Entry>(warp, rule_, view, scratch, middle, packed.cell_count, value(),
                                   action());
    });
  }

  template <template <class> class Source>
  void expect_same_bits() {
    if (std::get<2>(GetParam())) {
      back_up<Source, WideEntry>();
    } else {
      back_up<Source, NarrowEntry>();
    }
    expect_cpu_results();
  }

  void expect_cpu_results() const {
    EXPECT_EQ(action_, level_.action);
    EXPECT_EQ(std::memcmp(value_.data(), level_.value.data(), value_.size() * sizeof(float)), 0);
  }

  ExplicitLevel level_;
  ActionRewards rewards_;
  ExplicitRule rule_;
  std::vector<float> value_;
  std::vector<std::int16_t> action_;
};

TEST_P(ExplicitKernels, MatchTheCpuWithPaddedRows) { expect_same_bits<PaddedSource>(); }

TEST_P(ExplicitKernels, MatchTheCpuWithFullSlices) {
  if (level_.action_count() % rows_per_slice != 0) GTEST_SKIP() << "of multiples of 32 actions";
  expect_same_bits<FullSource>();
}

TEST_P(ExplicitKernels, MatchTheCpuByLookUp) {
  const auto packed = this->packed();
  std::vector<float> expected(packed.rows());
  const LookUpRow look_up{rule_, packed.view(), expected};
  for (std::size_t row = 0; row < expected.size(); ++row) look_up(row);
  test::run_warp([&](const HostWarp& warp) {
    for (std::int32_t cell = 0; cell < packed.cell_count; ++cell) {
      choose_action(warp, rule_, packed.action_count, expected, {}, cell, value(), action());
    }
  });
  expect_cpu_results();
}

TEST_P(ExplicitKernels, MatchTheCpuToRoundingBySparseMatrix) {
  const auto packed = this->packed();
  const PackedView view = packed.view();
  std::vector<float> zero(level_.value.size(), 0.0F);
  ExplicitRule rule = rule_;
  rule.outcome.value_next = zero;
  std::vector<std::int32_t> start(packed.rows() + 1, 0);
  for (std::size_t row = 0; row < packed.rows(); ++row) {
    CountSparseRow{rule, view, {start.data() + 1, packed.rows()}}(row);
    start[row + 1] += start[row];
  }
  const auto entries = static_cast<std::size_t>(start.back());
  std::vector<std::int32_t> column(entries);
  std::vector<float> probability(entries);
  std::vector<float> immediate(packed.rows());
  std::vector<float> expected(packed.rows());
  const LookUpRow look_up{rule_, view, expected};
  for (std::size_t row = 0; row < packed.rows(); ++row) {
    FillSparseRow{rule,     view, start, {column.data(), entries}, {probability.data(), entries},
                  immediate}(row);
    look_up(row);
    double product = immediate[row];
    double probabilities = 0;
    for (auto n = static_cast<std::size_t>(start[row]);
         n < static_cast<std::size_t>(start[row + 1]); ++n) {
      product += probability[n] * level_.value_next[static_cast<std::size_t>(column[n])];
      probabilities += probability[n];
    }
    ASSERT_NEAR(product, expected[row], 1e-4 * (1 + std::abs(expected[row]))) << row;
    ASSERT_LE(probabilities, 1 + 1e-5);
  }
  if (std::get<3>(GetParam())) {
    EXPECT_EQ(entries, 0u);  // no vehicle is under way after the last step
  }
}

INSTANTIATE_TEST_SUITE_P(Missions, ExplicitKernels,
                         testing::Values(std::tuple(Objective::time, 8, false, false),
                                         std::tuple(Objective::time, 16, false, false),
                                         std::tuple(Objective::energy, 16, false, false),
                                         std::tuple(Objective::net_energy, 20, false, false),
                                         std::tuple(Objective::weighted, 3, true, false),
                                         std::tuple(Objective::net_energy, 8, true, true)),
                         [](const auto& test) {
                           return std::string(to_string(std::get<0>(test.param))) + "_" +
                                  std::to_string(2 * std::get<1>(test.param)) + "_actions" +
                                  (std::get<2>(test.param) ? "_weighted" : "") +
                                  (std::get<3>(test.param) ? "_last_step" : "");
                         });

}  // namespace
}  // namespace tidewise

// The kernels of the explicit solver, run on the host: same bits as LevelBackup.

#include "solver/explicit_backup.h"

#include <gtest/gtest.h>

#include <cstring>

#include "explicit_level_fixture.h"
#include "solver/sparse_row.h"
#include "support/host_warp.h"

namespace tidewise {
namespace {

using test::ExplicitLevel;
using test::HostWarp;

TEST(BestAction, OrderedBitsOrderAsNumbersDo) {
  const float rising[] = {-INFINITY, -3e38F, -1000.5F, -1e-40F, 0.0F, 1e-40F, 99.0F, INFINITY};
  for (std::size_t n = 0; n < std::size(rising); ++n) {
    EXPECT_EQ(number_of(ordered_bits(rising[n])), rising[n]);
    if (n > 0) {
      EXPECT_LT(ordered_bits(rising[n - 1]), ordered_bits(rising[n]));
    }
  }
}

TEST(BestAction, TheLowestOfEqualsWinsAndNoNumberNone) {
  BestAction found;
  test::run_warp([&](const HostWarp& warp) {
    BestAction mine;
    mine.consider(warp.lane() % 3 == 1 ? 5.0F : NAN, warp.lane() + 100);
    const BestAction best = best_of(warp, mine);
    if (warp.lane() == 31) found = best;
  });
  EXPECT_EQ(found.value, 5.0F);
  EXPECT_EQ(found.action, 101);
  test::run_warp([&](const HostWarp& warp) {
    BestAction mine;
    mine.consider(NAN, warp.lane());
    const BestAction best = best_of(warp, mine);
    if (warp.lane() == 0) found = best;
  });
  EXPECT_EQ(found.value, -INFINITY);
  EXPECT_EQ(found.action, no_action);
}

TEST(Outcomes, AnObstacleOnTheWayIsSeenFromAfar) {
  // One cell away from the window's edge nothing is marked; on it, or within, the rule decides.
  const auto info = test::plain_info(9, 9, 3);
  std::vector<float> value_next(81, 7.0F);
  const float kind[] = {-1.0F};
  const std::vector<std::uint8_t> open(81, 0);
  for (const std::int32_t column : {6, 7}) {
    std::vector<std::uint8_t> closed(81, 0);
    closed[static_cast<std::size_t>(info.grid.cell(column, 4).value)] = 1;
    std::vector<std::uint8_t> mark(81, 0);
    for (std::size_t cell = 0; cell < 81; ++cell) {
      MarkCells{ExplicitLevel::view(open), ExplicitLevel::view(closed), ExplicitLevel::view(open),
                View<std::uint8_t>{mark.data(), mark.size()}}(cell);
    }
    ExplicitRule rule;
    rule.outcome.landing.grid = info.grid;
    rule.outcome.landing.target = ExplicitLevel::view(open);
    rule.outcome.landing.closed_now = ExplicitLevel::view(open);
    rule.outcome.landing.closed_next = ExplicitLevel::view(closed);
    rule.outcome.value_next = ExplicitLevel::view(value_next);
    rule.outcome.failure_penalty = -1000;
    rule.kind = {kind, 1};
    rule.mark = ExplicitLevel::view(mark);
    const CellWindow window{0, 2, -1, 1};
    EXPECT_TRUE(lies_inside(rule, window, 4, 4));
    EXPECT_FALSE(lies_inside(rule, window, 7, 4));
    EXPECT_FALSE(lies_inside(rule, window, 4, 0));
    std::vector<float> table(9);
    test::run_warp(
        [&](const HostWarp& warp) { fill_outcomes(warp, rule, window, 4, 4, table.data(), 9); });
    const float there = column == 6 ? -1000.0F : 6.0F;
    EXPECT_EQ(table[static_cast<std::size_t>(window.place({2, 0}))], there);
    EXPECT_EQ(table[static_cast<std::size_t>(window.place({1, 1}))], 6.0F);
    EXPECT_EQ(table[static_cast<std::size_t>(window.place({0, 0}))], 6.0F);
  }
}

/// Objective, headings (actions on two speeds), weights, the last step.
class Kernels : public testing::TestWithParam<std::tuple<Objective, int, bool, bool>> {
 protected:
  Kernels()
      : level_({.objective = std::get<0>(GetParam()),
                .headings = std::get<1>(GetParam()),
                .weighted = std::get<2>(GetParam()),
                .last_step = std::get<3>(GetParam())}),
        rewards_(level_.rewards()),
        rule_(level_.rule(rewards_, mark_)),
        value_(level_.value.size(), NAN),
        action_(level_.value.size(), -7) {}

  PackedLevel<MemorySpace::host> pack_in(BlockOrder order) const {
    PackedLevel<MemorySpace::host> packed;
    pack(level_.rows, level_.subgrid, level_.action_count(), level_.total(), order, 1, packed);
    return packed;
  }

  View<float> value() { return {value_.data(), value_.size()}; }
  View<std::int16_t> action() { return {action_.data(), action_.size()}; }

  template <class Source, class Entry>
  void back_up() {
    const auto packed = pack_in(Source::order);
    const auto stride = packed.most_places;
    std::vector<float> table(rewards_.kind.size() * static_cast<std::size_t>(stride));
    std::vector<EntryBlock<Entry>> staged(static_cast<std::size_t>(packed.most_slice_blocks));
    test::run_warp([&](const HostWarp& warp) {
      const WarpScratch<Entry> scratch{table.data(), stride, staged.data()};
      back_up_cells<Source>(warp, rule_, packed.view(), scratch, 0, 2, value(), action());
      back_up_cells<Source>(warp, rule_, packed.view(), scratch, 1, 2, value(), action());
    });
  }

  void expect_the_same() const {
    EXPECT_EQ(action_, level_.action);
    EXPECT_EQ(std::memcmp(value_.data(), level_.value.data(), value_.size() * sizeof(float)), 0);
  }

  ExplicitLevel level_;
  ActionRewards rewards_;
  std::vector<std::uint8_t> mark_;
  ExplicitRule rule_;
  std::vector<float> value_;
  std::vector<std::int16_t> action_;
};

TEST_P(Kernels, SomeCellsArePlainAndSomeAreNot) {
  const auto packed = pack_in(BlockOrder::by_row);
  const Grid& grid = level_.info.grid;
  std::int32_t plain = 0;
  for (std::int32_t c = 0; c < packed.cell_count; ++c) {
    const CellWindow window = packed.window[static_cast<std::size_t>(c)];
    const std::int32_t i = grid.column(CellIndex(c));
    const std::int32_t j = grid.row(CellIndex(c));
    bool marked = !lies_inside(rule_, window, i, j);
    for (std::int32_t n = 0; n < window.size() && !marked; ++n) {
      const Offset to = window.offset(n);
      marked = mark_[static_cast<std::size_t>(grid.cell(i + to.dx, j + to.dy).value)] != 0;
    }
    plain += marked ? 0 : 1;
  }
  if (std::get<3>(GetParam())) {
    EXPECT_EQ(plain, 0);
  } else {
    EXPECT_GT(plain, 20);
    EXPECT_LT(plain, packed.cell_count - 20);
  }
}

TEST_P(Kernels, StepsGiveTheSameBits) {
  if (std::get<2>(GetParam())) {
    back_up<StepSource<WideEntry>, WideEntry>();
  } else {
    back_up<StepSource<NarrowEntry>, NarrowEntry>();
  }
  expect_the_same();
}

TEST_P(Kernels, RowsGiveTheSameBits) {
  if (std::get<2>(GetParam())) {
    back_up<RowSource<WideEntry>, WideEntry>();
  } else {
    back_up<RowSource<NarrowEntry>, NarrowEntry>();
  }
  expect_the_same();
}

TEST_P(Kernels, StagedRowsGiveTheSameBits) {
  if (std::get<2>(GetParam())) {
    back_up<StagedSource<WideEntry>, WideEntry>();
  } else {
    back_up<StagedSource<NarrowEntry>, NarrowEntry>();
  }
  expect_the_same();
}

TEST_P(Kernels, LookingUpGivesTheSameBits) {
  for (const BlockOrder order : {BlockOrder::by_row, BlockOrder::by_step}) {
    const auto packed = pack_in(order);
    std::vector<float> expected(packed.rows());
    const LookUpRow look_up{rule_, packed.view(), {expected.data(), expected.size()}};
    for (std::size_t row = 0; row < expected.size(); ++row) look_up(row);
    test::run_warp([&](const HostWarp& warp) {
      for (std::int32_t cell = 0; cell < packed.cell_count; ++cell) {
        choose_action(warp, rule_, packed.action_count, ExplicitLevel::view(expected), {}, cell,
                      value(), action());
      }
    });
    expect_the_same();
  }
}

TEST_P(Kernels, TheSparseMatrixAgreesToRounding) {
  const auto packed = pack_in(BlockOrder::by_row);
  const PackedView view = packed.view();
  std::vector<float> zero(level_.value.size(), 0.0F);
  ExplicitRule rule = rule_;
  rule.outcome.value_next = ExplicitLevel::view(zero);
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
  const LookUpRow look_up{rule_, view, {expected.data(), expected.size()}};
  for (std::size_t row = 0; row < packed.rows(); ++row) {
    FillSparseRow{rule,
                  view,
                  ExplicitLevel::view(start),
                  {column.data(), entries},
                  {probability.data(), entries},
                  {immediate.data(), immediate.size()}}(row);
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
    EXPECT_EQ(entries, 0u);  // nothing goes on after the last step
  }
}

INSTANTIATE_TEST_SUITE_P(Missions, Kernels,
                         testing::Values(std::tuple(Objective::time, 8, false, false),
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

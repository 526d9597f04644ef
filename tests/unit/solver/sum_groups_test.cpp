// Sums over cells, in the groups that a device and the processor take alike.

#include "solver/evaluate/sum_groups.h"

#include <gtest/gtest.h>

#include <vector>

namespace tidewise {
namespace {

TEST(SumOverCells, TakesMembersEachByItself) {
  std::vector<StepTotals> totals(80);  // two members of 40 cells
  for (std::size_t n = 0; n < totals.size(); ++n) totals[n].value = static_cast<double>(n);
  std::vector<StepTotals> sums(4);
  const SumGroups sum{totals.data(), 40, sums.data(), 2};
  ASSERT_EQ(sum.calls(), 4 * StepTotals::part_count);
  for (std::size_t n = 0; n < sum.calls(); ++n) sum(n);
  EXPECT_EQ(sums[0].value, 31 * 32 / 2);  // 0 … 31
  EXPECT_EQ(sums[1].value, 39 * 40 / 2 - 31 * 32 / 2);
  EXPECT_EQ(sums[2].value, 71 * 72 / 2 - 39 * 40 / 2);
  EXPECT_EQ(sums[3].value, 79 * 80 / 2 - 71 * 72 / 2);
}

TEST(SumOverCells, TakesNeighboursTogether) {
  // 1 is lost beside 2^53, and 32 of them are not.
  const auto value = [](double v) {
    StepTotals totals;
    totals.value = v;
    return totals;
  };
  std::vector<CellTotals> cells{{CellIndex(0), value(0x1p53)}};
  for (std::int32_t n = 1; n < 64; ++n) cells.push_back({CellIndex(n), value(1)});
  EXPECT_EQ(sum_over_cells(cells).value, 0x1p53 + 32);
  std::vector<CellTotals> none;
  EXPECT_EQ(sum_over_cells(none).value, 0);
}

}  // namespace
}  // namespace tidewise

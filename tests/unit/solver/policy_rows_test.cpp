// Rows that a solve keeps for the evaluation of its policy.

#include <gtest/gtest.h>

#include <vector>

#include "solver/policy/policy.h"
#include "solver/policy/rows.h"

namespace tidewise::test {
namespace {

// Records the counts that it receives.
class RecordedRows final : public CountSink {
 public:
  struct Row {
    std::int32_t cell, action, dx, dy, width, height;
    std::vector<std::uint32_t> counts;
    friend bool operator==(const Row&, const Row&) = default;
  };
  void accept(std::int32_t, CellIndex cell, const CellTransitions& c) override {
    ASSERT_EQ(c.action_count, 1);
    rows.push_back({cell.value,
                    c.first_action,
                    c.origin->dx,
                    c.origin->dy,
                    c.width,
                    c.height,
                    {c.count, c.count + c.width * c.height}});
  }
  std::vector<Row> rows;
};

std::vector<std::int32_t> cell_numbers(const std::vector<CellIndex>& cells) {
  std::vector<std::int32_t> values;
  values.reserve(cells.size());
  for (const CellIndex cell : cells) values.push_back(cell.value);
  return values;
}

// Two actions of a cell with windows of 3 × 2; the second has counts in only two places.
struct TwoActions {
  std::vector<Offset> origin{{-1, 0}, {-2, -1}};
  std::vector<std::uint32_t> count{1, 2, 3, 4, 5, 6,  //
                                   0, 0, 0, 0, 7, 8};
  CellTransitions counts() const { return {4, 2, 3, 2, origin.data(), count.data()}; }
};

TEST(PolicyRows, KeepTheWindowOfLandings) {
  const TwoActions two;
  PolicyRows rows(1000);
  rows.begin_level(2);
  rows.keep(1, CellIndex(2), two.counts(), 1);
  rows.keep(0, CellIndex(0), two.counts(), 0);
  const std::vector<std::int16_t> action{4, no_action, 5};
  rows.end_level(TimeLevel(3), action);

  RecordedRows recorded;
  const std::vector<CellIndex> cells{CellIndex(0), CellIndex(1), CellIndex(2)};
  EXPECT_EQ(cell_numbers(rows.give(TimeLevel(3), cells, action, 1, recorded)),
            std::vector<std::int32_t>{1});
  const std::vector<RecordedRows::Row> expected{{0, 4, -1, 0, 3, 2, {1, 2, 3, 4, 5, 6}},
                                                {2, 5, -1, 0, 2, 1, {7, 8}}};
  EXPECT_EQ(recorded.rows, expected);
  EXPECT_EQ(cell_numbers(rows.give(TimeLevel(2), cells, action, 1, recorded)),
            (std::vector<std::int32_t>{0, 1, 2}));
}

TEST(PolicyRows, ReturnOnlyTheBestActions) {
  const TwoActions two;
  PolicyRows rows(1000);
  rows.begin_level(2);
  rows.keep(0, CellIndex(0), two.counts(), 0);
  rows.keep(1, CellIndex(0), two.counts(), 1);  // the same cell, by another thread
  const std::vector<std::int16_t> action{5};
  rows.end_level(TimeLevel(0), action);
  RecordedRows recorded;
  const std::vector<CellIndex> cells{CellIndex(0)};
  EXPECT_TRUE(rows.give(TimeLevel(0), cells, action, 1, recorded).empty());
  ASSERT_EQ(recorded.rows.size(), 1U);
  EXPECT_EQ(recorded.rows[0].action, 5);
  // A policy with another action does not receive this action's row.
  EXPECT_EQ(rows.give(TimeLevel(0), cells, std::vector<std::int16_t>{4}, 1, recorded).size(), 1U);
}

TEST(PolicyRows, DropLevelsFarFromTheDeparture) {
  const TwoActions two;
  PolicyRows rows(2 * 13 *
                  sizeof(std::uint32_t));  // two levels, each a row of 6 + 6 words and its index
  const std::vector<CellIndex> cells{CellIndex(0)};
  const std::vector<std::int16_t> action{4};
  for (std::int32_t k = 3; k >= 0; --k) {
    rows.begin_level(1);
    rows.keep(0, CellIndex(0), two.counts(), 0);
    rows.end_level(TimeLevel(k), action);
  }
  RecordedRows recorded;
  for (std::int32_t k = 0; k < 5; ++k) {
    EXPECT_EQ(rows.give(TimeLevel(k), cells, action, 1, recorded).empty(), k < 2) << k;
  }
}

}  // namespace
}  // namespace tidewise::test

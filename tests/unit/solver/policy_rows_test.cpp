// Rows that a solve keeps for the evaluation of its policy.

#include <gtest/gtest.h>

#include <vector>

#include "solver/policy/policy.h"
#include "solver/policy/rows.h"

namespace tidewise::test {
namespace {

// Records the counts that it receives.
class Given final : public CountSink {
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

std::vector<std::int32_t> numbers(const std::vector<CellIndex>& cells) {
  std::vector<std::int32_t> found;
  found.reserve(cells.size());
  for (const CellIndex cell : cells) found.push_back(cell.value);
  return found;
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

  Given given;
  const std::vector<CellIndex> asked{CellIndex(0), CellIndex(1), CellIndex(2)};
  EXPECT_EQ(numbers(rows.give(TimeLevel(3), asked, action, 1, given)),
            std::vector<std::int32_t>{1});
  const std::vector<Given::Row> expected{{0, 4, -1, 0, 3, 2, {1, 2, 3, 4, 5, 6}},
                                         {2, 5, -1, 0, 2, 1, {7, 8}}};
  EXPECT_EQ(given.rows, expected);
  EXPECT_EQ(numbers(rows.give(TimeLevel(2), asked, action, 1, given)),
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
  Given given;
  const std::vector<CellIndex> asked{CellIndex(0)};
  EXPECT_TRUE(rows.give(TimeLevel(0), asked, action, 1, given).empty());
  ASSERT_EQ(given.rows.size(), 1U);
  EXPECT_EQ(given.rows[0].action, 5);
  // A policy with another action does not receive this one's row.
  EXPECT_EQ(rows.give(TimeLevel(0), asked, std::vector<std::int16_t>{4}, 1, given).size(), 1U);
}

TEST(PolicyRows, DropLevelsFarFromTheDeparture) {
  const TwoActions two;
  PolicyRows rows(2 * 13 *
                  sizeof(std::uint32_t));  // two levels of a row of 6 + 6 words and its index
  const std::vector<CellIndex> asked{CellIndex(0)};
  const std::vector<std::int16_t> action{4};
  for (std::int32_t k = 3; k >= 0; --k) {
    rows.begin_level(1);
    rows.keep(0, CellIndex(0), two.counts(), 0);
    rows.end_level(TimeLevel(k), action);
  }
  Given given;
  for (std::int32_t k = 0; k < 5; ++k) {
    EXPECT_EQ(rows.give(TimeLevel(k), asked, action, 1, given).empty(), k < 2) << k;
  }
}

}  // namespace
}  // namespace tidewise::test

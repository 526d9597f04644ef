// Rows that a solve keeps for the evaluation of its policy.

#include <gtest/gtest.h>

#include <vector>

#include "env/file/reader.h"
#include "solver/evaluate/group_evaluation.h"
#include "solver/induction/backward_induction.h"
#include "solver/policy/memory.h"
#include "solver/policy/rows.h"
#include "support/backend.h"
#include "support/ocean/environment_builder.h"
#include "support/ocean/landing_rules.h"
#include "support/ocean/mission_group_cases.h"
#include "support/temporary_folder.h"

namespace tidewise::test {
namespace {

/// Notes what it is given.
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

/// Two actions of a cell with windows of 3 × 2; of the second, only two places have counts.
struct TwoActions {
  std::vector<Offset> origin{{-1, 0}, {-2, -1}};
  std::vector<std::uint32_t> count{1, 2, 3, 4, 5, 6,  //
                                   0, 0, 0, 0, 7, 8};
  CellTransitions counts() const { return {4, 2, 3, 2, origin.data(), count.data()}; }
};

TEST(PolicyRows, GiveTheWindowInWhichSomethingLands) {
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

TEST(PolicyRows, AreThoseOfTheActionThatWasBestInTheEnd) {
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
  // A policy that takes another action is not told of this one's.
  EXPECT_EQ(rows.give(TimeLevel(0), asked, std::vector<std::int16_t>{4}, 1, given).size(), 1U);
}

TEST(PolicyRows, LevelsFarFromTheDepartureGiveWay) {
  const TwoActions two;
  PolicyRows rows(2 * 13 *
                  sizeof(std::uint32_t));  // two levels of a row of 6 + 6 words and its place
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

TEST(PolicyRows, EvaluationCountsWhatMemoryDidNotHold) {
  const TemporaryFolder folder;
  write_random_environment(folder / "env.h5", plain_info(25, 21, 9, 2, 30), 2, 7);
  const EnvironmentReader reader(folder / "env.h5");
  const EnvironmentInfo& info = reader.info();
  const auto actions = make_actions({0, 1.5}, 5, info.grid, info.time);
  SilentProgress progress;
  const Mission mission = varied_missions(info, 1).front();
  const PlanningProblem problem{actions, mission, by_area};
  /// A policy whose rows have room for some of the levels.
  class Short final : public PolicySink, public PolicySource {
   public:
    Short(const Grid& grid, TimeLevel last) : table(grid, last), kept(150'000) {}
    void accept(std::size_t /*leg*/, TimeLevel k, View<const std::int16_t> action,
                View<const float> value) override {
      table.accept(0, k, action, value);
    }
    void read_action(TimeLevel k, View<std::int16_t> a) const override { table.read_action(k, a); }
    void read_value(TimeLevel k, View<float> v) const override { table.read_value(k, v); }
    PolicyRows* rows_to_keep() override { return &kept; }
    const PolicyRows* rows() const override { return &kept; }
    PolicyTable table;
    PolicyRows kept;
  } policy(info.grid, mission.last);
  solve_mission(reader, problem, {.threads = 2}, policy, progress);
  Given given;
  std::vector<CellIndex> open;
  open.reserve(static_cast<std::size_t>(info.grid.cell_count()));
  for (std::int32_t cell = 0; cell < info.grid.cell_count(); ++cell) open.emplace_back(cell);
  const auto lacking = [&](TimeLevel k) {
    std::vector<std::int16_t> action(open.size());
    policy.read_action(k, action);
    return policy.kept.give(k, open, action, 1, given).size();
  };
  EXPECT_LT(lacking(TimeLevel(0)), open.size());
  EXPECT_EQ(lacking(TimeLevel(mission.last.value - 1)), open.size());
  EXPECT_TRUE(same_bits(evaluate_policy(reader, problem, policy, 2, progress),
                        evaluate_policy(reader, problem, policy.table, 2, progress)));
}

}  // namespace
}  // namespace tidewise::test

#include "mdp/graph/collapsed_process.h"

#include <gmock/gmock.h>

#include "mdp/solve/solve_process.h"
#include "support/mdp/small_processes.h"

namespace tidewise::mdp {
namespace {

using test::row;
using test::rows_process;
using testing::Each;
using testing::ElementsAre;

TEST(CollapsedProcess, IsAbsentWithoutFreeLoops) {
  // Staying in state 0 costs 1; state 1 can only stay, at no cost; state 2 is terminal.
  const auto process = rows_process<double>(
      3, 2, {{row({{0, 1}}, -1), row({{1, .5}, {2, .5}}, 0)}, {row({{1, 1}}, 0)}, {}});
  EXPECT_FALSE(collapse_free_loops(process, Endings::sure));
  EXPECT_FALSE(collapse_free_loops(process, Endings::free));
}

TEST(CollapsedProcess, TurnsALoopIntoOneState) {
  // 0 and 1 alternate at no cost; 1 leaves to 2 for −1, or randomly to 0 and 3.
  const auto process =
      rows_process<double>(4, 3,
                           {{row({{1, 1}})},
                            {row({{0, 1}}), row({{2, 1}}, -1), row({{0, .5}, {3, .5}}, 2)},
                            {row({{3, 1}}, 1)},
                            {}});
  const auto sure_collapse = collapse_free_loops(process, Endings::sure);
  ASSERT_TRUE(sure_collapse);
  EXPECT_THAT(sure_collapse->state_of, ElementsAre(0, 0, 1, 2));
  EXPECT_EQ(sure_collapse->process.state_count, 3);
  EXPECT_THAT(sure_collapse->row_of, ElementsAre(4, 5, -1, 6, -1, -1, -1, -1, -1));
  EXPECT_THAT(sure_collapse->process.successor, ElementsAre(1, 0, 2, 2));
  EXPECT_THAT(sure_collapse->process.reward, ElementsAre(-1, 2, 0, 1, 0, 0, 0, 0, 0));
  require_sound(sure_collapse->process, "collapsed");
  const auto free_collapse = collapse_free_loops(process, Endings::free);
  ASSERT_TRUE(free_collapse);
  EXPECT_EQ(free_collapse->process.state_count, 4);
  EXPECT_EQ(free_collapse->row_of[2], free_collapse->rest);
  require_sound(free_collapse->process, "collapsed");
}

TEST(CollapsedProcess, TurnsManyExitsIntoATree) {
  // Nine states in a ring. Each may go on, or end with its number or, for `best`, 100 as reward.
  constexpr std::int32_t ring = 9;
  for (const std::int32_t best : {0, 4, 8}) {
    std::vector<std::vector<test::Row>> rows;
    for (std::int32_t s = 0; s < ring; ++s) {
      rows.push_back({row({{(s + 1) % ring, 1}}), row({{ring, 1}}, s == best ? 100 : s)});
    }
    const auto process = rows_process<double>(ring + 1, 2, rows);
    for (const Endings endings : {Endings::sure, Endings::free}) {
      const auto collapsed = collapse_free_loops(process, endings);
      ASSERT_TRUE(collapsed);
      require_sound(collapsed->process, "collapsed");
      SilentProgress progress;
      const auto solution = solve_process(
          process, SolveOptions({.method = Method::fused, .endings = endings}), progress);
      ASSERT_TRUE(solution.converged);
      for (std::int32_t s = 0; s < ring; ++s) {
        EXPECT_EQ(solution.value[std::size_t(s)], 100);
        EXPECT_EQ(solution.action[std::size_t(s)], s == best ? 1 : 0) << s << " of " << best;
      }
    }
  }
}

TEST(CollapsedProcess, LetsStatesRestInTheirLoop) {
  // Leaving costs 3, so staying is better.
  const auto process = rows_process<double>(
      3, 2, {{row({{1, 1}}), row({{2, 1}}, -3)}, {row({{2, 1}}, -3), row({{0, 1}})}, {}});
  SilentProgress progress;
  const auto resting = solve_process(
      process, SolveOptions({.method = Method::fused, .endings = Endings::free}), progress);
  EXPECT_THAT(resting.value, Each(0));
  EXPECT_THAT(resting.action, ElementsAre(0, 1, -1));
  const auto leaving = solve_process(
      process, SolveOptions({.method = Method::fused, .endings = Endings::sure}), progress);
  EXPECT_THAT(leaving.value, ElementsAre(-3, -3, 0));
  EXPECT_TRUE(leaving.action[0] == 1 || leaving.action[1] == 0);
}

}  // namespace
}  // namespace tidewise::mdp

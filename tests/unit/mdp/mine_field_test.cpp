#include "mdp/worlds/mine_field.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

#include "base/error.h"
#include "support/error_code.h"
#include "support/mdp/small_processes.h"

namespace tidewise::mdp {
namespace {

using testing::ElementsAre;
using testing::Pair;

std::string refusal_of(const MineFieldOptions& options) {
  try {
    make_mine_field<double>(options);
  } catch (const InputError& error) {
    return error.what();
  }
  return "nothing was refused";
}

TEST(MineField, IsAValidProcess) {
  const auto process = make_mine_field<double>({});
  EXPECT_NO_THROW(require_sound(process, "m"));
  EXPECT_NO_THROW(require_sound(make_mine_field<float>({.moves = 4, .seed = 3}), "m"));
  EXPECT_EQ(process.state_count, 46 * 46);
  EXPECT_EQ(process.action_count, 8);
  EXPECT_TRUE(process.is_terminal(46 * 46 - 1));
  EXPECT_FALSE(process.is_terminal(process.initial_state));
}

TEST(MineField, HasTheRequestedShareOfMines) {
  const MineFieldOptions options;
  const auto mines = lay_mines(options);
  const int mine_count = std::accumulate(mines.begin(), mines.end(), 0);
  EXPECT_NEAR(mine_count, 0.1 * 46 * 46, 4 * std::sqrt(0.09 * 46 * 46));
  for (const int cell : {0, 1, 46, 47}) {
    EXPECT_EQ(mines[std::size_t(cell)], 0);
    EXPECT_EQ(mines[std::size_t(46 * 46 - 1 - cell)], 0);
  }
  const auto process = make_mine_field<double>(options);
  EXPECT_EQ(process.labels[0].states.size(), std::size_t(mine_count));
  for (const std::int32_t mine : process.labels[0].states) EXPECT_TRUE(process.is_terminal(mine));
}

TEST(MineField, MatchesAHandCalculationWithoutCurrent) {
  const auto process = make_mine_field<double>({.mine_share = 0, .slip = 0.2, .drift = 0});
  // From (10, 20) to +x: (11, 20), or by slip (11, 21) or (11, 19).
  const test::Row row = test::row_of(process, 20 * 46 + 10, 0);
  EXPECT_THAT(row.to, ElementsAre(Pair(19 * 46 + 11, 0.1), Pair(20 * 46 + 11, 0.8),
                                  Pair(21 * 46 + 11, 0.1)));
  EXPECT_DOUBLE_EQ(row.reward, -0.2);
  // At the south-west corner, to −x (action 4): the vehicle stays, also if it slips along −y.
  EXPECT_EQ(test::row_of(process, 0, 4).to.front().first, 0);
}

TEST(MineField, HasACounterClockwiseEddy) {
  const auto process = make_mine_field<double>({.mine_share = 0, .slip = 0, .drift = 1});
  // In the middle of the south side the current goes to −x, by (−sin πx cos πy): the move to +y
  // from (22, 0) arrives at (22, 1), or is carried to (21, 1).
  EXPECT_THAT(test::row_of(process, 22, 2).to,
              ElementsAre(Pair(46 + 21, testing::Gt(0.98)), Pair(46 + 22, testing::_)));
}

TEST(MineField, DependsOnTheSeed) {
  EXPECT_EQ(lay_mines({.seed = 5}), lay_mines({.seed = 5}));
  EXPECT_NE(lay_mines({.seed = 5}), lay_mines({.seed = 6}));
}

TEST(MineField, RefusesInvalidOptions) {
  EXPECT_THAT(refusal_of({.width = 3}),
              testing::AllOf(test::has_code("mine_field_invalid", "4 to 10000 cells"),
                             testing::HasSubstr("the width")));
  EXPECT_THAT(refusal_of({.moves = 6}),
              test::has_code("mine_field_invalid", "the number of moves"));
  EXPECT_THAT(refusal_of({.mine_share = 0.95}), test::has_code("mine_field_too_dense"));
  EXPECT_THAT(
      refusal_of({.slip = -0.1}),
      testing::AllOf(test::has_code("mine_field_invalid", "the slip"), testing::HasSubstr("-0.1")));
  EXPECT_THAT(refusal_of({.drift = NAN}), test::has_code("mine_field_invalid", "the drift"));
  EXPECT_THAT(refusal_of({.discount = 1.5}),
              testing::AllOf(test::has_code("mine_field_invalid", "the discount"),
                             testing::HasSubstr("1.5")));
}

}  // namespace
}  // namespace tidewise::mdp

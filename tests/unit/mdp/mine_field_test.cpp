#include "mdp/worlds/mine_field.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

#include "base/error.h"
#include "support/mdp/process_cases.h"

namespace tidewise::mdp {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::string complaint(const MineFieldOptions& options) {
  try {
    make_mine_field<double>(options);
  } catch (const InputError& error) {
    return error.what();
  }
  return "nothing was refused";
}

TEST(MineField, IsASoundProcess) {
  const auto process = make_mine_field<double>({});
  EXPECT_NO_THROW(require_sound(process, "m"));
  EXPECT_NO_THROW(require_sound(make_mine_field<float>({.moves = 4, .seed = 3}), "m"));
  EXPECT_EQ(process.state_count, 46 * 46);
  EXPECT_EQ(process.action_count, 8);
  EXPECT_TRUE(process.is_terminal(46 * 46 - 1));
  EXPECT_FALSE(process.is_terminal(process.initial_state));
}

TEST(MineField, HasItsShareOfMinesAndNoneBesideStartAndGoal) {
  const MineFieldOptions options;
  const auto mines = lay_mines(options);
  const int laid = std::accumulate(mines.begin(), mines.end(), 0);
  EXPECT_NEAR(laid, 0.1 * 46 * 46, 4 * std::sqrt(0.09 * 46 * 46));
  for (const int cell : {0, 1, 46, 47}) {
    EXPECT_EQ(mines[std::size_t(cell)], 0);
    EXPECT_EQ(mines[std::size_t(46 * 46 - 1 - cell)], 0);
  }
  const auto process = make_mine_field<double>(options);
  EXPECT_EQ(process.labels[0].states.size(), std::size_t(laid));
  for (const std::int32_t mine : process.labels[0].states) EXPECT_TRUE(process.is_terminal(mine));
}

TEST(MineField, MovesByHandWhereNothingCarriesIt) {
  const auto process = make_mine_field<double>({.mine_share = 0, .slip = 0.2, .drift = 0});
  // From (10, 20) to +x: (11, 20), or by slip (11, 21) or (11, 19).
  const auto row = std::size_t(process.row(20 * 46 + 10, 0));
  const auto begin = std::size_t(process.row_begin[row]);
  ASSERT_EQ(process.row_begin[row + 1] - process.row_begin[row], 3);
  const auto* to = process.successor.data() + begin;
  EXPECT_THAT(std::vector<std::int32_t>(to, to + 3),
              ElementsAre(19 * 46 + 11, 20 * 46 + 11, 21 * 46 + 11));
  const auto* probability = process.probability.data() + begin;
  EXPECT_THAT(std::vector<double>(probability, probability + 3), ElementsAre(0.1, 0.8, 0.1));
  EXPECT_DOUBLE_EQ(process.reward[row], -0.2);
  // At the south-west corner, to −x (action 4): stays, or slips along −y, stays too.
  const auto corner = std::size_t(process.row(0, 4));
  EXPECT_EQ(process.successor[std::size_t(process.row_begin[corner])], 0);
}

TEST(MineField, TheEddyTurnsCounterClockwise) {
  const auto process = make_mine_field<double>({.mine_share = 0, .slip = 0, .drift = 1});
  // Half-way along the south side the current goes to −x … by (−sin πx cos πy): the move to +y from
  // (22, 0) arrives at (22, 1), or is carried to (21, 1).
  const auto row = std::size_t(process.row(22, 2));
  const auto begin = std::size_t(process.row_begin[row]);
  ASSERT_EQ(process.row_begin[row + 1] - process.row_begin[row], 2);
  EXPECT_EQ(process.successor[begin], 46 + 21);
  EXPECT_EQ(process.successor[begin + 1], 46 + 22);
  EXPECT_GT(process.probability[begin], 0.98);
}

TEST(MineField, IsTheSameForASeedAndAnotherForAnother) {
  EXPECT_EQ(lay_mines({.seed = 5}), lay_mines({.seed = 5}));
  EXPECT_NE(lay_mines({.seed = 5}), lay_mines({.seed = 6}));
}

TEST(MineField, RefusesWhatMakesNoField) {
  EXPECT_THAT(complaint({.width = 3}), HasSubstr("the width is 3; give 4 to 10000 cells"));
  EXPECT_THAT(complaint({.moves = 6}), HasSubstr("the number of moves is 6; give 4 or 8"));
  EXPECT_THAT(complaint({.mine_share = 0.95}), HasSubstr("had a way to the goal; give fewer"));
  EXPECT_THAT(complaint({.slip = -0.1}), HasSubstr("the slip is -0.1"));
  EXPECT_THAT(complaint({.drift = NAN}), HasSubstr("the drift is nan"));
  EXPECT_THAT(complaint({.discount = 1.5}), HasSubstr("the discount is 1.5"));
}

}  // namespace
}  // namespace tidewise::mdp

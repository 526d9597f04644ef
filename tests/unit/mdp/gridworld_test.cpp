#include "mdp/worlds/gridworld.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>

#include "base/error.h"
#include "mdp/process/row_writer.h"
#include "mdp/worlds/literature_worlds.h"
#include "support/checksum.h"
#include "support/error_code.h"
#include "support/mdp/process_cases.h"
#include "support/mdp/small_processes.h"

namespace tidewise::mdp {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr std::int32_t north = 0;
constexpr std::int32_t east = 1;
constexpr std::int32_t south = 2;
constexpr std::int32_t west = 3;

void expect_row(const DecisionProcess<double>& world, std::int32_t cell, std::int32_t action,
                const test::Row& expected) {
  const test::Row row = test::row_of(world, cell, action);
  ASSERT_EQ(row.to.size(), expected.to.size()) << cell << ", " << action;
  for (std::size_t n = 0; n < row.to.size(); ++n) {
    EXPECT_EQ(row.to[n].first, expected.to[n].first) << cell << ", " << action;
    EXPECT_DOUBLE_EQ(row.to[n].second, expected.to[n].second);
  }
  EXPECT_DOUBLE_EQ(row.reward, expected.reward) << cell << ", " << action;
}

/// Returns true for a terminal state other than the goal, which is the last cell.
bool is_wall(const DecisionProcess<double>& world, std::int32_t cell) {
  return world.is_terminal(cell) && cell != world.state_count - 1;
}

// 2 3    the goal is 3; a step costs 1, the goal brings 100
// 0 1
TEST(Gridworld, MatchesAHandCalculation) {
  const auto world = make_gridworld<double>(slip_world(2, 2, 0.1), 1);
  EXPECT_NO_THROW(require_sound(world, "world"));
  EXPECT_EQ(world.state_count, 4);
  EXPECT_EQ(world.action_count, 4);
  EXPECT_EQ(world.initial_state, 0);
  EXPECT_THAT(world.action_names, ElementsAre("north", "east", "south", "west"));
  expect_row(world, 0, north, {{{0, .05}, {1, .05}, {2, .9}}, -1});
  expect_row(world, 0, east, {{{0, .05}, {1, .9}, {2, .05}}, -1});
  expect_row(world, 0, south, {{{0, .95}, {1, .05}}, -1});
  expect_row(world, 0, west, {{{0, .95}, {2, .05}}, -1});
  expect_row(world, 1, north, {{{0, .05}, {1, .05}, {3, .9}}, -1 + .9 * 100});
  expect_row(world, 1, east, {{{1, .95}, {3, .05}}, -1 + .05 * 100});
  expect_row(world, 1, south, {{{0, .05}, {1, .95}}, -1});
  expect_row(world, 1, west, {{{0, .9}, {1, .05}, {3, .05}}, -1 + .05 * 100});
  expect_row(world, 2, north, {{{2, .95}, {3, .05}}, -1 + .05 * 100});
  expect_row(world, 2, east, {{{0, .05}, {2, .05}, {3, .9}}, -1 + .9 * 100});
  expect_row(world, 2, south, {{{0, .9}, {2, .05}, {3, .05}}, -1 + .05 * 100});
  expect_row(world, 2, west, {{{0, .05}, {2, .95}}, -1});
  EXPECT_TRUE(world.is_terminal(3));
  EXPECT_EQ(world.entry_count(), 30);
  EXPECT_THAT(world.entry_reward, IsEmpty());
}

// 6 7 8    4 is a wall, 8 the goal
// 3 # 5
// 0 1 2
TEST(Gridworld, BlocksMovesIntoAWall) {
  GridworldOptions options = slip_world(3, 3, 0.2);
  options.wall_share = 0.15;
  DecisionProcess<double> world;
  const auto has_only_this_wall = [&] {
    for (std::int32_t cell = 0; cell < 8; ++cell) {
      if (is_wall(world, cell) != (cell == 4)) return false;
    }
    return true;
  };
  do {
    ++options.seed;
    world = make_gridworld<double>(options, 1);
  } while (!has_only_this_wall());
  EXPECT_NO_THROW(require_sound(world, "world"));
  for (const std::int32_t successor : world.successor) EXPECT_NE(successor, 4);
  expect_row(world, 1, north, {{{0, .1}, {1, .8}, {2, .1}}, -1});
  expect_row(world, 1, east, {{{1, .2}, {2, .8}}, -1});  // wall on the left, border on the right
  expect_row(world, 3, east, {{{0, .1}, {3, .8}, {6, .1}}, -1});
  expect_row(world, 5, west, {{{2, .1}, {5, .8}, {8, .1}}, -1 + .1 * 100});
  expect_row(world, 5, north, {{{5, .2}, {8, .8}}, -1 + .8 * 100});
  expect_row(world, 7, south, {{{6, .1}, {7, .8}, {8, .1}}, -1 + .1 * 100});
}

TEST(Gridworld, ChargesMovesThatEndInAnObstacle) {
  GridworldOptions options = slip_world(4, 1, 0);
  options.obstacle_share = 0.4;
  options.keep_rewards = true;
  DecisionProcess<double> world;
  do {  // an obstacle in cell 1 only
    ++options.seed;
    world = make_gridworld<double>(options, 1);
  } while (world.reward[std::size_t(world.row(0, east))] != -11 ||
           world.reward[std::size_t(world.row(1, east))] != -1);
  expect_row(world, 0, east, {{{1, 1}}, -11});
  expect_row(world, 1, north, {{{1, 1}}, -11});
  expect_row(world, 1, west, {{{0, 1}}, -1});
  expect_row(world, 2, west, {{{1, 1}}, -11});
  expect_row(world, 2, east, {{{3, 1}}, 99});
  EXPECT_EQ(world.entry_reward[std::size_t(world.row_begin[std::size_t(world.row(2, east))])], 99);
}

// 6 7 8
// 3 4 5
// 0 1 2
TEST(WetFloor, MatchesAHandCalculation) {
  const auto slippery = make_gridworld<double>(wet_floor_world(3, 4), 1);
  EXPECT_NO_THROW(require_sound(slippery, "world"));
  expect_row(slippery, 4, north, {{{1, .1}, {3, .1}, {5, .1}, {7, .7}}, 0});
  expect_row(slippery, 4, west, {{{1, .1}, {3, .7}, {5, .1}, {7, .1}}, 0});
  expect_row(slippery, 0, north, {{{0, .1 + .1}, {1, .1}, {3, .7}}, 0});
  const auto damp = make_gridworld<double>(wet_floor_world(3, 2), 1);
  expect_row(damp, 4, north, {{{5, .1}, {7, .9}}, 0});
  expect_row(damp, 4, east, {{{1, .1}, {5, .9}}, 0});
  expect_row(damp, 4, south, {{{1, .9}, {3, .1}}, 0});
  expect_row(damp, 4, west, {{{3, .9}, {7, .1}}, 0});
  const auto dry = make_gridworld<double>(wet_floor_world(3, 1), 1);
  expect_row(dry, 4, south, {{{1, 1}}, 0});
  expect_row(dry, 2, east, {{{2, 1}}, 0});
}

TEST(WetFloor, HasRareIntegerRewards) {
  const GridworldOptions options = wet_floor_world(512, 4);
  const auto world = make_gridworld<double>(options, 2);
  std::int64_t rewarded = 0;
  std::set<double> distinct;
  for (std::int32_t cell = 0; cell < world.state_count; ++cell) {
    EXPECT_FALSE(world.is_terminal(cell));
    const double reward = world.reward[std::size_t(world.row(cell, 0))];
    for (std::int32_t action = 1; action < 4; ++action) {
      EXPECT_EQ(world.reward[std::size_t(world.row(cell, action))], reward);
    }
    if (reward == 0) continue;
    ++rewarded;
    distinct.insert(reward);
    EXPECT_EQ(reward, std::floor(reward));
  }
  EXPECT_NEAR(double(rewarded), 0.001 * world.state_count, 5 * std::sqrt(262.0));
  EXPECT_EQ(*distinct.begin(), 2);
  EXPECT_EQ(*distinct.rbegin(), 20);
  EXPECT_EQ(distinct.size(), 19u);
  // Two moves of an action stay only in corners.
  EXPECT_EQ(world.entry_count(), 16LL * 512 * 512 - 16);
}

/// Builds the world by RowWriter from unmerged rows, without walls and rewiring. This is an
/// independent implementation.
template <class Real>
DecisionProcess<Real> build_by_row_writer(const GridworldOptions& options,
                                          const DecisionProcess<Real>& world) {
  RowWriter<Real> writer(world.state_count, 4, options.keep_rewards);
  const auto goal = options.goal ? options.goal->y * options.n_x + options.goal->x : -1;
  const GridCell steps[] = {{0, 1}, {1, 0}, {0, -1}, {-1, 0}};
  for (std::int32_t cell = 0; cell < world.state_count; ++cell) {
    for (std::int32_t action = 0; action < 4; ++action) {
      std::vector<Transition> row;
      for (std::int32_t turn = 0; turn < 4 && cell != goal; ++turn) {
        const GridCell move = steps[(action + turn) % 4];
        const std::int32_t x = cell % options.n_x + move.x;
        const std::int32_t y = cell / options.n_x + move.y;
        const bool inside = x >= 0 && x < options.n_x && y >= 0 && y < options.n_y;
        const std::int32_t to = inside ? y * options.n_x + x : cell;
        row.push_back({to, options.move_probability[std::size_t(turn)],
                       -options.step_cost + (to == goal ? options.goal_reward : 0)});
      }
      EXPECT_EQ(writer.add_row(row), "");
    }
  }
  return writer.finish();
}

template <class Real>
void expect_same_rows(const DecisionProcess<Real>& a, const DecisionProcess<Real>& b) {
  EXPECT_EQ(a.row_begin, b.row_begin);
  EXPECT_EQ(a.successor, b.successor);
  EXPECT_EQ(a.probability, b.probability);
  EXPECT_EQ(a.reward, b.reward);
  EXPECT_EQ(a.entry_reward, b.entry_reward);
}

TEST(Gridworld, HasTheBitsOfTheRowWriter) {
  for (const double slip : {0.0, 0.1, 0.37, 1.0}) {
    GridworldOptions options = slip_world(7, 5, slip);
    options.keep_rewards = true;
    options.step_cost = 0.3;
    const auto world = make_gridworld<double>(options, 2);
    expect_same_rows(world, build_by_row_writer(options, world));
    const auto single_precision = make_gridworld<float>(options, 2);
    expect_same_rows(single_precision, build_by_row_writer(options, single_precision));
  }
  GridworldOptions wet = wet_floor_world(6, 4);
  wet.reward_share = 0;
  const auto world = make_gridworld<float>(wet, 1);
  expect_same_rows(world, build_by_row_writer(wet, world));
}

/// Returns a world with all kinds of cells and with rewiring.
GridworldOptions mixed_world() {
  GridworldOptions options = slip_world(61, 47, 0.3);
  options.wall_share = 0.25;
  options.obstacle_share = 0.1;
  options.reward_share = 0.05;
  options.rewired_share = 0.2;
  options.keep_rewards = true;
  options.seed = 5;
  return options;
}

TEST(Gridworld, DoesNotDependOnTheNumberOfThreads) {
  const auto world = make_gridworld<double>(mixed_world(), 1);
  EXPECT_NO_THROW(require_sound(world, "world"));
  for (const std::int32_t threads : {2, 3, 8}) {
    expect_same_rows(world, make_gridworld<double>(mixed_world(), threads));
  }
  GridworldOptions other = mixed_world();
  other.seed = 6;
  EXPECT_NE(make_gridworld<double>(other, 1).successor, world.successor);
}

TEST(Gridworld, KeepsItsFingerprint) {
  const auto world = make_gridworld<double>(mixed_world(), 2);
  test::Checksum sum;
  sum.add(world.row_begin.data(), world.row_begin.size());
  sum.add(world.successor.data(), world.successor.size());
  sum.add(world.probability.data(), world.probability.size());
  sum.add(world.reward.data(), world.reward.size());
  sum.add(world.entry_reward.data(), world.entry_reward.size());
  EXPECT_EQ(sum.value(), 0x166e15c93320b9f4u) << std::hex << sum.value();
}

TEST(Gridworld, HasTheRequestedShares) {
  GridworldOptions options = slip_world(400, 300, 0.1);
  options.wall_share = 0.3;
  options.obstacle_share = 0.1;
  const auto world = make_gridworld<double>(options, 2);
  const double cells = world.state_count;
  double walls = 0;
  for (std::int32_t cell = 0; cell < world.state_count; ++cell) walls += is_wall(world, cell);
  EXPECT_NEAR(walls, 0.3 * cells, 5 * std::sqrt(0.21 * cells));
  EXPECT_FALSE(world.is_terminal(0));
  // Counts obstacles by the cost of northward steps that always succeed.
  options.move_probability = {1, 0, 0, 0};
  const auto deterministic = make_gridworld<double>(options, 2);
  double into_obstacles = 0;
  double steps = 0;
  for (std::int32_t cell = 0; cell + 400 < deterministic.state_count; ++cell) {
    const auto row = std::size_t(deterministic.row(cell, 0));
    if (deterministic.is_terminal(cell) ||
        deterministic.successor[std::size_t(deterministic.row_begin[row])] == cell)
      continue;
    ++steps;
    into_obstacles += deterministic.reward[row] == -11;
  }
  EXPECT_NEAR(into_obstacles / steps, 0.1 / 0.7, 5 * std::sqrt(0.12 / steps));
}

TEST(Gridworld, RewiresTheRequestedShare) {
  GridworldOptions options = wet_floor_world(300, 1);
  options.rewired_share = 0.25;
  const auto world = make_gridworld<double>(options, 2);
  double rewired = 0;
  double mean = 0;
  for (std::int32_t cell = 0; cell < world.state_count; ++cell) {
    for (std::int32_t action = 0; action < 4; ++action) {
      const auto to = world.successor[std::size_t(world.row(cell, action))];
      const bool near = std::abs(to - cell) <= 1 || std::abs(to - cell) == 300;
      if (near) continue;
      ++rewired;
      mean += to;
    }
  }
  const double rows = double(world.row_count());
  EXPECT_NEAR(rewired, 0.25 * rows, 5 * std::sqrt(rows / 4));
  EXPECT_NEAR(mean / rewired / world.state_count, 0.5, 5 * std::sqrt(1.0 / 12 / rewired));
}

TEST(Gridworld, AcceptsOneCell) {
  const auto terminal = make_gridworld<float>(slip_world(1, 1, 0.1), 2);
  EXPECT_TRUE(terminal.is_terminal(0));
  EXPECT_NO_THROW(require_sound(terminal, "world"));
  const auto endless = make_gridworld<float>(wet_floor_world(1, 4), 2);
  EXPECT_EQ(endless.entry_count(), 4);
  EXPECT_NO_THROW(require_sound(endless, "world"));
}

TEST(Gridworld, TerminatesWithAlmostOnlyWalls) {
  GridworldOptions options = slip_world(20, 20, 0.1);
  options.wall_share = 1;
  options.rewired_share = 1;
  const auto world = make_gridworld<double>(options, 1);
  EXPECT_NO_THROW(require_sound(world, "world"));
  EXPECT_FALSE(world.is_terminal(0));
}

TEST(LiteratureWorlds, HaveTheirSizes) {
  struct {
    const char* name;
    std::int32_t side;
    double discount, walls, obstacles;
  } const slip[] = {{"G1", 512, .9, 0, 0},    {"G2", 1024, .9, 0, 0},   {"G3", 1024, .95, 0, 0},
                    {"G4", 1024, .9, .3, .1}, {"G5", 1024, .9, .4, .1}, {"G6", 2048, .9, 0, 0}};
  for (const auto& expected : slip) {
    const GridworldOptions world = literature_world(expected.name);
    EXPECT_EQ(world.n_x, expected.side);
    EXPECT_EQ(world.n_y, expected.side);
    EXPECT_EQ(world.discount, expected.discount);
    EXPECT_EQ(world.wall_share, expected.walls);
    EXPECT_EQ(world.obstacle_share, expected.obstacles);
    EXPECT_THAT(world.move_probability, ElementsAre(.9, .05, 0, .05));
    EXPECT_EQ(world.goal, (GridCell{expected.side - 1, expected.side - 1}));
  }
  EXPECT_EQ(slip_world_names().size(), 6u);
  EXPECT_EQ(wet_floor_names().size(), 12u);
  for (const std::string& name : wet_floor_names()) {
    EXPECT_NO_THROW(require_possible(literature_world(name)));
  }
  const GridworldOptions wet = literature_world("wet-1024x4");
  EXPECT_EQ(wet.n_x, 1024);
  EXPECT_EQ(wet.discount, 0.9);
  EXPECT_THAT(wet.move_probability, ElementsAre(.7, .1, .1, .1));
  EXPECT_FALSE(wet.goal);
  try {
    literature_world("G7");
    ADD_FAILURE();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), test::has_code("world_unknown"));
  }
}

TEST(Gridworld, DrawsRewardsOfAWideRange) {
  // The range exceeds that of int32.
  GridworldOptions options = wet_floor_world(32, 1);
  options.reward_share = 1;
  options.min_reward = -2'000'000'000;
  options.greatest_reward = 2'000'000'000;
  const auto world = make_gridworld<double>(options, 1);
  const auto [min, max] = std::minmax_element(world.reward.begin(), world.reward.end());
  EXPECT_GE(*min, -2e9);
  EXPECT_LT(*min, -1.5e9);
  EXPECT_GT(*max, 1.5e9);
  EXPECT_LE(*max, 2e9);
}

struct GridworldFault {
  const char* name;
  std::function<void(GridworldOptions&)> break_it;
  const char* words;
};

class ImpossibleGridworld : public testing::TestWithParam<GridworldFault> {};

TEST_P(ImpossibleGridworld, IsRefused) {
  GridworldOptions options = slip_world(8, 6, 0.1);
  GetParam().break_it(options);
  try {
    make_gridworld<float>(options, 1);
    ADD_FAILURE() << "nothing was refused";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), test::has_code_of(GetParam().words));
  }
}

using Options = GridworldOptions;
INSTANTIATE_TEST_SUITE_P(
    All, ImpossibleGridworld,
    testing::Values(GridworldFault{"none", [](Options& o) { o.n_y = 0; }, "8 [grid_size_invalid]"},
                    GridworldFault{"many", [](Options& o) { o.n_x = o.n_y = 65536; },
                                   "65536 [grid_size_invalid]"},
                    GridworldFault{"walls", [](Options& o) { o.wall_share = 1.5; },
                                   "the share of walls [share_invalid]"},
                    GridworldFault{"both", [](Options& o) { o.wall_share = o.obstacle_share = .6; },
                                   "1.2 [share_invalid]"},
                    GridworldFault{"nan", [](Options& o) { o.rewired_share = NAN; },
                                   "rewired transitions [share_invalid]"},
                    GridworldFault{"sum", [](Options& o) { o.move_probability[2] = .5; },
                                   "1.5 [move_probabilities_sum]"},
                    GridworldFault{"cost", [](Options& o) { o.step_cost = INFINITY; },
                                   "the cost of a step [world_number_invalid]"},
                    GridworldFault{"rewards", [](Options& o) { o.min_reward = 21; },
                                   "21 [reward_range_reversed]"},
                    GridworldFault{"discount", [](Options& o) { o.discount = -1; },
                                   "the discount [share_invalid]"},
                    GridworldFault{"start",
                                   [](Options& o) {
                                     o.start = {0, 6};
                                   },
                                   "start [grid_cell_outside]"},
                    GridworldFault{"goal",
                                   [](Options& o) {
                                     o.goal = GridCell{-1, 0};
                                   },
                                   "goal [grid_cell_outside]"}),
    [](const auto& fault) { return fault.param.name; });

}  // namespace
}  // namespace tidewise::mdp

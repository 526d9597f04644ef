#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "mdp/process/decision_process.h"

namespace tidewise::mdp {

/// A cell: column, eastward, and row, northward, from 0.
struct GridCell {
  std::int32_t x = 0;
  std::int32_t y = 0;
  bool operator==(const GridCell&) const = default;
};

/// A walk on n_x × n_y cells. State y · n_x + x; actions north (y + 1), east (x + 1), south, west.
/// A move that is blocked by the border or a wall stays in place.
struct GridworldOptions {
  std::int32_t n_x = 64;
  std::int32_t n_y = 64;
  /// Probabilities of moving ahead, to the right, back and to the left; they sum to 1.
  std::array<double, 4> move_probability{0.9, 0.05, 0, 0.05};
  double wall_share = 0;  ///< share of cells, at random, that are blocked: terminal with value 0
  double obstacle_share = 0;     ///< share of cells, at random, with an extra cost
  double step_cost = 1;          ///< cost of each transition
  double obstacle_cost = 10;     ///< cost of a transition into an obstacle or staying in it
  std::optional<GridCell> goal;  ///< terminal with value 0; absent: nothing terminates
  double goal_reward = 100;      ///< reward of a transition into the goal
  GridCell start;                ///< the initial state; like the goal, never a wall or an obstacle
  double reward_share = 0;       ///< share of cells, at random, with a reward for each action there
  std::int32_t min_reward = 2;   ///< range of the rewards, integers with equal probability
  std::int32_t greatest_reward = 20;  ///< upper end of the range
  double rewired_share =
      0;  ///< share of transitions that are redirected to any open cell with equal probability
  double discount = 0.9;
  std::uint64_t seed = 1;
  bool keep_rewards = false;  ///< also DecisionProcess::entry_reward
};

/// A slip world: the intended move has probability 1 − slip, each of the two sideways slip / 2; the
/// goal is the opposite corner.
GridworldOptions slip_world(std::int32_t n_x, std::int32_t n_y, double slip);

/// A wet floor, side × side, without terminal states and costs; 0.1 % of the cells have rewards of
/// 2 to 20. `successors` 1: every move succeeds; 2: a move succeeds with 0.9, and else goes to the
/// right; 4: it succeeds with 0.7, and goes in each other direction with 0.1. Errors: InputError
/// for other numbers.
GridworldOptions wet_floor_world(std::int32_t side, std::int32_t successors);

/// Refuses options that describe no possible world. Errors: InputError with the reason.
void require_possible(const GridworldOptions& options);

/// Makes the world with `threads` ≥ 1. The bits do not depend on their number or the machine,
/// because each cell and row draws its own random numbers. Needs memory for the result and a byte
/// per cell. Errors: those of require_possible().
template <class Real>
DecisionProcess<Real> make_gridworld(const GridworldOptions& options, std::int32_t threads);

}  // namespace tidewise::mdp

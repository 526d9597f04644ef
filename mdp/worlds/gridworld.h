#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "mdp/process/decision_process.h"

namespace tidewise::mdp {

/// A cell by its column, eastward, and its row, northward, from 0.
struct GridCell {
  std::int32_t x = 0;
  std::int32_t y = 0;
  bool operator==(const GridCell&) const = default;
};

/// A walk on n_x × n_y cells. State y · n_x + x; actions north (y + 1), east (x + 1), south, west.
/// A move that the border or a wall blocks stays where it is.
struct GridworldOptions {
  std::int32_t n_x = 64;
  std::int32_t n_y = 64;
  /// Where an action leads: ahead, to its right, back, to its left. They sum to 1.
  std::array<double, 4> move_probability{0.9, 0.05, 0, 0.05};
  double wall_share = 0;          ///< of the cells, at random: never entered, terminal of value 0
  double obstacle_share = 0;      ///< of the cells, at random: they cost something
  double step_cost = 1;           ///< of every transition
  double obstacle_cost = 10;      ///< of a transition that leads into an obstacle or stays there
  std::optional<GridCell> goal;   ///< terminal of value 0; none: nothing ends
  double goal_reward = 100;       ///< of a transition into it
  GridCell start;                 ///< the initial state; like the goal never a wall or an obstacle
  double reward_share = 0;        ///< of the cells, at random: any action there brings a reward …
  std::int32_t least_reward = 2;  ///< … a whole number from this …
  std::int32_t greatest_reward = 20;  ///< … to this, each as likely
  double rewired_share = 0;  ///< of transitions that lead to any open cell instead, each as likely
  double discount = 0.9;
  std::uint64_t seed = 1;
  bool keep_rewards = false;  ///< also DecisionProcess::entry_reward
};

/// A slip world: the move that is meant with 1 − slip, each of the two across with slip / 2; the
/// goal is the far corner.
GridworldOptions slip_world(std::int32_t n_x, std::int32_t n_y, double slip);

/// A wet floor, side × side: nothing ends and nothing costs; 0.1 % of the cells bring 2 to 20.
/// `successors` 1: every move succeeds; 2: with 0.9, else to its right; 4: with 0.7, else to each
/// of the others with 0.1. Errors: InputError for any other number.
GridworldOptions wet_floor_world(std::int32_t side, std::int32_t successors);

/// Refuses options that make no world. Errors: InputError that names what is wrong.
void require_possible(const GridworldOptions& options);

/// The world, by `threads` ≥ 1: the same bits by any number of them and on any machine, as each
/// cell and row draws its own random numbers. Takes no memory but the result's and a byte a cell.
/// Errors: InputError, as require_possible().
template <class Real>
DecisionProcess<Real> make_gridworld(const GridworldOptions& options, std::int32_t threads);

}  // namespace tidewise::mdp

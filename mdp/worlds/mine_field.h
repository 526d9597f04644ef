#pragma once

#include <cstdint>
#include <vector>

#include "mdp/process/decision_process.h"

namespace tidewise::mdp {

/// A vehicle is to cross a field of mines under water: from the corner of state 0 to the far one.
/// State y · width + x. Each action goes one cell, 0 to +x, then counter-clockwise. Mines and the
/// goal end the crossing, so they are terminal, with the value 0.
struct MineFieldOptions {
  std::int32_t width = 46;   ///< cells; 46 × 46 is the field of GPU programming courses
  std::int32_t height = 46;  ///< cells
  std::int32_t moves = 8;    ///< 8 headings, or 4
  double mine_share = 0.1;   ///< of the cells, each by itself; never beside start or goal
  double slip = 0.1;         ///< probability of the next heading to the left or right, half each
  /// Probability that the current carries the vehicle a cell on, where it is strongest: an eddy
  /// fills the field, fastest in the middle of each side, at rest in centre and corners.
  double drift = 0.1;
  double step_cost = 0.2;    ///< of a move along an axis; of a diagonal one √2 of it
  double goal_reward = 100;  ///< of the move that reaches the goal
  double mine_penalty = 50;  ///< of the move that meets a mine
  double discount = 0.995;
  std::uint64_t seed = 1;
};

/// Where the mines lie, (y, x), 1: a mine. There is always a way to the goal: a field without one
/// is drawn anew. Errors: InputError where the options make no field, or none with a way.
std::vector<std::uint8_t> lay_mines(const MineFieldOptions& options);

/// The field as a process, with the rewards of transitions. A move or drift across the border
/// loses the part of it that would. Errors as lay_mines().
template <class Real>
DecisionProcess<Real> make_mine_field(const MineFieldOptions& options);

}  // namespace tidewise::mdp

#pragma once

#include <cstdint>
#include <vector>

#include "mdp/process/decision_process.h"

namespace tidewise::mdp {

/// A vehicle that crosses a mine field under water, from the corner of state 0 to the opposite one.
/// State y · width + x. An action moves one cell: 0 to +x, then counter-clockwise. Mines and the
/// goal are terminal, with the value 0.
struct MineFieldOptions {
  std::int32_t width = 46;   ///< cells; 46 × 46 is the field of GPU programming courses
  std::int32_t height = 46;  ///< cells
  std::int32_t moves = 8;    ///< 8 headings, or 4
  double mine_share = 0.1;   ///< share of cells, drawn independently; none next to start or goal
  double slip = 0.1;  ///< probability of the adjacent heading to the left or right, half each
  /// Probability that the current moves the vehicle by a further cell, where it is strongest: an
  /// eddy fills the field, fastest in the middle of each side, at rest in centre and corners.
  double drift = 0.1;
  double step_cost = 0.2;  ///< cost of a move along an axis; √2 times as much for a diagonal one
  double goal_reward = 100;  ///< reward of a move into the goal
  double mine_penalty = 50;  ///< penalty of a move into a mine
  double discount = 0.995;
  std::uint64_t seed = 1;
};

/// Positions of mines, (y, x), 1: a mine. There is always a path to the goal: a field without one
/// is drawn again. Errors: InputError for invalid options, or if no field has a path.
std::vector<std::uint8_t> lay_mines(const MineFieldOptions& options);

/// The field as a process, with rewards of transitions. The part of a move or drift that would
/// cross the border is dropped. Errors: those of lay_mines().
template <class Real>
DecisionProcess<Real> make_mine_field(const MineFieldOptions& options);

}  // namespace tidewise::mdp

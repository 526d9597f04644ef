#pragma once

#include <cstdint>

#include "mdp/process/decision_process.h"

namespace tidewise::mdp {

/// The car that is too weak for the hill, on a grid of position and velocity: a continuous control
/// problem made a decision process by bilinear interpolation of where a step leads. A gust adds to
/// or takes from the thrust, each as likely. State velocity · positions + position. A step costs 1;
/// beyond the flag it ends. Actions: thrust from −1 to 1 in equal steps.
/// Source: Moore, "Efficient memory-based learning for robot control", 1990; the equations of
/// Sutton and Barto, "Reinforcement Learning", 1998, example 8.2.
struct MountainCarOptions {
  std::int32_t positions = 400;   ///< of the grid
  std::int32_t velocities = 400;  ///< of the grid
  std::int32_t thrusts = 5;
  double gust = 0.3;  ///< of the greatest thrust
  double discount = 0.99;
};

/// Errors: InputError for numbers that make no grid.
template <class Real>
DecisionProcess<Real> make_mountain_car(const MountainCarOptions& options);

}  // namespace tidewise::mdp

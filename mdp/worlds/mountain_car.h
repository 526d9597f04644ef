#pragma once

#include <cstdint>

#include "mdp/process/decision_process.h"

namespace tidewise::mdp {

/// The underpowered car in a valley, on a grid of position and velocity: a continuous control
/// problem, discretized by bilinear interpolation of the next state. A gust is added to or
/// subtracted from the thrust with equal probability. State velocity · positions + position. A step
/// costs 1; passing the flag terminates. Actions: thrust from −1 to 1 in equal steps. Source:
/// Moore, "Efficient memory-based learning for robot control", 1990; the equations of Sutton and
/// Barto, "Reinforcement Learning", 1998, example 8.2.
struct MountainCarOptions {
  std::int32_t positions = 400;   ///< number of grid points
  std::int32_t velocities = 400;  ///< number of grid points
  std::int32_t thrusts = 5;
  double gust = 0.3;  ///< as a share of the greatest thrust
  double discount = 0.99;
};

/// Makes the process of the options. Errors: InputError for invalid numbers.
template <class Real>
DecisionProcess<Real> make_mountain_car(const MountainCarOptions& options);

}  // namespace tidewise::mdp

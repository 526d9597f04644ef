#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "env/grid.h"

namespace tidewise {

/// Refined action of one state.
struct RefinedAction {
  std::int32_t cell = 0;
  float heading = 0;  ///< [rad] counter-clockwise from +x, 0 … 2π
  float speed = 0;    ///< [m s-1 or 1] through the water
  /// Increase of the expected value; 0 if the search found nothing better, and heading and speed
  /// are those of the policy's action.
  float gain = 0;
};

/// Refined states of a policy: (level), each sorted by cell; empty for levels without any.
struct RefinedPolicy {
  std::vector<std::vector<RefinedAction>> level;
};

/// States to refine: (level), cells ascending.
using StatesToRefine = std::vector<std::vector<std::int32_t>>;

/// Options of a refinement.
struct RefinementOptions {
  /// Number of realizations of the expectation, evenly spaced; 0: all.
  std::int32_t realizations = 500;
  std::int32_t steps = 18;   ///< number of steps of each golden-section search
  std::int32_t rounds = 2;   ///< number of searches over heading and speed in turn
  std::int32_t threads = 1;  ///< ≥ 1, on the CPU; the result does not depend on it
};

}  // namespace tidewise

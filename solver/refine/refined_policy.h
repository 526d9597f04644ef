#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "env/grid.h"

namespace tidewise {

/// What golden section made of one state's action.
struct RefinedAction {
  std::int32_t cell = 0;
  float heading = 0;  ///< [rad] counter-clockwise from +x, 0 … 2π
  float speed = 0;    ///< [m s-1 or 1] through the water
  /// What it adds to the expected value; 0 where nothing better than the policy's own action was
  /// found, which heading and speed then are.
  float gain = 0;
};

/// The refined states of a policy: (level), each ascending by cell. Levels without any are empty.
struct RefinedPolicy {
  std::vector<std::vector<RefinedAction>> level;
};

/// States that are to be refined: cells, ascending, by (level).
using StatesToRefine = std::vector<std::vector<std::int32_t>>;

struct RefinementOptions {
  /// Realizations that the expectation is taken over, evenly chosen; 0: all.
  std::int32_t realizations = 500;
  std::int32_t steps = 18;   ///< of golden section, each time
  std::int32_t rounds = 2;   ///< over heading and speed in turn
  std::int32_t threads = 1;  ///< ≥ 1, on the CPU; the result does not depend on it
};

}  // namespace tidewise

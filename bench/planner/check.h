#pragma once

#include <cstdint>
#include <vector>

#include "model_builder/step/counting_engine.h"

namespace tidewise {

struct PlannerCheckOptions {
  std::int32_t cells = 40;  ///< a side of the grid
  std::int32_t realizations = 5000;
  std::int32_t modes = 10;
  std::int32_t headings = 16;  ///< at two speeds
  LandingBy landing = LandingBy::area;
  std::int32_t threads = 1;  ///< of the CPU
  std::vector<Engine> engines = {Engine::lattice, Engine::direct, Engine::paper};
};

/// Solves some levels of a small problem that harvests, on the CPU by `lattice` and on the device
/// by some engines in the way that `bench planner` times it. Errors: RunError where one of them
/// gives another bit of policy or value than the CPU.
void check_planners(const PlannerCheckOptions& options);

}  // namespace tidewise

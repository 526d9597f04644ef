#pragma once

#include <cstdint>
#include <vector>

#include "bench/size.h"
#include "model_builder/step/counting_engine.h"

namespace tidewise {

/// Solves a problem that harvests, of `size` but no more than some levels and 40 cells a side, on
/// the CPU by `lattice` and on the device by some engines in the way that `bench planner` times it.
/// Errors: RunError where one of them gives another bit of policy or value than the CPU.
void check_planners(BenchmarkSize size, std::int32_t threads, const std::vector<Engine>& engines);

}  // namespace tidewise

#pragma once

#include <cstdint>
#include <vector>

#include "bench/size.h"
#include "model_builder/step/counting_engine.h"

namespace tidewise {

/// Solves a problem with harvesting, of `size` limited to some levels and 40 cells on each side, on
/// the CPU by `lattice` and on the device by `engines`, as timed by `bench planner`. Errors:
/// RunError if an engine gives another bit of policy or value than the CPU.
void check_planners(BenchmarkSize size, std::int32_t threads, const std::vector<Engine>& engines);

/// Solves a smaller problem by the published method in single precision, by plain loops on the CPU
/// and in both forms on the device. Errors: RunError if a form gives another bit.
void check_published(BenchmarkSize size, std::int32_t threads);

}  // namespace tidewise

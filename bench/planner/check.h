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

/// Solves a smaller one by the published method in single precision, by plain loops on the CPU and
/// in both forms on the device. Errors: RunError where a form gives another bit.
void check_published(BenchmarkSize size, std::int32_t threads);

}  // namespace tidewise

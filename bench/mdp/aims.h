#pragma once

#include <cstdint>

#include "bench/mdp/benchmark.h"

namespace tidewise {

/// Adds the aims for the measured sides of a world to `world`. `report`: source of the
/// bandwidths of copies. `threads`: number of threads of the host's sides.
void add_aims(const MdpBenchmarkReport& report, std::int32_t threads, MdpWorldReport& world);

/// Bandwidth at which a side reads the model, each byte once in a sweep, as a share of a copy's; 0
/// if a sweep does not read all of it.
double share_of_copy(const MdpBenchmarkReport& report, const MdpWorldReport& world,
                     const MdpFigures& side);

}  // namespace tidewise

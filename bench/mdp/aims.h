#pragma once

#include <cstdint>

#include "bench/mdp/benchmark.h"

namespace tidewise {

/// Puts what is claimed about a world's sides to `world`, where they are among those measured.
/// `report`: for the bandwidths of copies. `threads`: of the host's sides.
void add_aims(const MdpBenchmarkReport& report, std::int32_t threads, MdpWorldReport& world);

/// What a side reads of the model a second, each byte once a sweep, as a share of what the copy
/// moved; 0 where a sweep does not read all of it.
double share_of_copy(const MdpBenchmarkReport& report, const MdpWorldReport& world,
                     const MdpFigures& side);

}  // namespace tidewise

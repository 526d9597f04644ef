#pragma once

#include <cstdint>

#include "tidewise/backend.h"

namespace tidewise {

/// Size of a double gyre and a vehicle in it, by default those of the published problem. Most
/// benchmarks use it.
struct BenchmarkSize {
  std::int32_t cells = 200;  ///< on each side of the grid
  std::int32_t steps = 199;  ///< number of steps of the mission
  std::int32_t realizations = 5000;
  std::int32_t modes = 10;
  std::int32_t headings = 16;  ///< at two speeds
  LandingBy landing = LandingBy::area;

  bool operator==(const BenchmarkSize&) const = default;
};

}  // namespace tidewise

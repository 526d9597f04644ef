#pragma once

#include <cstdint>

#include "tidewise/backend.h"

namespace tidewise {

/// A double gyre and a vehicle on it, which most benchmarks are of: the published problem's size.
struct BenchmarkSize {
  std::int32_t cells = 200;  ///< a side of the grid
  std::int32_t steps = 199;  ///< of the mission
  std::int32_t realizations = 5000;
  std::int32_t modes = 10;
  std::int32_t headings = 16;  ///< at two speeds
  LandingBy landing = LandingBy::area;

  bool operator==(const BenchmarkSize&) const = default;
};

}  // namespace tidewise

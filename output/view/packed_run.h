#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <vector>

#include "output/view/run_view.h"

namespace tidewise {

/// A run as it goes into a page: what JSON holds, and the bytes that it refers to.
// NOLINTNEXTLINE(bugprone-exception-escape): moving JSON is noexcept, whatever its library calls
struct PackedRun {
  nlohmann::ordered_json facts;
  std::vector<std::uint8_t> bytes;
};

/// Packs a run into some `max_bytes`, thinning flights and fields until they fit; `facts.notes`
/// says what was. Positions come back within half of 1/65534 of the greatest extent, velocities
/// within half of 1/4000 of the greatest one, values within half of 1/65534 of their range. Errors:
/// RunError without memory.
PackedRun pack_run(RunView run, std::size_t max_bytes);

}  // namespace tidewise

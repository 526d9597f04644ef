#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <vector>

#include "output/view/run_view.h"

namespace tidewise {

/// A run as stored in a page: facts in JSON, and the bytes to which they refer.
// NOLINTNEXTLINE(bugprone-exception-escape): moving JSON is noexcept, whatever its library calls
struct PackedRun {
  nlohmann::ordered_json facts;
  std::vector<std::uint8_t> bytes;
};

/// Packs a run into some `max_bytes`, thinning flights and fields until they fit; `facts.notes`
/// lists what was. The error of positions is within half of 1/65534 of the greatest extent, of
/// velocities half of 1/4000 of the greatest one, of values half of 1/65534 of their range. Errors:
/// RunError without memory.
PackedRun pack_run(RunView run, std::size_t max_bytes);

}  // namespace tidewise

#pragma once

#include <fmt/format.h>

#include <string>

namespace tidewise::ingest {

/// "24 h" for 86400 s: steps are always given in hours, so that they are easy to compare.
inline std::string hours_text(double seconds) { return fmt::format("{:.3g} h", seconds / 3600); }

}  // namespace tidewise::ingest

#pragma once

#include <fmt/format.h>

#include <string>

namespace tidewise::ingest {

/// "24 h", not a day: steps are compared by their hours. `seconds`: [s]
inline std::string hours_text(double seconds) { return fmt::format("{:.3g} h", seconds / 3600); }

}  // namespace tidewise::ingest

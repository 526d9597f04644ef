#pragma once

#include <cstdlib>

namespace tidewise::test {

/// Whether campaigns try every combination (TIDEWISE_NIGHT=1, scripts/nightly.sh) or a sample of
/// them that takes seconds.
inline bool is_night() { return std::getenv("TIDEWISE_NIGHT") != nullptr; }

}  // namespace tidewise::test

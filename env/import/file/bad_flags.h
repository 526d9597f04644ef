#pragma once

#include <algorithm>
#include <array>

namespace tidewise::ingest {

/// Flags that are bad if a file does not define its flags, by the conventions of Argo, OceanSITES,
/// QARTOD and Seagliders: 3 probably bad or suspect, 4 bad, 6 not sampled, 9 missing.
inline constexpr std::array bad_flags{3.0, 4.0, 6.0, 9.0};

/// True for one of bad_flags.
inline bool is_bad(double flag) {
  return std::find(bad_flags.begin(), bad_flags.end(), flag) != bad_flags.end();
}

}  // namespace tidewise::ingest

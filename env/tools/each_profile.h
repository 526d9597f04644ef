#pragma once

#include <cstddef>
#include <cstdint>

#include "env/file/reader.h"

namespace tidewise {

/// Calls work(reader, number) for each of a file's profiles, with a reader that reads only this
/// profile. Calls it once, with `reader` itself, if there is one velocity.
template <class Work>
void for_each_profile(const EnvironmentReader& reader, Work work) {
  const std::size_t count = reader.info().profiles.size();
  if (count < 2) {
    work(reader, std::size_t{0});
    return;
  }
  for (std::size_t profile = 0; profile < count; ++profile) {
    EnvironmentReader profile_reader(reader, reader.window());
    profile_reader.choose_profile(profile);
    work(profile_reader, profile);
  }
}

/// The number of calls that for_each_profile() makes.
inline std::int32_t profile_passes(const EnvironmentInfo& info) {
  return info.profiles.size() < 2 ? 1 : static_cast<std::int32_t>(info.profiles.size());
}

}  // namespace tidewise

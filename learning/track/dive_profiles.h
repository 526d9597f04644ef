#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "env/environment_info.h"

namespace tidewise {

/// The index, among the profiles that are read, of the one named `name`; nullopt if there is none.
std::optional<std::int32_t> find_profile(const EnvironmentInfo& info, const std::string& name);

/// The index of the profile of a dive to `depth` [m], among the first `count` profiles that are
/// read (0: all): the one whose deepest depth is nearest, the first of two equally near. nullopt if
/// no profile states its depths (FROM:TO or at:DEPTH).
std::optional<std::int32_t> nearest_profile(const EnvironmentInfo& info, double depth,
                                            std::size_t count = 0);

/// The names of all profiles that are read: "up, down".
std::string profile_names(const EnvironmentInfo& info);

}  // namespace tidewise

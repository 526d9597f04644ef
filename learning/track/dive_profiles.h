#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "env/environment_info.h"

namespace tidewise {

/// Which of several profiles that are read bears a name; nothing for none.
std::optional<std::int32_t> find_profile(const EnvironmentInfo& info, const std::string& name);

/// Which of the first `count` profiles that are read (0: of all) is a dive's to `depth` [m]: the
/// one that reaches to the nearest depth, of two as near the first. Nothing where none says its
/// depths (FROM:TO or at:DEPTH).
std::optional<std::int32_t> nearest_profile(const EnvironmentInfo& info, double depth,
                                            std::size_t count = 0);

/// "up, down"
std::string profile_names(const EnvironmentInfo& info);

}  // namespace tidewise

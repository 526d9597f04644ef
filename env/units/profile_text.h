#pragma once

#include <cstddef>
#include <string>

namespace tidewise {

/// Maximum length of a profile's name [bytes].
inline constexpr std::size_t max_profile_name = 64;
/// Maximum number of ranges of a profile.
inline constexpr std::size_t max_depth_ranges = 1000;

/// True for the name of a profile: letters, digits, "-" and "_".
bool is_profile_name(const std::string& name);

/// True for the text of a dive's depths: "0:1000", "at:200", or ranges with shares of the time that
/// sum to 1 ("0:50@0.4,50:100@0.6").
bool are_profile_depths(const std::string& text);

}  // namespace tidewise

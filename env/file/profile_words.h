#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/hdf5/file.h"
#include "env/environment_info.h"

namespace tidewise {

/// The value that means "no profile" in variables that hold profile numbers.
inline constexpr std::uint8_t no_profile = 255;

/// The names of `profiles`, in order.
std::vector<std::string> names_of(const std::vector<EnvironmentProfile>& profiles);

/// Describes the profiles on a variable that holds their numbers, with CF's attributes for flags,
/// flag_values and flag_meanings, and the attribute `depths`.
void write_profile_words(Hdf5File& file, const std::string& variable,
                         const std::vector<EnvironmentProfile>& profiles);

/// Describes a file's only profile by the root attributes profile and profile_depths.
void write_profile_words(Hdf5File& file, const EnvironmentProfile& profile);

/// Reads the profiles that either function wrote, from a variable or from the root, "/"; empty if
/// there are none. Errors: InputError for names and depths that 'env import' would refuse.
std::vector<EnvironmentProfile> read_profile_words(const Hdf5File& file,
                                                   const std::string& variable);

}  // namespace tidewise

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/hdf5/file.h"
#include "env/environment_info.h"

namespace tidewise {

/// In variables of profiles' numbers: none is dived here.
inline constexpr std::uint8_t no_profile = 255;

std::vector<std::string> names_of(const std::vector<EnvironmentProfile>& profiles);

/// Names profiles at a variable of their numbers, as the CF conventions name flags: flag_values,
/// flag_meanings, and `depths` beside them.
void write_profile_words(Hdf5File& file, const std::string& variable,
                         const std::vector<EnvironmentProfile>& profiles);

/// Names the one profile of a file at its root: profile and profile_depths.
void write_profile_words(Hdf5File& file, const EnvironmentProfile& profile);

/// What either wrote, of a variable or of the root, "/"; empty where there is nothing of it.
/// Errors: InputError for names and depths that 'env import' would not take.
std::vector<EnvironmentProfile> read_profile_words(const Hdf5File& file,
                                                   const std::string& variable);

}  // namespace tidewise

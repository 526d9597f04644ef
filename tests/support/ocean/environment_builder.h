#pragma once

#include <filesystem>
#include <functional>

#include "env/environment_info.h"
#include "env/level_fields.h"

namespace tidewise::test {

/// Changes the fields of one level; they are initially those of still_level().
using FillLevel = std::function<void(TimeLevel k, LevelFields<>& fields)>;
/// Changes the fields of one level and profile.
using FillProfile = std::function<void(TimeLevel k, std::size_t profile, LevelFields<>& fields)>;

/// Describes a non-dimensional environment with cells and steps of 1, the first cell's centre at
/// (0.5, 0.5), a moving mask and a scalar field.
EnvironmentInfo plain_info(std::int32_t nx, std::int32_t ny, std::int32_t level_count,
                           std::int32_t mode_count = 1, std::int32_t realization_count = 1);

/// Returns a level of still, open water with coefficients of 0.
LevelFields<> still_level(const EnvironmentInfo& info);

/// Writes the environment of `info`, each level filled by `fill`.
void write_environment(const std::filesystem::path& path, const EnvironmentInfo& info,
                       const FillLevel& fill = {});
/// Writes an environment with several profiles, which `info` names.
void write_profiles(const std::filesystem::path& path, const EnvironmentInfo& info,
                    const FillProfile& fill);

/// Copies an environment with fixed modes into one that stores the modes of each level.
void repeat_modes(const std::filesystem::path& from, const std::filesystem::path& to);

}  // namespace tidewise::test

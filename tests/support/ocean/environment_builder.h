#pragma once

#include <filesystem>
#include <functional>

#include "env/environment_info.h"
#include "env/level_fields.h"

namespace tidewise::test {

/// Changes one level's fields, which begin as those of still_level().
using FillLevel = std::function<void(TimeLevel k, LevelFields<>& fields)>;
/// The same for each profile.
using FillProfile = std::function<void(TimeLevel k, std::size_t profile, LevelFields<>& fields)>;

/// A non-dimensional environment with cells and steps of 1, the first cell's centre at (0.5, 0.5),
/// a moving mask and a scalar field.
EnvironmentInfo plain_info(std::int32_t nx, std::int32_t ny, std::int32_t level_count,
                           std::int32_t mode_count = 1, std::int32_t realization_count = 1);

/// A level of still, open water with coefficients of 0.
LevelFields<> still_level(const EnvironmentInfo& info);

/// Writes the environment of `info`, each level filled by `fill`.
void write_environment(const std::filesystem::path& path, const EnvironmentInfo& info,
                       const FillLevel& fill = {});
/// The same for several profiles, which `info` names.
void write_profiles(const std::filesystem::path& path, const EnvironmentInfo& info,
                    const FillProfile& fill);

/// Copies an environment whose modes are fixed in time to one in which each level has its own.
void repeat_modes(const std::filesystem::path& from, const std::filesystem::path& to);

}  // namespace tidewise::test

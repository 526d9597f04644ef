#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "env/import/file/field_layout.h"

namespace tidewise::ingest {

/// Whether the level nearest the surface will do where it is deep.
enum class Surface { required, nearest };

/// One level of a variable.
struct DepthLevel {
  std::size_t index = 0;
  std::optional<double>
      depth;         ///< from the surface [m]; nothing: the file does not say it in metres
  std::string note;  ///< what a user should know
};

/// The level of `variable` nearest `wanted` [m], or the surface. Heights and depths are told by
/// their distance from the surface; levels that follow the bottom are taken at the surface alone.
/// Errors: InputError naming file, variable and remedy, for levels whose depth cannot be known, and
/// for a surface that is deeper than 20 m where one is required.
DepthLevel choose_depth_level(const NetcdfFile& file, const std::string& variable,
                              const RolePlace& place, std::optional<double> wanted,
                              Surface surface);

}  // namespace tidewise::ingest

#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

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

/// The levels of a variable that dives pass, from the surface down.
struct DiveLevels {
  std::vector<std::size_t> index;  ///< (level), in the file
  std::vector<double> depth;  ///< (level), growing [m]; empty where they follow the bottom instead
  bool to_the_end = false;    ///< no level of the file is deeper than the last
  std::string note;           ///< what a user should know
};

/// Those that a dive from `least` to `greatest` [m] needs, with those beside them; all of them
/// where they follow the bottom. Errors: InputError naming file, variable and remedy, for depths
/// that cannot be known and for a single level.
DiveLevels choose_dive_levels(const NetcdfFile& file, const std::string& variable,
                              const RolePlace& place, double least, double greatest);

}  // namespace tidewise::ingest

#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "env/import/file/field_layout.h"

namespace tidewise::ingest {

/// [m] A level within it counts as the surface: models have their first level within 10 m,
/// drifters' currents are of 15 m.
inline constexpr double deepest_surface = 20;

/// Whether the level nearest the surface will do where it is deep.
enum class Surface { required, nearest };

/// One level of a variable.
struct DepthLevel {
  std::size_t index = 0;
  std::optional<double>
      depth;         ///< from the surface [m]; nothing: the file does not say it in metres
  std::string note;  ///< what a user should know
};

/// The level of a variable nearest `wanted` [m], or the surface. The depth of a field without a
/// dimension of depth is that of a coordinate of one value: `told`, else one that the variable's
/// `coordinates` name or that is called depth; without any it is unknown. Heights and depths are
/// known by their distance from the surface; levels that follow the bottom are taken only at the
/// surface. Errors: InputError naming file, variable and remedy, for levels whose depth cannot be
/// known, for `wanted` that the levels do not reach, and for a surface deeper than deepest_surface
/// where one is required.
DepthLevel choose_depth_level(const NetcdfFile& file, const FieldLayout& layout,
                              const std::string& told, std::optional<double> wanted,
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
/// that cannot be known, for a single level, and, where the surface is required, for a first level
/// more than deepest_surface below `least`.
DiveLevels choose_dive_levels(const NetcdfFile& file, const std::string& variable,
                              const RolePlace& place, double least, double greatest,
                              Surface surface);

}  // namespace tidewise::ingest

#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "env/import/file/field_layout.h"

namespace tidewise::ingest {

/// Greatest depth of a level that is accepted as the surface [m]: models have their first level
/// within 10 m, and drifters' currents belong to 15 m.
inline constexpr double deepest_surface = 20;

/// `required`: refuse a level nearest the surface that is deeper than deepest_surface. `nearest`:
/// accept it.
enum class Surface { required, nearest };

/// One level of a variable.
struct DepthLevel {
  std::size_t index = 0;
  std::optional<double> depth;  ///< from the surface [m]; nullopt if the file has no metres
  std::string note;             ///< note for the user
};

/// The level of a variable nearest `requested` [m], or the surface. The depth of a field without a
/// depth dimension is that of a coordinate with one value: `named_coordinate`, else one that the
/// variable's `coordinates` lists or that is named depth; otherwise it is unknown. Heights and
/// depths are compared by their distance from the surface. Levels that follow the bottom are
/// accepted only at the surface. Errors: InputError naming file, variable and remedy, for levels of
/// unknown depth, for `requested` beyond the levels, and for a surface deeper than deepest_surface
/// if it is required.
DepthLevel choose_depth_level(const NetcdfFile& file, const FieldLayout& layout,
                              const std::string& named_coordinate, std::optional<double> requested,
                              Surface surface);

/// The levels of a variable that dives pass, from the surface down.
struct DiveLevels {
  std::vector<std::size_t> index;  ///< (level), in the file
  std::vector<double> depth;       ///< (level), ascending [m]; empty if they follow the bottom
  bool to_the_end = false;         ///< no level of the file is deeper than the last
  std::string note;                ///< note for the user
};

/// The levels that a dive from `shallowest` to `deepest` [m] needs, with the adjacent ones; all of
/// them if they follow the bottom. Errors: InputError naming file, variable and remedy, for unknown
/// depths, for a single level, and, if the surface is required, for a first level more than
/// deepest_surface below `shallowest`.
DiveLevels choose_dive_levels(const NetcdfFile& file, const std::string& variable,
                              const RolePlace& place, double shallowest, double deepest,
                              Surface surface);

}  // namespace tidewise::ingest

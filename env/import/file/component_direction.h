#pragma once

#include <optional>
#include <string>

#include "env/import/file/netcdf/netcdf_file.h"
#include "env/import/file/source_names.h"

namespace tidewise::ingest {

/// The directions of a velocity's components as the user and the file state them.
struct StatedDirections {
  std::optional<Components> requested;  ///< by the user, with --components
  std::optional<Components> stated;     ///< by the file
  std::string evidence;                 ///< the file's: "standard_name eastward_sea_water_velocity"
  bool by_standard_name = false;        ///< the evidence is a standard_name
};

/// Reads the directions that u and v state. Errors: InputError if they contradict each other.
StatedDirections read_stated_directions(const NetcdfFile& u_file, const std::string& u,
                                        const NetcdfFile& v_file, const std::string& v,
                                        const std::optional<Components>& requested);

/// Refuses a variable whose direction in `file` differs from that in `first`. `unstated`: direction
/// in a file that states none. Errors: InputError.
void require_same_direction(const NetcdfFile& file, const NetcdfFile& first,
                            const std::string& variable, std::optional<Components> unstated);

/// Properties of the components' grid.
struct ComponentGrid {
  bool staggered = false;   ///< u and v are on different points
  bool along_east = false;  ///< the grid's axes point east and north everywhere
  bool on_a_map = false;    ///< the grid has the x and y of a map projection
};

/// The directions of a velocity's components, with the reason.
struct ComponentDecision {
  Components components = Components::east_north;
  std::string why;   ///< for the report
  std::string note;  ///< doubt to report to the user; empty: none
};

/// Decides the directions. Errors: InputError, without file and variable, if they are unclear.
ComponentDecision decide_components(const StatedDirections& directions, const ComponentGrid& grid);

}  // namespace tidewise::ingest

#pragma once

#include <optional>
#include <string>

#include "env/import/file/netcdf_file.h"
#include "env/import/file/source_names.h"

namespace tidewise::ingest {

/// What a file and its user say of where a velocity's components point.
struct ComponentWords {
  std::optional<Components> told;
  std::optional<Components> said;
  std::string by;  ///< "standard_name eastward_sea_water_velocity"
  bool by_standard_name = false;
};

/// Errors: InputError when u and v say different things.
ComponentWords words_of_components(const NetcdfFile& u_file, const std::string& u,
                                   const NetcdfFile& v_file, const std::string& v,
                                   const std::optional<Components>& told);

/// Refuses a variable that points otherwise in `file` than in `first`. `unstated`: where it points
/// in a file that does not say it. Errors: InputError.
void require_same_direction(const NetcdfFile& file, const NetcdfFile& first,
                            const std::string& variable, std::optional<Components> unstated);

/// The grid that the components are on.
struct ComponentPlaces {
  bool staggered = false;   ///< u and v on points of their own
  bool along_east = false;  ///< the grid's axes point east and north wherever it is
  bool on_a_map = false;    ///< x and y of a projection
};

struct ComponentVerdict {
  Components components = Components::east_north;
  std::string why;   ///< for the report
  std::string note;  ///< a doubt that a user should know of; empty: none
};

/// Decides, or gives the line that says why nothing can be decided; the caller names file and
/// variable. Errors: InputError.
ComponentVerdict validate_components(const ComponentWords& words, const ComponentPlaces& places);

}  // namespace tidewise::ingest

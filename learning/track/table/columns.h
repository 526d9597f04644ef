#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "learning/track/table/table.h"

namespace tidewise {

/// What a column of a track can say.
enum class TrackRole {
  time,            ///< of the fix
  level,           ///< the same, as a level's number
  longitude,       ///< of the fix [degrees]
  latitude,        ///< [degrees]
  x,               ///< of the fix, in the environment's plane [m or 1]
  y,               ///<
  dead_longitude,  ///< where the vehicle would be had it made its way from the last fix in still
  dead_latitude,   ///< water [degrees]
  dead_x,          ///< the same in the plane [m or 1]
  dead_y,          ///<
  speed,           ///< through the water, from this fix to the next [m s-1 or 1]
  bearing,         ///< of that, degrees clockwise from true north
  heading,         ///< the same in the plane, counter-clockwise from +x
  u,               ///< mean current of the leg that ends here, to the east (along x) [m s-1 or 1]
  v,               ///< to the north (along y)
  error,           ///< standard deviation of each component of the current [m s-1 or 1]
  u_error,         ///< of u alone
  v_error,         ///< of v alone
  current_time,    ///< the middle of what u and v are the mean of
  current_longitude,  ///< where that was [degrees]
  current_latitude,
  dive,     ///< the number of the dive that ends here
  depth,    ///< how deep it was; of a dive that ends here, or of the vehicle on its way [m]
  profile,  ///< the name of the environment's profile that is dived: from here on beside a speed
            ///< through the water, else of the dive that ends here
  identity  ///< which of several vehicles a row is of
};
inline constexpr std::size_t track_role_count = 25;

/// Where a table has what. A role is an index into its columns.
struct TrackColumns {
  std::array<std::optional<std::size_t>, track_role_count> of_role;

  std::optional<std::size_t> operator[](TrackRole role) const {
    return of_role[static_cast<std::size_t>(role)];
  }
  std::optional<std::size_t>& operator[](TrackRole role) {
    return of_role[static_cast<std::size_t>(role)];
  }
  bool has(TrackRole role) const { return (*this)[role].has_value(); }
};

/// Whether headings of the environment at hand are told by a compass.
enum class TrackNorth { none, true_north };

/// What a track's columns are, by the names that gliders' files, drifters' files and people give
/// them, and by CF's standard names. A name may end in its units: lat_deg, speed_kn. An identity is
/// a column that does tell several vehicles apart. `told`:
/// columns by role, "ROLE=COLUMN", for names that are not known. Errors: InputError for a role or a
/// column that there is none of.
TrackColumns find_track_columns(const TrackTable& table, TrackNorth north,
                                const std::vector<std::string>& told);

/// A column's name as columns are compared: in small letters, with _ between words.
std::string plain_name(const std::string& name);

/// The first column of a name, compared as above.
std::optional<std::size_t> find_column(const TrackTable& table, std::string_view name);

/// True where a row has a number or text.
bool has_value(const TrackColumn& column, std::size_t row);

/// Leaves a row of a column without a value.
void clear_value(TrackColumn& column, std::size_t row);

/// What it takes for a track, and how much of that is there: 0 is nothing; above 0 there are times
/// and places, more where something is known of what the vehicle did.
int usefulness(const TrackColumns& columns);

/// "time is column m_present_time [timestamp], …"
std::string describe_columns(const TrackTable& table, const TrackColumns& columns);

/// A column's units in small letters; where the file has none, those that its name ends in ("" for
/// none).
std::string units_of(const TrackColumn& column);

}  // namespace tidewise

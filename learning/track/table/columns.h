#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "learning/track/table/table.h"

namespace tidewise {

/// The roles of a track's columns.
enum class TrackRole {
  time,            ///< time of the fix
  level,           ///< time of the fix as a level's number
  longitude,       ///< position of the fix [degrees]
  latitude,        ///< position of the fix [degrees]
  x,               ///< position of the fix in the environment's plane [m or 1]
  y,               ///< position of the fix in the environment's plane [m or 1]
  dead_longitude,  ///< dead-reckoned position from the last fix, without current [degrees]
  dead_latitude,   ///< dead-reckoned position [degrees]
  dead_x,          ///< dead-reckoned position in the plane [m or 1]
  dead_y,          ///< dead-reckoned position in the plane [m or 1]
  speed,           ///< through the water, from this fix to the next [m s-1 or 1]
  bearing,         ///< direction of `speed`, degrees clockwise from true north
  heading,         ///< direction of `speed` in the plane, counter-clockwise from +x
  u,        ///< mean current of the leg that ends at this row, eastward or along x [m s-1 or 1]
  v,        ///< mean current of that leg, northward or along y [m s-1 or 1]
  error,    ///< standard deviation of each component of the current [m s-1 or 1]
  u_error,  ///< standard deviation of u
  v_error,  ///< standard deviation of v
  current_time,       ///< middle of the averaging time of u and v
  current_longitude,  ///< position of that middle [degrees]
  current_latitude,
  dive,   ///< number of the dive that ends at this row
  depth,  ///< greatest depth of the dive that ends at this row, or the vehicle's current depth [m]
  profile,  ///< name of the environment's profile: with a speed through the water that of the next
            ///< dive, else that of the dive that ends at this row
  identity  ///< name of one of several vehicles
};
/// Number of roles.
inline constexpr std::size_t track_role_count = 25;

/// The column of each role in a table, as an index into TrackTable::columns.
struct TrackColumns {
  std::array<std::optional<std::size_t>, track_role_count> of_role;

  std::optional<std::size_t> operator[](TrackRole role) const {
    return of_role[static_cast<std::size_t>(role)];
  }
  std::optional<std::size_t>& operator[](TrackRole role) {
    return of_role[static_cast<std::size_t>(role)];
  }
  /// True if the table has a column with this role.
  bool has(TrackRole role) const { return (*this)[role].has_value(); }
};

/// `true_north`: the environment has longitudes and latitudes, so that compass bearings have a
/// meaning.
enum class TrackNorth { none, true_north };

/// Finds the roles of a track's columns, by names that are usual in gliders' and drifters' files,
/// and by CF's standard names. A name may end in its units: lat_deg, speed_kn. An identity is a
/// column with at least two different values. `assignments`: "ROLE=COLUMN" for unknown names.
/// Errors: InputError for an unknown role or a missing column.
TrackColumns find_track_columns(const TrackTable& table, TrackNorth north,
                                const std::vector<std::string>& assignments);

/// A column's name in the form used for comparison: in lower case, with _ between words.
std::string plain_name(const std::string& name);

/// The first column with a name, compared by plain_name().
std::optional<std::size_t> find_column(const TrackTable& table, std::string_view name);

/// True if a row has a number or text.
bool has_value(const TrackColumn& column, std::size_t row);

/// Removes the value of a row.
void clear_value(TrackColumn& column, std::size_t row);

/// A measure of the columns' use as a track: 0 without times and positions; greater with data on
/// the vehicle's motion or on currents.
int usefulness(const TrackColumns& columns);

/// The roles of the columns as text: "time is column m_present_time [timestamp], …".
std::string describe_columns(const TrackTable& table, const TrackColumns& columns);

/// A column's units in lower case; without units in the file, those at the end of its name ("" for
/// none).
std::string units_of(const TrackColumn& column);

}  // namespace tidewise

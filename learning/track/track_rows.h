#pragma once

#include <cstddef>
#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

#include "env/file/reader.h"
#include "env/units/geographic_position.h"
#include "env/units/meridian_convergence.h"
#include "learning/track/table/clock.h"
#include "learning/track/table/columns.h"
#include "learning/track/track.h"

namespace tidewise {

/// A vector in the environment's plane.
struct PlaneVector {
  double x = 0;
  double y = 0;
};

/// The mean current of the leg that ends at a row, from the file's columns.
struct NamedCurrent {
  PlaneVector flow;     // in the plane
  PlaneVector error;    // 0: not given
  PlaneVector in_file;  // as in the file

  bool operator==(const NamedCurrent& other) const {
    return in_file.x == other.in_file.x && in_file.y == other.in_file.y;
  }
};

/// The source of a track's flow.
enum class FlowFrom { currents, dead_reckoning, steering, drift };

// Greater numbers are fill values or have other units: the strongest tidal streams reach some 10
// m/s.
inline constexpr double fastest_current = 10;  // [m/s]
inline constexpr double fastest_vehicle = 30;  // [m/s] through the water

/// TrackNorth::true_north if the environment has longitudes and latitudes.
TrackNorth north_of(const EnvironmentReader& environment);

/// The columns of a table that matter for an environment: depths are ignored if it has one
/// velocity, and a column named profile is ignored if it names none of the environment's profiles.
TrackColumns columns_for(const TrackTable& table, const EnvironmentReader& environment,
                         const TrackOptions& options);

/// The rows of a table as numbers in the environment's units and plane. The arguments of the
/// constructor must outlive the object. Errors of all functions that read: InputError naming file
/// and row.
class TrackRows {
 public:
  TrackRows(const TrackTable& table, const EnvironmentReader& environment,
            const TrackOptions& options);

  const TrackTable& table() const { return table_; }
  const EnvironmentInfo& info() const { return info_; }
  const TrackOptions& options() const { return options_; }
  const TrackColumns& columns() const { return columns_; }
  const TrackClock& clock() const { return clock_; }

  /// True if the table has a column with this role.
  bool has(TrackRole role) const { return columns_.has(role); }
  /// True if it has columns with all these roles.
  bool has_all(std::initializer_list<TrackRole> roles) const;
  /// The column with a role. Requires has(role).
  const TrackColumn& column(TrackRole role) const { return table_.columns[*columns_[role]]; }
  /// The number in a row, in the file's units; nullopt for an empty cell.
  std::optional<double> number(TrackRole role, std::size_t row) const;
  /// True if the environment is in m and s.
  bool is_metric() const { return info_.units == Units::metric; }
  /// True if positions are longitudes and latitudes that the environment can use.
  bool geographic() const {
    return north_ == TrackNorth::true_north && has_all({TrackRole::longitude, TrackRole::latitude});
  }
  /// True if currents have their own times and positions.
  bool of_points() const { return usefulness(columns_) >= 4 && !options_.drifter; }
  /// True for drifters and radars.
  bool is_at_surface() const { return options_.drifter || table_.at_many_places; }
  /// The source of the flow, by the columns and options.
  FlowFrom flow_from() const;
  /// Makes geographic() and messages use the currents' positions in place of the fixes'.
  void take_places_of_currents();

  /// Refuses a table that lacks the columns of a track.
  void require_columns() const;
  /// Throws InputError: "<file>: <why>".
  [[noreturn]] void refuse_table(const std::string& why) const;

  /// Factor from a position's units to metres.
  double length_factor_of(TrackRole role) const;
  /// True if positions have degrees and minutes in one number, as Slocum's sensors do: 4652.31 for
  /// 46° 52.31'.
  bool in_minutes(TrackRole latitude) const;
  /// The position in a row [degrees]; nullopt for empty cells and fill values.
  std::optional<GeographicPoint> globe_point(TrackRole longitude, TrackRole latitude,
                                             std::size_t row) const;
  /// A position in the environment's plane; nullopt outside.
  std::optional<PlanePoint> in_plane(const GeographicPoint& point) const;
  /// True if the environment contains a point.
  bool holds(PlanePoint point) const;
  /// The dead-reckoned position of a row; nullopt if it has none.
  std::optional<PlanePoint> dead_point(std::size_t row) const;
  /// The current of a row at the position `at`; nullopt if it has none.
  std::optional<NamedCurrent> current_at_row(std::size_t row, PlanePoint at) const;
  /// The velocity through the water from a row on, in the plane [m s-1 or 1]; nullopt if unknown.
  std::optional<PlaneVector> own_velocity(std::size_t row, PlanePoint at) const;
  /// The time of a row in the environment's units; nullopt if it has none.
  std::optional<double> time_of(std::size_t row) const;
  std::optional<double> depth_at(std::size_t row) const;  ///< [m]
  /// The index of the profile that a row names; nullopt if it names none.
  std::optional<std::int32_t> profile_at(std::size_t row) const;
  /// The extent of the environment: "longitude 1.00 to 2.00, latitude 3.00 to 4.00".
  std::string domain_words() const;

 private:
  double speed_factor_of(TrackRole role) const;
  /// Factor from a heading's or bearing's units to radians.
  double angle_factor_of(TrackRole role) const;
  double find_angle_factor(TrackRole role) const;
  bool fits_latitudes(TrackRole role) const;
  /// Refuses an invalid latitude, which may belong to another column or have another unit.
  [[noreturn]] void refuse_latitude(TrackRole longitude, TrackRole latitude, std::size_t row) const;
  /// A vector in the plane, from eastward and northward components if the environment has a north.
  PlaneVector turned(double east, double north, PlanePoint at) const;
  /// Refuses a speed [m/s] above `limit`.
  void require_possible(std::size_t row, const char* what, double speed, double limit) const;
  PlaneVector current_error_at(std::size_t row) const;
  std::optional<double> angle_of(TrackRole role, std::size_t row) const;  ///< [rad]

  const TrackTable& table_;
  const EnvironmentInfo& info_;
  const TrackOptions& options_;
  TrackClock clock_;
  TrackNorth north_;
  TrackColumns columns_;
  std::vector<double> longitude_, latitude_;
  std::optional<MeridianConvergence> convergence_;
  mutable std::optional<PlaneFinder> finder_;  // keeps the last position
  mutable std::optional<double> angle_factor_;
  mutable std::optional<bool> in_minutes_;
};

}  // namespace tidewise

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

struct PlaneVector {
  double x = 0;
  double y = 0;
};

/// A mean flow until here, as the columns name it.
struct NamedCurrent {
  PlaneVector flow;   // in the plane
  PlaneVector error;  // 0: not said
  PlaneVector told;   // as it stands there

  bool operator==(const NamedCurrent& other) const {
    return told.x == other.told.x && told.y == other.told.y;
  }
};

/// The source of a track's flow.
enum class FlowFrom { currents, dead_reckoning, steering, drift };

// Beyond these a number is a fill value, or of another unit: the strongest tidal streams make some
// 10 m/s.
inline constexpr double fastest_current = 10;  // [m/s]
inline constexpr double fastest_vehicle = 30;  // [m/s] through the water

TrackNorth north_of(const EnvironmentReader& environment);

/// What the columns of a table are to an environment: depths are nothing to one of one velocity,
/// and a column that is called profile is none where it names none of the environment's.
TrackColumns columns_for(const TrackTable& table, const EnvironmentReader& environment,
                         const TrackOptions& options);

/// The rows of a table as numbers in the environment's units and plane. All arguments outlive it.
/// Errors of all reading: InputError naming file and row.
class TrackRows {
 public:
  TrackRows(const TrackTable& table, const EnvironmentReader& environment,
            const TrackOptions& options);

  const TrackTable& table() const { return table_; }
  const EnvironmentInfo& info() const { return info_; }
  const TrackOptions& options() const { return options_; }
  const TrackColumns& columns() const { return columns_; }
  const TrackClock& clock() const { return clock_; }

  bool has(TrackRole role) const { return columns_.has(role); }
  bool has_all(std::initializer_list<TrackRole> roles) const;
  const TrackColumn& column(TrackRole role) const { return table_.columns[*columns_[role]]; }
  std::optional<double> number(TrackRole role, std::size_t row) const;
  bool is_metric() const { return info_.units == Units::metric; }
  bool geographic() const {
    return north_ == TrackNorth::true_north && has_all({TrackRole::longitude, TrackRole::latitude});
  }
  /// Currents with times and places of their own.
  bool of_points() const { return usefulness(columns_) >= 4 && !options_.drifter; }
  bool is_at_surface() const { return options_.drifter || table_.at_many_places; }
  FlowFrom flow_from() const;
  /// Has geographic() and messages take the currents' places for the fixes'.
  void take_places_of_currents();

  /// Refuses a table that lacks what a track needs.
  void require_columns() const;
  [[noreturn]] void refuse_table(const std::string& why) const;

  double length_factor_of(TrackRole role) const;
  /// Slocum's sensors have degrees and minutes in one number, 4652.31 for 46° 52.31'.
  bool in_minutes(TrackRole latitude) const;
  std::optional<GeographicPoint> globe_point(TrackRole longitude, TrackRole latitude,
                                             std::size_t row) const;
  std::optional<PlanePoint> in_plane(const GeographicPoint& point) const;
  bool holds(PlanePoint point) const;
  std::optional<PlanePoint> dead_point(std::size_t row) const;
  std::optional<NamedCurrent> current_at_row(std::size_t row, PlanePoint at) const;
  std::optional<PlaneVector> own_velocity(std::size_t row, PlanePoint at) const;
  std::optional<double> time_of(std::size_t row) const;
  std::optional<double> depth_at(std::size_t row) const;  ///< [m]
  std::optional<std::int32_t> profile_at(std::size_t row) const;
  /// "longitude 1.00 to 2.00, latitude 3.00 to 4.00", of the environment.
  std::string domain_words() const;

 private:
  double speed_factor_of(TrackRole role) const;
  /// Of a heading or bearing [rad].
  double angle_factor_of(TrackRole role) const;
  double find_angle_factor(TrackRole role) const;
  bool fits_latitudes(TrackRole role) const;
  /// Refuses a latitude that is none, which may be of another column or another unit.
  [[noreturn]] void refuse_latitude(TrackRole longitude, TrackRole latitude, std::size_t row) const;
  /// Of the plane, from components to the east and north where there is a north.
  PlaneVector turned(double east, double north, PlanePoint at) const;
  /// Refuses speeds that no water and no vehicle has.
  void require_possible(std::size_t row, const char* what, double speed, double most) const;
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
  mutable std::optional<PlaneFinder> finder_;  // remembers where it was last
  mutable std::optional<double> angle_factor_;
  mutable std::optional<bool> in_minutes_;
};

}  // namespace tidewise

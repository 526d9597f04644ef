#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <vector>

#include "env/import/source/forecast_source.h"
#include "planner/rehearsal/source_points.h"

namespace tidewise::rehearsal {

/// The source's flow at a place.
struct SourceFlow {
  enum class Ground { water, land, beyond } ground = Ground::beyond;
  EastNorth current;    ///< velocity of the water
  double dive_end = 0;  ///< [m] maximum depth of a dive at this place, in water
};

/// Interpolates a forecast's current from its own files: bilinear between the four surrounding grid
/// points, linear between the two times and depth levels. Only points with a velocity at both times
/// count; without any the current is 0. A place is land if the nearest of the four points has no
/// velocity, or no water for a dive.
class SourceField {
 public:
  /// `source` must outlive it. `min`: depth at which dives begin [m].
  explicit SourceField(ingest::ForecastSource& source, double min = 0);

  /// Flow of a member, `depth` [m] below the surface, at `seconds` since 1970 within the source's
  /// times. The field of a single time holds for all times, and the level of a source without dives
  /// for all depths. `near` as in SourcePoints::locate().
  SourceFlow at(Vector up, double depth, double seconds, std::size_t member, Corners& near);

  /// Releases data that only times before `seconds` need.
  void forget_before(double seconds);

 private:
  const ingest::WaterColumns& columns_at(std::size_t time);
  std::size_t last_before(double seconds) const;

  ingest::ForecastSource& source_;
  SourcePoints points_;
  double min_;
  std::map<std::size_t, ingest::WaterColumns> kept_;  // planes (component, member) by time
};

}  // namespace tidewise::rehearsal

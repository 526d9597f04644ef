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
  double dive_end = 0;  ///< [m] how deep a dive comes here, of water
};

/// A forecast's current anywhere and at any time, as its files have it: between its own four points
/// bilinear and between its own two times and levels linear, by the points that have a velocity at
/// both times, and 0 where none has. A place is land where the nearest of the four has none, or no
/// water for a dive.
class SourceField {
 public:
  /// `source` must outlive it. `min`: [m] where dives begin.
  explicit SourceField(ingest::ForecastSource& source, double min = 0);

  /// Flow of a member, `depth` [m] below the surface, at `seconds` since 1970 within the source's
  /// times. The field of a single time holds for all times, and the level of a source without dives
  /// for all depths. `near` as in SourcePoints::locate().
  SourceFlow at(Vector up, double depth, double seconds, std::size_t member, Corners& near);

  /// Drops what only times before `seconds` need.
  void forget_before(double seconds);

 private:
  const ingest::WaterColumns& columns_at(std::size_t time);
  std::size_t last_before(double seconds) const;

  ingest::ForecastSource& source_;
  SourcePoints points_;
  double least_;
  std::map<std::size_t, ingest::WaterColumns> kept_;  // by time, of planes (component, member)
};

}  // namespace tidewise::rehearsal

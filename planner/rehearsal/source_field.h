#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <vector>

#include "env/import/source/forecast_source.h"
#include "planner/rehearsal/source_points.h"

namespace tidewise::rehearsal {

/// What the source says of a place.
struct SourceFlow {
  enum class Ground { water, land, beyond } ground = Ground::beyond;
  EastNorth current;  ///< of water
};

/// A forecast's current anywhere and at any time, as its files have it: between its own four points
/// bilinear and between its own two times linear, by the points that have a velocity at both, and 0
/// where none has. A place is land where the nearest of the four has none.
class SourceField {
 public:
  /// `source` must outlive it.
  explicit SourceField(ingest::ForecastSource& source);

  /// Of a member, at `seconds` since 1970 within the source's times; the field of a single time is
  /// that of all. `near` as in SourcePoints::locate().
  SourceFlow at(Vector up, double seconds, std::size_t member, Corners& near);

  /// Drops what only times before `seconds` need.
  void forget_before(double seconds);

 private:
  const std::vector<double>& fields_at(std::size_t time);
  std::size_t last_before(double seconds) const;

  ingest::ForecastSource& source_;
  SourcePoints points_;
  std::map<std::size_t, std::vector<double>> kept_;  // by time: (component, member, row, column)
};

}  // namespace tidewise::rehearsal

#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "env/import/import_forecast.h"
#include "env/points.h"

namespace tidewise::ingest {

/// What a forecast covers, before it is converted.
struct ForecastSurvey {
  BoundingBox area{};         ///< around its points [degrees]; east may lie beyond 180
  std::vector<double> times;  ///< [s since 1970], growing
  std::size_t member_count = 1;
  double spacing = 0;       ///< between its points [m]
  bool has_depths = false;  ///< levels below the surface, which dives can pass

  /// Whether a place lies in the area, or half a spacing beyond.
  bool contains(GeographicPoint place) const;
};

/// Opens the files of `options`, of which only files, names, depth and box count here, and reads
/// their coordinates. Errors: InputError, those of import_forecast().
ForecastSurvey survey_forecast(const ImportOptions& options);

/// The water within the box of `options`.
struct WaterSurvey {
  double speed = 0;    ///< that 95 % of the surface's water stays below [m s-1]
  double deepest = 0;  ///< level with water that a dive to `depth` passes [m]; 0 without a dive
};

/// Reads up to three times from `first` to `last` [s since 1970] at the surface, and, where `depth`
/// [m] is above 0, one time of all levels down to it. Errors: as above.
WaterSurvey survey_water(const ImportOptions& options, double first, double last, double depth);

/// Whether the forecast's point nearest to a place is water. Reads two times of a few points.
/// Errors: as above.
bool is_water(const ImportOptions& options, const ForecastSurvey& survey, GeographicPoint place);

/// The box [degrees] that a vehicle of `speed` [m s-1] needs between two places in water that moves
/// with `flow` [m s-1]: around all places through which it could go from one to the other at
/// speed + flow in the time that the straight line takes in still water, and six of the
/// forecast's points around both. flow counts as a half to two times the speed. In hundredths of a
/// degree; west lies in [-180, 180).
BoundingBox box_between(GeographicPoint start, GeographicPoint target, double speed, double flow,
                        double spacing);

/// Great-circle distance [m].
double distance_between(GeographicPoint from, GeographicPoint to);

}  // namespace tidewise::ingest

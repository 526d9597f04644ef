#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "env/import/import_forecast.h"
#include "env/points.h"

namespace tidewise::ingest {

/// The extent of a forecast that has not been converted yet.
struct ForecastSurvey {
  BoundingBox area{};         ///< around its points [degrees]; east may lie beyond 180
  std::vector<double> times;  ///< [s since 1970], ascending
  std::size_t member_count = 1;
  double spacing = 0;       ///< spacing of its points [m]
  bool has_depths = false;  ///< has levels below the surface, for dives

  /// True if a place lies in the area, or at most half a spacing beyond it.
  bool contains(GeographicPoint place) const;
};

/// Opens the files of `options` and reads their coordinates. Uses only files, names, depth and box
/// of `options`. Errors: InputError, those of import_forecast().
ForecastSurvey survey_forecast(const ImportOptions& options);

/// Properties of the water within the box of `options`.
struct WaterSurvey {
  double speed = 0;    ///< 95th percentile of the speed at the surface [m s-1]
  double deepest = 0;  ///< deepest level with water on a dive to `depth` [m]; 0 without a dive
};

/// Reads up to three times from `first` to `last` [s since 1970] at the surface, and, if `depth`
/// [m] is above 0, one time of all levels down to it. Errors: those of survey_forecast().
WaterSurvey survey_water(const ImportOptions& options, double first, double last, double depth);

/// True if the forecast's point nearest to a place is water. Reads two times of a few points.
/// Errors: those of survey_forecast().
bool is_water(const ImportOptions& options, const ForecastSurvey& survey, GeographicPoint place);

/// The box [degrees] that a vehicle of `speed` [m s-1] needs between two places in water that moves
/// with `flow` [m s-1]. It contains all places through which the vehicle could go from one to the
/// other at speed + flow, in the time that the straight line takes in still water, and six points
/// of the forecast around both. `flow` is clamped to between half and twice the speed. The sides
/// are multiples of 0.01 degrees; west lies in [-180, 180).
BoundingBox box_between(GeographicPoint start, GeographicPoint target, double speed, double flow,
                        double spacing);

/// Great-circle distance [m].
double distance_between(GeographicPoint from, GeographicPoint to);

}  // namespace tidewise::ingest

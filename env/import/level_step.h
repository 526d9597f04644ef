#pragma once

#include <vector>

#include "env/import/grid/local_plane.h"
#include "env/import/source/ensemble_levels.h"
#include "env/import/source/forecast_source.h"

namespace tidewise::ingest {

/// The rate of change of a water parcel's velocity along its path, in space and time together.
struct FlowChange {
  double acceleration = 0;  ///< 95th percentile in the water [m s-2]
  double spacing = 0;       ///< spacing of the source's points [m]

  /// Position error [m] of a parcel that keeps its velocity for a step [s].
  double displacement_error(double step) const { return acceleration * step * step / 2; }
  /// True if a step is short enough for the flow: the error is at most half the source's spacing.
  bool allows(double step) const { return displacement_error(step) <= spacing / 2; }
};

/// Appends |∂u/∂t + (u·∇)u| [m s-2] to `all`, for each member and each cell that is water at both
/// levels. `time`: interval between the levels [s].
void add_accelerations(const Grid& grid, const LevelEnsemble& level, const LevelEnsemble& next,
                       double time, std::vector<double>& all);

/// Returns the 95th percentile of the accelerations, with the spacing of the source's points [m].
FlowChange flow_change_of(std::vector<double> accelerations, double spacing);

/// Measures the rate of change from three pairs of the source's times from `first` to `last` [s
/// since 1970], in all members, on cells of the source's own spacing. `source` holds u and v, and
/// at least two times in this window.
FlowChange measure_flow_change(ForecastSource& source, const LocalPlane& plane, double first,
                               double last);

/// Limits of the chosen step [s]. A plan chooses one action per step, so six hours are the longest.
struct StepLimits {
  double shortest = 3600;
  double longest = 6 * 3600;
  bool may_join = false;  ///< a step may join several of the source's steps
};

/// Limits for a vehicle of a speed [m s-1] in cells of a size [m]: at most three cells per step.
/// For slow vehicles steps are joined, which is preferred to much smaller cells.
StepLimits limits_for(double speed, double cells);

/// The longest step that the flow and the limits allow: an integer fraction of the source's step,
/// or several steps if they may be joined; in whole hours if the source's step is. It is the
/// shortest one if the flow allows no step within the limits.
double choose_step(const FlowChange& change, double source_step, const StepLimits& limits = {});

}  // namespace tidewise::ingest

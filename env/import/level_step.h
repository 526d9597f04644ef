#pragma once

#include <vector>

#include "env/import/grid/local_plane.h"
#include "env/import/source/ensemble_levels.h"
#include "env/import/source/forecast_source.h"

namespace tidewise::ingest {

/// How fast a parcel's velocity changes on its way, through place and time together.
struct FlowChange {
  double acceleration = 0;  ///< that all but a twentieth of the water stays below [m s-2]
  double spacing = 0;       ///< of the source's own points [m]

  /// How far from where it goes a parcel comes to lie that keeps its velocity for a step [s]: [m].
  double off_after(double step) const { return acceleration * step * step / 2; }
  /// Whether a step is as short as the flow asks for: within half the source's own spacing.
  bool allows(double step) const { return off_after(step) <= spacing / 2; }
};

/// Adds |∂u/∂t + (u·∇)u| [m s-2] of each member in each cell that is water in both of two levels
/// that are `time` [s] apart.
void add_accelerations(const Grid& grid, const LevelEnsemble& level, const LevelEnsemble& next,
                       double time, std::vector<double>& all);

/// Of all those accelerations.
FlowChange change_among(std::vector<double> accelerations, double spacing);

/// By three pairs of the source's times from `first` to `last` [s since 1970], in all members, on
/// cells of the source's own spacing. `source` holds u and v, at two times there at least.
FlowChange measure_flow_change(ForecastSource& source, const LocalPlane& plane, double first,
                               double last);

/// Between what a step is chosen [s]. A plan decides once a step, so six hours are the longest.
struct StepLimits {
  double shortest = 3600;
  double longest = 6 * 3600;
  bool may_join = false;  ///< several of the source's steps
};

/// For a vehicle of a speed [m s-1] in cells of a size [m]: three cells a step at most, and rather
/// several of the source's steps than cells that are much smaller.
StepLimits limits_for(double speed, double cells);

/// The longest whole part of the source's step, or several of them where they may be joined, that
/// the flow and the limits allow; of whole hours where the source's has some; the shortest where
/// the flow allows none as long as that.
double choose_step(const FlowChange& change, double source_step, const StepLimits& limits = {});

}  // namespace tidewise::ingest

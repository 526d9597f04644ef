#pragma once

#include <cstdint>
#include <vector>

#include "base/progress.h"
#include "planner/learning/many_solver.h"
#include "planner/learning/ocean_flight.h"
#include "solver/fly/trajectory.h"

namespace tidewise {

/// Flights that know their realization beforehand.
struct ClairvoyantFlights {
  RolloutResult rollout;
  /// Predicted return of each flight: the value of its start by a plan for its own realization.
  /// (flight)
  std::vector<double> predicted;
};

/// Flies the clairvoyant bound: each of `realizations` is solved as an ensemble of one, and its
/// plan is flown through the same realization in continuous mode. No policy that learns can do
/// better on average, apart from the errors of cells and headings (docs/model.md, 4.3). `solver`:
/// for the same mission and levels. Errors: those of the solver and of `progress`.
ClairvoyantFlights fly_clairvoyant(const OceanToFly& ocean,
                                   const std::vector<std::int32_t>& realizations,
                                   ManySolver& solver, Progress& progress);

}  // namespace tidewise

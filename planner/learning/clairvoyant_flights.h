#pragma once

#include <cstdint>
#include <vector>

#include "base/progress.h"
#include "planner/learning/many_solver.h"
#include "planner/learning/ocean_flight.h"
#include "solver/fly/trajectory.h"

namespace tidewise {

/// Flights of who knows the ocean beforehand.
struct ClairvoyantFlights {
  RolloutResult rollout;
  /// What each was promised: the value of its start, by a plan for its realization alone. (flight)
  std::vector<double> promised;
};

/// The clairvoyant bound: each of `realizations` is solved for itself, as an ensemble of one, and
/// its plan is then flown through that very realization in continuous mode. No policy that learns
/// on the way can expect to do better, but for what cells and headings cost (docs/model.md, 4.3).
/// `solver`: of the same mission and levels. Errors: those of the solver, what `progress` throws.
ClairvoyantFlights fly_clairvoyant(const OceanToFly& ocean,
                                   const std::vector<std::int32_t>& realizations,
                                   ManySolver& solver, Progress& progress);

}  // namespace tidewise

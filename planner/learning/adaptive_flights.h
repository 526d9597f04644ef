#pragma once

#include <cstdint>
#include <vector>

#include "base/progress.h"
#include "learning/ensemble_smoother.h"
#include "planner/learning/many_solver.h"
#include "planner/learning/ocean_flight.h"
#include "solver/fly/trajectory.h"
#include "solver/policy/policy.h"

namespace tidewise {

/// Settings of flights that learn.
struct LearningOptions {
  std::int32_t replan_every = 5;  ///< K ≥ 1: steps between one plan and the next
  /// Standard deviation of each component of the flow observed in a step [m s-1 or 1], > 0.
  double observation_error = 0;
  /// … and what the vehicle takes it for; 0: what it is.
  double assumed_error = 0;
  std::uint64_t seed = 1;  ///< seed of the errors
  SmootherOptions smoother;
};

/// The forecast that adaptive vehicles plan with and learn from. Borrows all of it.
struct ForecastToLearn {
  const EnvironmentInfo& info;
  const InMemoryLevels& levels;  ///< the mission's, from its departure to its last
  const PolicySource& policy;    ///< the plan on it, which holds until the first replanning
};

/// True if the true flow is a realization of the ensemble for planning and learning; if so, it is
/// left out of that ensemble.
enum class TruthIs { member, another };

struct AdaptiveFlights {
  RolloutResult rollout;
  std::int64_t replans = 0;
  /// Steps that began where the newest plan has no answer, for no member of what the vehicle
  /// believed in comes there: they went by the open policy.
  std::int64_t steps_beyond_plan = 0;
  /// Chi-square of all observations of a flight at its last replanning, divided by the degrees of
  /// freedom: about 1 on average if forecast and observation errors are right; NaN if the flight
  /// did not replan. (flight)
  std::vector<double> consistency;
};

/// Flies through each of `realizations` and replans from observations: K steps by the plan; the
/// mean flow of each step (drift minus own motion, over the profile of the dive) is observed with a
/// random error; the ensemble smoother corrects the coefficients of all levels from all
/// observations so far, always starting from the forecast; the mission is solved again from the
/// vehicle's place; and so on. The first K steps follow the open policy, and so does a step from a
/// place that the newest plan's ensemble could not have reached. The result does not depend on the
/// number of threads. `truth`: the flows for flying; `solver`: of the mission and the forecast's
/// levels; `expected_steps`: of all flights, for the progress. Errors: InputError for an ensemble
/// that is too small to learn (2 members without the truth) and those of EnsembleSmoother and the
/// solver.
AdaptiveFlights fly_adaptive(const OceanToFly& truth, TruthIs truth_is,
                             const std::vector<std::int32_t>& realizations,
                             const ForecastToLearn& forecast, const LearningOptions& options,
                             ManySolver& solver, std::int32_t threads, std::int64_t expected_steps,
                             Progress& progress);

}  // namespace tidewise

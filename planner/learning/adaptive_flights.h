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
  /// Standard deviation that the vehicle assumes for these errors; 0: observation_error.
  double assumed_error = 0;
  std::uint64_t seed = 1;  ///< seed of the errors
  SmootherOptions smoother;
};

/// The forecast that adaptive vehicles plan with and learn from. Its parts must outlive it.
struct ForecastToLearn {
  const EnvironmentInfo& info;
  const InMemoryLevels& levels;  ///< from the mission's departure to its last level
  const PolicySource& policy;    ///< plan on the forecast, used until the first replanning
};

/// Relation of the true flow to the ensemble for planning and learning: the true flow is a
/// `member`, which is left out of the ensemble while it is flown, or `another` flow.
enum class TruthIs { member, another };

/// Results of flights that learn.
struct AdaptiveFlights {
  RolloutResult rollout;
  std::int64_t replans = 0;
  /// Number of steps by the open policy, because no member of the vehicle's ensemble reaches their
  /// first cell in the newest plan.
  std::int64_t steps_beyond_plan = 0;
  /// Chi-square of all observations of a flight at its last replanning, divided by the degrees of
  /// freedom: about 1 on average if forecast and observation errors are right; NaN if the flight
  /// did not replan. (flight)
  std::vector<double> consistency;
};

/// Flies through each of `realizations` and replans from observations: K steps by the plan; the
/// mean flow of each step (drift minus own motion, over the profile of the dive) is observed with a
/// random error; the ensemble smoother corrects the coefficients of all levels from all
/// observations so far, starting from the forecast each time; the mission is solved again from the
/// vehicle's place. The first K steps follow the open policy, and so does a step from a
/// place that the newest plan's ensemble does not reach. The result does not depend on the
/// number of threads. `truth`: the true flow; `solver`: for the mission and the forecast's
/// levels; `expected_steps`: steps of all flights, for the progress. Errors: InputError for an
/// ensemble that is too small to learn (2 members without the truth) and those of EnsembleSmoother
/// and the solver.
AdaptiveFlights fly_adaptive(const OceanToFly& truth, TruthIs truth_is,
                             const std::vector<std::int32_t>& realizations,
                             const ForecastToLearn& forecast, const LearningOptions& options,
                             ManySolver& solver, std::int32_t threads, std::int64_t expected_steps,
                             Progress& progress);

}  // namespace tidewise

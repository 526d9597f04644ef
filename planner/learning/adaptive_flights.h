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

/// How vehicles learn on the way.
struct LearningOptions {
  std::int32_t replan_every = 5;  ///< K ≥ 1: steps between one plan and the next
  /// Of what is observed in each step, each component of the flow [m s-1 or 1], > 0: its standard
  /// deviation, …
  double observation_error = 0;
  /// … and what the vehicle takes it for; 0: what it is.
  double assumed_error = 0;
  std::uint64_t seed = 1;  ///< of the errors
  SmootherOptions smoother;
};

/// What adaptive vehicles believe in, and begin with. Borrows all of it.
struct ForecastToLearn {
  const EnvironmentInfo& info;
  const InMemoryLevels& levels;  ///< the mission's, from its departure to its last
  const PolicySource& policy;    ///< the plan on it, which holds until the first replanning
};

/// Whether the truth is a member of the ensemble that plans and learns, and then is left out of it.
enum class TruthIs { member, another };

struct AdaptiveFlights {
  RolloutResult rollout;
  std::int64_t replans = 0;
  /// Steps that began where the newest plan has no answer, for no member of what the vehicle
  /// believed in comes there: they went by the open policy.
  std::int64_t steps_beyond_plan = 0;
  /// Of each flight's last replanning, chi-square of all that it observed over its degrees of
  /// freedom: about 1 on average, if forecast and errors are what they claim; not a number for who
  /// did not replan. (flight)
  std::vector<double> consistency;
};

/// Flies through each of `realizations` with a plan that follows what the vehicle has seen: K steps
/// by the plan; the mean flow of each step (drift less its own motion, of the profile that it
/// dived) is observed with an error of its own; the coefficients of all levels learn from all
/// observations so far by the ensemble smoother, always from the forecast's; the mission is solved
/// anew from where it is; and so on. The first K steps go by the open policy, and so does a step
/// from where the newest plan's ensemble could not have brought it. The number of threads changes
/// no bit. `truth`: where it flies; `solver`: of the mission and the forecast's levels;
/// `expected_steps`: of all flights, for the progress. Errors: InputError for an ensemble that is
/// too small to learn (2 members, the truth aside) and what EnsembleSmoother refuses; those of the
/// solver.
AdaptiveFlights fly_adaptive(const OceanToFly& truth, TruthIs truth_is,
                             const std::vector<std::int32_t>& realizations,
                             const ForecastToLearn& forecast, const LearningOptions& options,
                             ManySolver& solver, std::int32_t threads, std::int64_t expected_steps,
                             Progress& progress);

}  // namespace tidewise

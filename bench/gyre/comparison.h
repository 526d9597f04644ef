#pragma once

#include <vector>

#include "env/gyre/modes/orthogonal_solver.h"

namespace tidewise {

/// The final state of a run of the DO equations and its steps. Members of a Monte Carlo take the
/// same steps, so that both solve the same discretised equations.
struct GyreRun {
  gyre::OrthogonalState state;
  std::vector<double> steps;
  double seconds = 0;
};
/// Runs from `start` for `duration` [L/U] with stable steps.
GyreRun run_orthogonal(const gyre::OrthogonalSolver& solver, gyre::OrthogonalState start,
                       double duration);

/// Final velocities of all realizations of `start`, each by FlowSolver.
struct MonteCarloRun {
  std::vector<gyre::VelocityField> members;
  double seconds = 0;
};
/// Runs the realizations of `start` with these steps. Threads share the members.
MonteCarloRun run_monte_carlo(const gyre::FlowSolver& solver, const gyre::OrthogonalState& start,
                              const std::vector<double>& steps);

/// Compares the members of a Monte Carlo with a stochastic state. Differences are divided by their
/// sampling errors, so they are standard normal if both have the same distribution. The sampling
/// errors are computed from the state with its fourth moments, because its coefficients are not
/// Gaussian. The state's own realizations count as a sample, too.
struct SamplingComparison {
  double mean = 0;      ///< |difference of the means| over its root mean square; unsigned
  double variance = 0;  ///< share of the total variance
  double mean_sampling_error = 0;      ///< the unit of `mean`
  double variance_sampling_error = 0;  ///< the unit of `variance`
  /// Difference of the means along each principal mode of the state.
  std::vector<double> mean_along;
  std::vector<double> variance_along;  ///< difference of the variances along each mode
  std::vector<double> share_along;     ///< share of each mode in the state's variance
  double member_variance = 0;          ///< total, around the members' own mean, unbiased
  double state_variance = 0;           ///< total, around the state's mean, unbiased
  double variance_outside = 0;  ///< share of the members' variance that the modes do not span
};
/// Relation between the realizations of the state and the members.
enum class Coefficients { independent, same };
/// `same`: the state's realizations began as the members did, so only its truncation makes them
/// differ. The unit is then the sampling error of the members.
SamplingComparison compare(gyre::OrthogonalState state,
                           const std::vector<gyre::VelocityField>& members,
                           Coefficients coefficients);

}  // namespace tidewise

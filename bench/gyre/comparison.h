#pragma once

#include <vector>

#include "env/gyre/modes/orthogonal_solver.h"

namespace tidewise {

/// Steps that a run of the DO equations took, for members of a Monte Carlo to take too: both then
/// solve the same discretised equations.
struct GyreRun {
  gyre::OrthogonalState state;
  std::vector<double> steps;
  double seconds = 0;
};
/// From `start` on for `duration`, at stable steps.
GyreRun run_orthogonal(const gyre::OrthogonalSolver& solver, gyre::OrthogonalState start,
                       double duration);

/// All realizations of `start`, each by FlowSolver. Threads share the members.
struct MonteCarloRun {
  std::vector<gyre::VelocityField> members;
  double seconds = 0;
};
MonteCarloRun run_monte_carlo(const gyre::FlowSolver& solver, const gyre::OrthogonalState& start,
                              const std::vector<double>& steps);

/// A Monte Carlo's members against a stochastic state, as if drawn from it: differences in units of
/// what sampling makes of them, standard normal where both have the same distribution. The sampling
/// errors are those of the state, its fourth moments with them, as its coefficients are not
/// Gaussian; the state's own realizations count as a sample too.
struct SamplingComparison {
  double mean = 0;      ///< |difference of the means| over its root mean square; not signed
  double variance = 0;  ///< of the total variance
  double mean_sampling_error = 0;      ///< the unit of `mean`
  double variance_sampling_error = 0;  ///< and of `variance`
  std::vector<double> mean_along;      ///< of the means along each principal mode of the state
  std::vector<double> variance_along;  ///< of the variances along each
  std::vector<double> share_along;     ///< of each in the state's variance
  double member_variance = 0;          ///< total, about the members' own mean, unbiased
  double state_variance = 0;           ///< total, likewise
  double variance_outside = 0;  ///< share of the members' variance that the modes do not span
};
enum class Coefficients { independent, same };
/// `same`: the state's realizations began as the members did, so that only its truncation makes
/// them differ; the unit is then that of the members alone.
SamplingComparison compare(gyre::OrthogonalState state,
                           const std::vector<gyre::VelocityField>& members,
                           Coefficients coefficients);

}  // namespace tidewise

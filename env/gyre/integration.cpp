#include "env/gyre/integration.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/error.h"

namespace tidewise::gyre {
namespace {

// Relative to the greatest gradient: round-off with a margin.
constexpr double max_divergence = 1e-10;
constexpr double max_orthonormality_error = 1e-10;
constexpr double max_steps = 1e5;  // of one interval, which takes a few in the published problem

double relative_divergence(const VelocityField& velocity) {
  const double rate = greatest_courant_rate(velocity);
  return rate > 0 ? greatest_divergence(velocity) / rate : 0;
}

/// The integral of samples that are `step` apart, to third order, by the trapezoidal rule with
/// Gregory's first correction at the ends.
double integrate(const std::vector<double>& samples, double step) {
  double sum = 0;
  for (const double sample : samples) sum += sample;
  sum -= 0.5 * (samples.front() + samples.back());
  const std::size_t last = samples.size() - 1;
  const double bend = samples[last] - samples[last - 1] - (samples[1] - samples[0]);
  return step * (sum - bend / 12);
}

}  // namespace

FlowDiagnostics Integration::validate(const OrthogonalState& state) const {
  FlowDiagnostics diagnostics;
  diagnostics.budget = solver_.energy_budget(state);
  diagnostics.divergence = relative_divergence(state.mean);
  for (const VelocityField& mode : state.modes) {
    diagnostics.divergence = std::max(diagnostics.divergence, relative_divergence(mode));
  }
  diagnostics.orthonormality_error = orthonormality_error(state);
  if (!std::isfinite(diagnostics.budget.mean + diagnostics.budget.variance)) {
    throw RunError(
        "the flow grows without bound; a lower --reynolds or a finer grid (--nx, --ny) may hold "
        "it");
  }
  if (!(diagnostics.divergence <= max_divergence)) {
    throw RunError(fmt::format(
        "the flow's divergence is {:.2g} of its gradients, more than round-off makes ({:.0e}); "
        "please report this with the command that you gave",
        diagnostics.divergence, max_divergence));
  }
  if (!(diagnostics.orthonormality_error <= max_orthonormality_error)) {
    throw RunError(fmt::format(
        "the modes depart from orthonormality by {:.2g}, more than {:.0e}; fewer --modes or more "
        "--realizations may hold them",
        diagnostics.orthonormality_error, max_orthonormality_error));
  }
  return diagnostics;
}

FlowDiagnostics Integration::advance(OrthogonalState& state, double duration) const {
  const double needed = std::ceil(duration / solver_.stable_step(state));
  if (!(needed <= max_steps)) {
    throw RunError(fmt::format(
        "{:.3g} L/U would take {:.3g} steps, more than {:g}: levels are too far apart for the "
        "speed, or the flow grows without bound; a shorter --step or a lower --reynolds "
        "takes fewer",
        duration, needed, max_steps));
  }
  const int steps = std::max(2, static_cast<int>(needed));  // integrate() needs two
  const double step = duration / steps;

  const EnergyBudget before = solver_.energy_budget(state);
  std::vector<double> gain{before.work - before.dissipation};
  std::vector<double> loss{before.dissipation};
  for (int n = 0; n < steps; ++n) {
    solver_.advance(state, step);
    const EnergyBudget now = solver_.energy_budget(state);
    gain.push_back(now.work - now.dissipation);
    loss.push_back(now.dissipation);
  }
  turn_to_principal_axes(state);

  FlowDiagnostics diagnostics = validate(state);
  const EnergyBudget& after = diagnostics.budget;
  const double change = after.mean + after.variance - before.mean - before.variance;
  diagnostics.energy_residual = std::abs(change - integrate(gain, step)) / integrate(loss, step);
  diagnostics.step_count = steps;
  return diagnostics;
}

}  // namespace tidewise::gyre

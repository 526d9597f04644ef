#include "env/gyre/integration.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/error.h"

namespace tidewise::gyre {
namespace {

constexpr double max_divergence =
    1e-10;  // relative to the greatest gradient: round-off with a margin
constexpr double max_orthonormality_error = 1e-10;
constexpr double max_steps = 1e5;  // in one interval, which takes a few at the published size

double relative_divergence(const VelocityField& velocity) {
  const double rate = greatest_courant_rate(velocity);
  return rate > 0 ? greatest_divergence(velocity) / rate : 0;
}

/// ∫ of samples `step` apart, to third order: the trapezoidal rule with Gregory's first correction
/// at the ends.
double integrate(const std::vector<double>& samples, double step) {
  double sum = 0;
  for (const double sample : samples) sum += sample;
  sum -= 0.5 * (samples.front() + samples.back());
  const std::size_t last = samples.size() - 1;
  const double bend = samples[last] - samples[last - 1] - (samples[1] - samples[0]);
  return step * (sum - bend / 12);
}

}  // namespace

Findings Integration::validate(const OrthogonalState& state) const {
  Findings findings;
  findings.budget = solver_.energy_budget(state);
  findings.divergence = relative_divergence(state.mean);
  for (const VelocityField& mode : state.modes) {
    findings.divergence = std::max(findings.divergence, relative_divergence(mode));
  }
  findings.orthonormality_error = orthonormality_error(state);
  if (!std::isfinite(findings.budget.mean + findings.budget.variance)) {
    throw RunError(
        "the flow grows without bound; a lower --reynolds or a finer grid (--nx, --ny) may hold "
        "it");
  }
  if (!(findings.divergence <= max_divergence)) {
    throw RunError(fmt::format(
        "the flow's divergence is {:.2g} of its gradients, more than round-off makes ({:.0e}); "
        "please report this with the command that you gave",
        findings.divergence, max_divergence));
  }
  if (!(findings.orthonormality_error <= max_orthonormality_error)) {
    throw RunError(fmt::format(
        "the modes depart from orthonormality by {:.2g}, more than {:.0e}; fewer --modes or more "
        "--realizations may hold them",
        findings.orthonormality_error, max_orthonormality_error));
  }
  return findings;
}

Findings Integration::advance(OrthogonalState& state, double duration) const {
  const double needed = std::ceil(duration / solver_.stable_step(state));
  if (!(needed <= max_steps)) {
    throw RunError(fmt::format(
        "{:.3g} L/U would take {:.3g} steps, more than {:g}: levels are too far apart for the "
        "speed, or the flow grows without bound; a shorter --step or a lower --reynolds "
        "takes fewer",
        duration, needed, max_steps));
  }
  const int steps = std::max(2, static_cast<int>(needed));  // the sum over them needs two
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

  Findings findings = validate(state);
  const EnergyBudget& after = findings.budget;
  const double change = after.mean + after.variance - before.mean - before.variance;
  findings.energy_residual = std::abs(change - integrate(gain, step)) / integrate(loss, step);
  findings.step_count = steps;
  return findings;
}

}  // namespace tidewise::gyre

#include "bench/gyre/comparison.h"

#include <algorithm>
#include <cmath>

#include "base/stopwatch.h"

namespace tidewise {
namespace {

// Moments of a sample around its mean: mean, unbiased variance, and kurtosis (3 for a Gaussian).
struct Moments {
  double mean = 0;
  double variance = 0;
  double kurtosis = 0;
};

Moments moments_of_sample(const std::vector<double>& sample) {
  const auto count = static_cast<double>(sample.size());
  Moments moments;
  for (const double value : sample) moments.mean += value / count;
  double fourth = 0;
  for (const double value : sample) {
    const double square = (value - moments.mean) * (value - moments.mean);
    moments.variance += square;
    fourth += square * square;
  }
  const double biased = moments.variance / count;
  moments.kurtosis = biased > 0 ? fourth / count / (biased * biased) : 3;
  moments.variance /= count - 1;
  return moments;
}

// |u − ū|² of each of a state's realizations.
std::vector<double> squares_of(const gyre::OrthogonalState& state) {
  std::vector<double> squares(state.realization_count, 0.0);
  for (std::size_t m = 0; m < state.mode_count(); ++m) {
    const double* values = state.coefficients_of(m);
    for (std::size_t r = 0; r < squares.size(); ++r) squares[r] += values[r] * values[r];
  }
  return squares;
}

}  // namespace

GyreRun run_orthogonal(const gyre::OrthogonalSolver& solver, gyre::OrthogonalState start,
                       double duration) {
  constexpr std::size_t steps_per_size = 10;  // stable_step() costs a third of a step
  const Stopwatch watch;
  GyreRun run{std::move(start), {}, 0};
  double time = 0;
  double step = 0;
  while (time < duration) {
    if (run.steps.size() % steps_per_size == 0) step = 0.9 * solver.stable_step(run.state);
    const double length = std::min(step, duration - time);
    solver.advance(run.state, length);
    run.steps.push_back(length);
    time = time + length > time ? time + length : duration;
  }
  run.seconds = watch.seconds();
  return run;
}

MonteCarloRun run_monte_carlo(const gyre::FlowSolver& solver, const gyre::OrthogonalState& start,
                              const std::vector<double>& steps) {
  const Stopwatch watch;
  MonteCarloRun run;
  run.members.resize(start.realization_count);
#pragma omp parallel for schedule(dynamic)
  for (std::size_t r = 0; r < run.members.size(); ++r) {
    gyre::VelocityField velocity = gyre::realization_of(start, r);
    for (const double step : steps) solver.advance(velocity, 0, step);
    run.members[r] = std::move(velocity);
  }
  run.seconds = watch.seconds();
  return run;
}

SamplingComparison compare(gyre::OrthogonalState state,
                           const std::vector<gyre::VelocityField>& members,
                           Coefficients coefficients) {
  gyre::turn_to_principal_axes(state);
  const auto count = static_cast<double>(members.size());
  const double samples =
      1 / count + (coefficients == Coefficients::independent
                       ? 1 / static_cast<double>(state.realization_count)
                       : 0.0);  // factor from a realization's variance to that of a mean

  gyre::VelocityField mean(state.mean.grid());
  for (const gyre::VelocityField& member : members) gyre::add(mean, 1 / count, member);
  double variance = 0;
  std::vector<std::vector<double>> along(state.mode_count());
  for (const gyre::VelocityField& member : members) {
    gyre::VelocityField deviation = member;
    gyre::add(deviation, -1, mean);
    variance += gyre::inner_product(deviation, deviation) / (count - 1);
    deviation = member;
    gyre::add(deviation, -1, state.mean);
    for (std::size_t m = 0; m < along.size(); ++m) {
      along[m].push_back(gyre::inner_product(deviation, state.modes[m]));
    }
  }
  gyre::add(mean, -1, state.mean);

  SamplingComparison comparison;
  const std::vector<double> squares = squares_of(state);
  const Moments square_moments = moments_of_sample(squares);
  const double unbiased = static_cast<double>(state.realization_count) /
                          (static_cast<double>(state.realization_count) - 1);
  comparison.member_variance = variance;
  comparison.state_variance = square_moments.mean * unbiased;
  comparison.mean_sampling_error = std::sqrt(square_moments.mean * samples);
  comparison.variance_sampling_error = std::sqrt(square_moments.variance * samples);
  comparison.mean = std::sqrt(gyre::inner_product(mean, mean)) / comparison.mean_sampling_error;
  comparison.variance = (variance - comparison.state_variance) / comparison.variance_sampling_error;
  double spanned = 0;
  for (std::size_t m = 0; m < along.size(); ++m) {
    const double* values = state.coefficients_of(m);
    const Moments expected = moments_of_sample({values, values + state.realization_count});
    const Moments observed = moments_of_sample(along[m]);
    spanned += observed.variance;
    comparison.share_along.push_back(expected.variance / comparison.state_variance);
    comparison.mean_along.push_back(observed.mean / std::sqrt(expected.variance * samples));
    comparison.variance_along.push_back((observed.variance / expected.variance - 1) /
                                        std::sqrt((expected.kurtosis - 1) * samples));
  }
  comparison.variance_outside = 1 - spanned / variance;
  return comparison;
}

}  // namespace tidewise

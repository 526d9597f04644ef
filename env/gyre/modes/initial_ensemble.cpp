#include "env/gyre/modes/initial_ensemble.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/standard_normal.h"
#include "env/error/codes.h"
#include "env/gyre/flow/momentum_rows.h"
#include "env/gyre/flow/stream_function.h"
#include "env/gyre/modes/random_stream_function.h"
#include "env/tools/ensemble_reduction.h"

namespace tidewise::gyre {
namespace {

// Philox's third counter of these draws; it is 0 in draws of perturbations.
constexpr std::uint32_t coefficient_draws = 1;

void validate_uncertainty(const InitialUncertainty& uncertainty, std::size_t realization_count) {
  if (!(uncertainty.relative_deviation > 0) || !std::isfinite(uncertainty.relative_deviation)) {
    throw input_error(errors::gyre_deviation_invalid, uncertainty.relative_deviation);
  }
  if (uncertainty.perturbation_count < 2) {
    throw input_error(errors::gyre_perturbations_too_few, uncertainty.perturbation_count);
  }
  if (realization_count < 2) {
    throw input_error(errors::gyre_realizations_too_few, realization_count);
  }
}

/// The grid of the SVD: coarse enough for hundreds of perturbations in memory, fine enough to
/// resolve them.
StaggeredGrid reduction_grid(const StaggeredGrid& grid, double correlation_length) {
  const int side = std::max(100, static_cast<int>(std::ceil(8 / correlation_length)));
  return {std::min(grid.nx, side), std::min(grid.ny, side)};
}

/// The modes as combinations of the perturbations, and their variances.
struct Reduction {
  std::vector<double> directions;  ///< (mode, perturbation), orthonormal
  std::vector<double> variances;   ///< (mode), of the velocity over the basin; descending
};

Reduction reduce(const StaggeredGrid& grid, const RandomStreamFunction& random,
                 const std::vector<std::vector<double>>& weights, std::size_t mode_count) {
  const std::size_t value_count = grid.velocity_count();
  std::vector<double> samples(weights.size() * value_count);
#pragma omp parallel for schedule(static)
  for (std::size_t n = 0; n < weights.size(); ++n) {
    const VelocityField velocity = velocity_of(grid, random.at_corners(grid, weights[n]));
    std::copy(velocity.values().begin(), velocity.values().end(),
              samples.begin() + static_cast<std::ptrdiff_t>(n * value_count));
  }
  EnsembleReduction svd(std::move(samples), weights.size());
  svd.align({});
  const auto modes =
      static_cast<std::size_t>(std::count_if(svd.variances().begin(), svd.variances().end(),
                                             [](double variance) { return variance > 0; }));
  if (modes < mode_count) {
    throw input_error(errors::gyre_modes_too_many, weights.size(), grid.nx, grid.ny, modes,
                      mode_count);
  }
  Reduction reduction;
  const auto kept_count = static_cast<std::ptrdiff_t>(mode_count);
  reduction.variances.assign(svd.variances().begin(), svd.variances().begin() + kept_count);
  for (double& variance : reduction.variances) variance *= grid.cell_area();
  reduction.directions.assign(
      svd.directions().begin(),
      svd.directions().begin() + kept_count * static_cast<std::ptrdiff_t>(weights.size()));
  return reduction;
}

/// The weights of a mode's stream function: those of the perturbations, combined by its direction.
std::vector<double> combined(const std::vector<std::vector<double>>& weights,
                             const double* direction) {
  std::vector<double> sum(weights.front().size(), 0.0);
  for (std::size_t n = 0; n < weights.size(); ++n) {
    for (std::size_t k = 0; k < sum.size(); ++k) sum[k] += direction[n] * weights[n][k];
  }
  return sum;
}

/// Gram-Schmidt orthonormalisation, applied twice ("twice is enough", Giraud et al. 2005), in the
/// order of the modes.
void make_orthonormal(std::vector<VelocityField>& modes) {
  for (std::size_t m = 0; m < modes.size(); ++m) {
    for (int pass = 0; pass < 2; ++pass) {
      for (std::size_t n = 0; n < m; ++n) {
        add(modes[m], -inner_product(modes[n], modes[m]), modes[n]);
      }
      scale(modes[m], 1 / std::sqrt(inner_product(modes[m], modes[m])));
    }
  }
}

/// Draws the coefficients, (mode, realization).
std::vector<double> draw_coefficients(const std::vector<double>& variances,
                                      std::size_t realization_count, std::uint64_t seed) {
  const Philox random(seed);
  std::vector<double> coefficients;
  for (std::size_t m = 0; m < variances.size(); ++m) {
    std::vector<double> values(realization_count);
    for (std::size_t r = 0; r < realization_count; ++r) {
      values[r] = std::sqrt(variances[m]) * standard_normal(random, static_cast<std::uint32_t>(r),
                                                            static_cast<std::uint32_t>(m),
                                                            coefficient_draws);
    }
    const double mean =
        std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(realization_count);
    for (const double value : values) coefficients.push_back(value - mean);
  }
  return coefficients;
}

}  // namespace

OrthogonalState make_initial_ensemble(const VelocityField& mean,
                                      const InitialUncertainty& uncertainty, std::size_t mode_count,
                                      std::size_t realization_count) {
  OrthogonalState state;
  state.mean = mean;
  state.realization_count = realization_count;
  if (mode_count == 0) return state;
  validate_uncertainty(uncertainty, realization_count);
  const double speed = greatest_speed(mean);
  if (!(speed > 0) || !std::isfinite(kinetic_energy(mean))) {
    throw RunError(
        "the initial uncertainty is a share of the flow's greatest speed, and the mean flow is at "
        "rest or not finite; let the wind spin it up for longer, or choose a lower Reynolds "
        "number");
  }

  const RandomStreamFunction random(uncertainty.correlation_length);
  std::vector<std::vector<double>> weights;
  weights.reserve(static_cast<std::size_t>(uncertainty.perturbation_count));
  for (int n = 0; n < uncertainty.perturbation_count; ++n) {
    weights.push_back(random.draw_weights(uncertainty.seed, static_cast<std::uint32_t>(n)));
  }
  const StaggeredGrid grid = mean.grid();
  Reduction reduction =
      reduce(reduction_grid(grid, uncertainty.correlation_length), random, weights, mode_count);
  for (std::size_t m = 0; m < mode_count; ++m) {
    const double* direction = reduction.directions.data() + m * weights.size();
    state.modes.push_back(velocity_of(grid, random.at_corners(grid, combined(weights, direction))));
  }
  make_orthonormal(state.modes);

  const double total = std::accumulate(reduction.variances.begin(), reduction.variances.end(), 0.0);
  const double deviation = uncertainty.relative_deviation * speed;
  for (double& variance : reduction.variances) variance *= deviation * deviation / total;
  state.coefficient = draw_coefficients(reduction.variances, realization_count, uncertainty.seed);
  return state;
}

}  // namespace tidewise::gyre

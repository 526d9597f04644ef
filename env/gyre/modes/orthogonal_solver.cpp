#include "env/gyre/modes/orthogonal_solver.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "base/error.h"
#include "env/gyre/flow/fixed_order_sum.h"
#include "env/gyre/flow/row_combination.h"
#include "env/gyre/flow/small_work.h"
#include "env/gyre/modes/coefficient_moments.h"
#include "env/gyre/modes/eigen_matrix.h"
#include "env/gyre/modes/mode_interactions.h"
#include "env/gyre/modes/orthogonal_state.h"

namespace tidewise::gyre {
namespace {

constexpr std::size_t dynamics_chunk = 256;  // realizations whose coefficients fit in cache

/// Does the work of coefficient_tendency() for `count` realizations from `begin` on.
void chunk_tendency(const OrthogonalState& state, const CoefficientMoments& moments,
                    const ModeInteractions& interactions, std::size_t begin, std::size_t count,
                    OrthogonalState& tendency) {
  const std::size_t modes = state.mode_count();
  for (std::size_t k = 0; k < modes; ++k) {
    double* out = tendency.coefficients_of(k) + begin;
    std::fill_n(out, count, 0.0);
    for (std::size_t m = 0; m < modes; ++m) {
      add_multiple(out, interactions.linear[m * modes + k], state.coefficients_of(m) + begin,
                   count);
    }
  }
  std::array<double, dynamics_chunk> product;
  std::size_t pair = 0;
  for (std::size_t m = 0; m < modes; ++m) {
    for (std::size_t n = m; n < modes; ++n, ++pair) {
      const double* first = state.coefficients_of(m) + begin;
      const double* second = state.coefficients_of(n) + begin;
      const double covariance = moments.covariance(m, n);
      for (std::size_t r = 0; r < count; ++r) product[r] = first[r] * second[r] - covariance;
      const double both_orders = m == n ? 1.0 : 2.0;
      for (std::size_t k = 0; k < modes; ++k) {
        add_multiple(tendency.coefficients_of(k) + begin,
                     both_orders * interactions.quadratic[pair * modes + k], product.data(), count);
      }
    }
  }
}

/// Sets tendency.coefficient to dY_k/dt = Σ_m Y_m linear(m, k) + Σ_mn (Y_m Y_n − E[Y_m Y_n])
/// quadratic(mn, k). `interactions`: as returned by interact(), for orthonormal modes. Threads
/// share the realizations; their number does not change the result.
void coefficient_tendency(const OrthogonalState& state, const CoefficientMoments& moments,
                          const ModeInteractions& interactions, OrthogonalState& tendency) {
  const std::size_t realizations = state.realization_count;
  const std::size_t modes = state.mode_count();
  const std::size_t chunks = (realizations + dynamics_chunk - 1) / dynamics_chunk;
#pragma omp parallel for schedule(static) if (realizations * modes * modes * modes > small_work)
  for (std::size_t chunk = 0; chunk < chunks; ++chunk) {
    const std::size_t begin = chunk * dynamics_chunk;
    chunk_tendency(state, moments, interactions, begin,
                   std::min(dynamics_chunk, realizations - begin), tendency);
  }
}

Eigen::Map<Matrix> matrix(std::vector<double>& values, std::size_t columns) {
  return {values.data(), index(values.size() / columns), index(columns)};
}
Eigen::Map<const Matrix> matrix(const std::vector<double>& values, std::size_t columns) {
  return {values.data(), index(values.size() / columns), index(columns)};
}

OrthogonalState zero_like(const OrthogonalState& state) {
  const VelocityField rest(state.mean.grid());
  return {rest, std::vector<VelocityField>(state.mode_count(), rest),
          std::vector<double>(state.coefficient.size()), state.realization_count};
}

/// The weights of A(u_m, u_n) and A(u_n, u_m) together in the tendencies of the mean and each mode:
/// C_mn and Σ_j C⁻¹_ij E[Y_j Y_m Y_n]; (pair m ≤ n, 1 + mode).
std::vector<double> interaction_weights(const CoefficientMoments& moments) {
  const std::size_t modes = moments.mode_count;
  const std::vector<double> inverse = inverse_covariance(moments);
  std::vector<double> weights;
  weights.reserve(pair_count(modes) * (1 + modes));
  for (std::size_t m = 0; m < modes; ++m) {
    for (std::size_t n = m; n < modes; ++n) {
      const double both_orders = m == n ? 1.0 : 2.0;
      weights.push_back(both_orders * moments.covariance(m, n));
      for (std::size_t i = 0; i < modes; ++i) {
        double sum = 0;
        for (std::size_t j = 0; j < modes; ++j) {
          sum += inverse[i * modes + j] * moments.skewness(j, m, n);
        }
        weights.push_back(both_orders * sum);
      }
    }
  }
  return weights;
}

/// Converts products with the modes to products with their dual basis.
void make_dual(ModeInteractions& interactions, std::size_t modes) {
  const Eigen::LLT<Matrix> gram(matrix(interactions.gram, modes));
  if (gram.info() != Eigen::Success) {
    throw RunError("the gyre's modes became dependent; take shorter steps, or fewer modes");
  }
  for (std::vector<double>* products : {&interactions.linear, &interactions.quadratic}) {
    Eigen::Map<Matrix> rows = matrix(*products, modes);
    rows = gram.solve(rows.transpose()).transpose().eval();
  }
}

/// Removes the components along modes from the modes' tendencies: Q_i −= Σ_k ⟨Q_i, u_k⟩ u_k. The
/// pressure does not contribute to these products, because the modes are free of divergence.
void keep_orthogonal_part(const OrthogonalState& state, const std::vector<double>& weights,
                          const ModeInteractions& interactions, OrthogonalState& tendency) {
  const std::size_t modes = state.mode_count();
  std::vector<double> along(modes * modes);  // (tendency, mode)
  matrix(along, modes) = -matrix(interactions.linear, modes) -
                         matrix(weights, 1 + modes).rightCols(index(modes)).transpose() *
                             matrix(interactions.quadratic, modes);
  std::vector<double*> to;
  std::vector<const double*> from;
  for (std::size_t m = 0; m < modes; ++m) {
    to.push_back(tendency.modes[m].values().data());
    from.push_back(state.modes[m].values().data());
  }
  add_combinations(to, from, state.mean.values().size(), along);
}

/// Calls `on_field(velocity of a, velocity of b)` for the mean and for each mode.
template <class Function>
void for_each_field(OrthogonalState& a, const OrthogonalState& b, std::size_t work_per_value,
                    const Function& on_field) {
  const std::size_t modes = a.mode_count();
#pragma omp parallel for schedule(dynamic) if (a.mean.values().size() * modes * work_per_value > \
                                               small_work)
  for (std::size_t m = 0; m <= modes; ++m) {
    m == 0 ? on_field(a.mean, b.mean) : on_field(a.modes[m - 1], b.modes[m - 1]);
  }
}

/// y += factor · x
void add(OrthogonalState& y, double factor, const OrthogonalState& x) {
  for_each_field(y, x, 1,
                 [factor](VelocityField& to, const VelocityField& from) { add(to, factor, from); });
  for (std::size_t n = 0; n < y.coefficient.size(); ++n) {
    y.coefficient[n] += factor * x.coefficient[n];
  }
}

/// y *= factor
void scale(OrthogonalState& y, double factor) {
  for_each_field(y, y, 1, [factor](VelocityField& to, const VelocityField&) { scale(to, factor); });
  for (double& value : y.coefficient) value *= factor;
}

void project(const PressureProjection& projection, OrthogonalState& state) {
  constexpr std::size_t work_of_projection = 50;  // approximate, a transform and its inverse
  for_each_field(state, state, work_of_projection,
                 [&projection](VelocityField& velocity, const VelocityField&) {
                   projection.project(velocity);
                 });
}

/// A speed on each face that few realizations exceed.
VelocityField high_speed(const OrthogonalState& state, const CoefficientMoments& moments) {
  constexpr double deviations = 3;
  const std::size_t modes = state.mode_count();
  VelocityField speed(state.mean.grid());
  const std::size_t count = speed.values().size();
#pragma omp parallel for schedule(static)
  for (std::size_t face = 0; face < count; ++face) {
    double variance = 0;
    for (std::size_t m = 0; m < modes; ++m) {
      double sum = 0;
      for (std::size_t n = 0; n < modes; ++n) {
        sum += moments.covariance(m, n) * state.modes[n].values()[face];
      }
      variance += sum * state.modes[m].values()[face];
    }
    speed.values()[face] =
        std::abs(state.mean.values()[face]) + deviations * std::sqrt(std::max(variance, 0.0));
  }
  return speed;
}

}  // namespace

OrthogonalSolver::OrthogonalSolver(const StaggeredGrid& grid, const DimensionlessNumbers& numbers)
    : gyre_(grid, numbers) {}

OrthogonalState OrthogonalSolver::tendency(const OrthogonalState& state) const {
  OrthogonalState result = zero_like(state);
  find_tendency(state, result);
  return result;
}

void OrthogonalSolver::find_tendency(const OrthogonalState& state, OrthogonalState& result) const {
  const CoefficientMoments moments = moments_of(state);
  const std::vector<double> weights = interaction_weights(moments);
  ModeInteractions interactions = interact(gyre_.momentum(), state, weights, result);
  project(gyre_.projection(), result);
  if (state.modes.empty()) return;
  make_dual(interactions, state.mode_count());
  coefficient_tendency(state, moments, interactions, result);
  keep_orthogonal_part(state, weights, interactions, result);
}

void OrthogonalSolver::advance(OrthogonalState& state, double step) const {
  // The stages of FlowSolver::advance. Here tendencies are projected, because coefficients need
  // tendencies of modes free of divergence; the state is projected at the end.
  OrthogonalState stage = state;
  OrthogonalState slope = tendency(state);
  add(stage, step, slope);

  find_tendency(stage, slope);
  scale(stage, 0.25);
  add(stage, 0.25 * step, slope);
  add(stage, 0.75, state);

  find_tendency(stage, slope);
  scale(state, 1.0 / 3.0);
  add(state, 2.0 / 3.0, stage);
  add(state, 2.0 / 3.0 * step, slope);
  project(gyre_.projection(), state);
  orthonormalise(state);
}

double OrthogonalSolver::stable_step(const OrthogonalState& state) const {
  const double by_speed =
      gyre_.stable_step(greatest_courant_rate(high_speed(state, moments_of(state))));
  if (state.modes.empty()) return by_speed;
  // A mode has norm 1 and its tendency is orthogonal to it, so the tendency's norm is an angular
  // rate.
  constexpr double max_turn = 0.5;
  double fastest = 0;
  for (const VelocityField& turn : tendency(state).modes) {
    fastest = std::max(fastest, std::sqrt(inner_product(turn, turn)));
  }
  return fastest * by_speed > max_turn ? max_turn / fastest : by_speed;
}

EnergyBudget OrthogonalSolver::energy_budget(const OrthogonalState& state) const {
  const MomentumRows& momentum = gyre_.momentum();
  const CoefficientMoments moments = moments_of(state);
  const std::size_t modes = state.mode_count();
  double variance = 0;
  double loss = dissipation(momentum, state.mean, state.mean);
  std::vector<double> shares(2 * modes);  // (mode, {variance, dissipation})
#pragma omp parallel for schedule(dynamic)
  for (std::size_t m = 0; m < modes; ++m) {
    VelocityField correlated(state.mean.grid());
    for (std::size_t n = 0; n < modes; ++n) {
      add(correlated, moments.covariance(m, n), state.modes[n]);
    }
    shares[2 * m] = inner_product(state.modes[m], correlated);
    shares[2 * m + 1] = dissipation(momentum, state.modes[m], correlated);
  }
  for (std::size_t m = 0; m < modes; ++m) {
    variance += shares[2 * m];
    loss += shares[2 * m + 1];
  }
  return {kinetic_energy(state.mean), 0.5 * variance, wind_work(momentum, state.mean),
          loss / momentum.numbers().reynolds};
}

}  // namespace tidewise::gyre

#include "env/gyre/modes/orthogonal_state.h"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>

#include "base/error.h"
#include "env/gyre/flow/fixed_order_sum.h"
#include "env/gyre/flow/row_combination.h"
#include "env/gyre/flow/small_work.h"
#include "env/gyre/modes/coefficient_moments.h"
#include "env/gyre/modes/eigen_matrix.h"

namespace tidewise::gyre {
namespace {

Matrix gram_matrix(const OrthogonalState& state) {
  const std::size_t modes = state.mode_count();
  Matrix gram(index(modes), index(modes));
#pragma omp parallel for schedule(dynamic) if (state.mean.values().size() * modes * modes > \
                                               2 * small_work)
  for (std::size_t m = 0; m < modes; ++m) {
    for (std::size_t n = m; n < modes; ++n) {
      gram(index(m), index(n)) = gram(index(n), index(m)) =
          inner_product(state.modes[m], state.modes[n]);
    }
  }
  return gram;
}

double deviation_from_identity(const Matrix& gram) {
  return (gram - Matrix::Identity(gram.rows(), gram.cols())).cwiseAbs().maxCoeff();
}

std::vector<double> weights_of(const Matrix& matrix) {
  return {matrix.data(), matrix.data() + matrix.size()};
}

/// modes ← for_modes · modes, coefficients ← for_coefficients · coefficients. Realizations do not
/// change if for_coefficientsᵀ · for_modes is the identity.
void turn_modes(OrthogonalState& state, const Matrix& for_modes, const Matrix& for_coefficients) {
  std::vector<double*> modes;
  std::vector<double*> coefficients;
  for (std::size_t m = 0; m < state.mode_count(); ++m) {
    modes.push_back(state.modes[m].values().data());
    coefficients.push_back(state.coefficients_of(m));
  }
  recombine(modes, state.mean.values().size(), weights_of(for_modes));
  recombine(coefficients, state.realization_count, weights_of(for_coefficients));
}

void subtract_means(OrthogonalState& state) {
  const std::size_t count = state.realization_count;
  for (std::size_t m = 0; m < state.mode_count(); ++m) {
    double* values = state.coefficients_of(m);
    const double mean = fixed_order_sum(values, count) / static_cast<double>(count);
    for (std::size_t r = 0; r < count; ++r) values[r] -= mean;
  }
}

}  // namespace

VelocityField realization_of(const OrthogonalState& state, std::size_t realization) {
  VelocityField velocity = state.mean;
  for (std::size_t m = 0; m < state.mode_count(); ++m) {
    add(velocity, state.coefficients_of(m)[realization], state.modes[m]);
  }
  return velocity;
}

double orthonormality_error(const OrthogonalState& state) {
  return state.modes.empty() ? 0.0 : deviation_from_identity(gram_matrix(state));
}

void orthonormalise(OrthogonalState& state) {
  if (state.modes.empty()) return;
  // The remaining error is round-off times the matrix's condition number. Modes that were far from
  // orthonormal therefore need another round, which never happens after a step of a solver.
  constexpr double far = 0.1;
  constexpr int max_rounds = 4;
  constexpr double min = 1e-13;
  double deviation = 0;
  int round = 0;
  do {
    const Matrix gram = gram_matrix(state);
    deviation = deviation_from_identity(gram);
    const Eigen::LLT<Matrix> cholesky(gram);
    const Matrix lower = cholesky.matrixL();
    // The share of a mode's square that is orthogonal to the modes before it.
    const auto orthogonal_share = lower.diagonal().array().square() / gram.diagonal().array();
    if (!gram.allFinite() || cholesky.info() != Eigen::Success ||
        orthogonal_share.minCoeff() < min) {
      throw RunError("the gyre's modes became dependent; take shorter steps, or fewer modes");
    }
    // modes = L · orthonormal modes. The new modes are L⁻¹ · modes, the new coefficients Lᵀ ·
    // coefficients.
    const Matrix identity = Matrix::Identity(gram.rows(), gram.cols());
    turn_modes(state, cholesky.matrixL().solve(identity), lower.transpose());
  } while (deviation > far && ++round < max_rounds);
  subtract_means(state);
}

void turn_to_principal_axes(OrthogonalState& state) {
  if (state.modes.empty()) return;
  const CoefficientMoments moments = moments_of(state);
  const Eigen::Map<const Matrix> covariance(moments.second.data(), index(state.mode_count()),
                                            index(state.mode_count()));
  if (!covariance.allFinite()) {
    throw RunError("the gyre's coefficients grew without bound; take shorter steps, or less wind");
  }
  const Eigen::SelfAdjointEigenSolver<Matrix> principal(covariance);
  Matrix axes = principal.eigenvectors().rowwise().reverse().transpose();  // (new mode, old mode)
  for (Eigen::Index k = 0; k < axes.rows(); ++k) {
    Eigen::Index max = 0;
    axes.row(k).cwiseAbs().maxCoeff(&max);
    if (axes(k, max) < 0) axes.row(k) *= -1;
  }
  turn_modes(state, axes, axes);
}

}  // namespace tidewise::gyre

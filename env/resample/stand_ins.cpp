#include "env/resample/stand_ins.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

namespace tidewise {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

constexpr double min_variance = 1e-14;  // relative to the greatest; smaller ones are round-off

/// Rows of Helmert's matrix: (row, member), one member more than rows. Each row has mean 0 and mean
/// square 1 over the members, and rows are uncorrelated.
MatrixXd helmert_rows(Index rows) {
  MatrixXd values = MatrixXd::Zero(rows, rows + 1);
  for (Index row = 0; row < rows; ++row) {
    const auto count = static_cast<double>(row + 1);
    const double scale = std::sqrt(static_cast<double>(rows + 1) / (count * (count + 1)));
    values.row(row).head(row + 1).setConstant(scale);
    values(row, row + 1) = -count * scale;
  }
  return values;
}

}  // namespace

StandIns find_stand_ins(const std::vector<double>& coefficient, const std::vector<double>& share,
                        const std::vector<double>& size) {
  const auto modes = static_cast<Index>(size.size());
  const auto realizations = static_cast<Index>(share.size());
  const Eigen::Map<const VectorXd> shares(share.data(), realizations);
  // Modes are scaled by their sizes, so that modes without flow have no effect.
  const VectorXd sizes = Eigen::Map<const VectorXd>(size.data(), modes);
  const Eigen::Map<const Rows> coefficients(coefficient.data(), modes, realizations);
  const VectorXd mean = coefficients * shares;
  MatrixXd scaled = sizes.asDiagonal() * (coefficients.colwise() - mean);
  // Realizations of weight 0 must also be sums of the stand-ins, so every weight becomes positive.
  const VectorXd positive_shares =
      (shares.array() + 1.0 / static_cast<double>(realizations)).matrix() / 2;
  const Eigen::SelfAdjointEigenSolver<MatrixXd> solver(scaled * positive_shares.asDiagonal() *
                                                       scaled.transpose());
  const VectorXd& variance = solver.eigenvalues();  // ascending
  Index rank = 0;
  const double floor = modes > 0 ? std::max(variance[modes - 1] * min_variance, 0.0) : 0;
  while (rank < modes && variance[modes - 1 - rank] > floor) ++rank;
  const MatrixXd axes = solver.eigenvectors().rightCols(rank);
  const VectorXd deviation = variance.tail(rank).cwiseSqrt();
  const MatrixXd members = helmert_rows(rank);
  const VectorXd inverse_sizes =
      sizes.unaryExpr([](double norm) { return norm > 0 ? 1 / norm : 0.0; });

  StandIns stand_ins;
  stand_ins.count = static_cast<std::size_t>(rank + 1);
  const Rows stand_in_coefficients =
      (inverse_sizes.asDiagonal() * axes * deviation.asDiagonal() * members).colwise() + mean;
  const MatrixXd standardised = deviation.cwiseInverse().asDiagonal() * axes.transpose() * scaled;
  const Rows weights =
      ((standardised.transpose() * members).array() + 1) / static_cast<double>(rank + 1);
  stand_ins.coefficient.assign(stand_in_coefficients.data(),
                               stand_in_coefficients.data() + stand_in_coefficients.size());
  stand_ins.weight.assign(weights.data(), weights.data() + weights.size());
  return stand_ins;
}

}  // namespace tidewise

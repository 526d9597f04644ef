#include "env/tools/ensemble_reduction.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/error.h"

namespace tidewise {
namespace {

// Relative to the greatest singular value; the Gram matrix squares singular values, and a double
// resolves 1e-16 of its scale.
constexpr double min_singular_value = 1e-7;
// Relative to the mean: interpolation makes equal members differ by this much.
constexpr double min_anomaly = 1e-12;

using Columns = Eigen::Map<Eigen::MatrixXd>;
using ConstColumns = Eigen::Map<const Eigen::MatrixXd>;

Eigen::Index to_index(std::size_t size) { return static_cast<Eigen::Index>(size); }

}  // namespace

EnsembleReduction::EnsembleReduction(std::vector<double> samples, std::size_t member_count)
    : member_count_(member_count),
      value_count_(samples.size() / member_count),
      anomalies_(std::move(samples)),
      mean_(value_count_),
      variances_(member_count, 0.0),
      directions_(member_count * member_count) {
  Columns members(anomalies_.data(), to_index(value_count_), to_index(member_count_));
  Eigen::Map<Eigen::VectorXd> mean(mean_.data(), to_index(value_count_));
  // The sum runs member by member, because the order of Eigen's own sum over rows depends on the
  // vectors' alignment in memory.
  mean.setZero();
  for (Eigen::Index member = 0; member < members.cols(); ++member) mean += members.col(member);
  mean /= static_cast<double>(member_count_);
  members.colwise() -= mean;
  const Eigen::MatrixXd gram = members.transpose() * members / static_cast<double>(member_count_);
  if (!gram.allFinite()) {
    throw RunError(
        "the ensemble holds values that are not finite, or too large to square; look for absurd "
        "values in the forecast");
  }
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(gram);
  if (solver.info() != Eigen::Success) {
    throw RunError(
        "the ensemble's singular value decomposition did not converge; look for absurd "
        "values in the forecast");
  }
  const auto max = std::max(solver.eigenvalues()[to_index(member_count_) - 1], 0.0);
  const double floor = std::max(max * min_singular_value * min_singular_value,
                                mean.squaredNorm() * min_anomaly * min_anomaly);
  for (std::size_t mode = 0; mode < member_count_; ++mode) {
    const Eigen::Index column = to_index(member_count_ - 1 - mode);  // Eigen's values ascend
    const double variance = solver.eigenvalues()[column];
    const bool is_significant = variance > floor;
    variances_[mode] = is_significant ? variance : 0;
    for (std::size_t member = 0; member < member_count_; ++member) {
      direction(mode)[member] =
          is_significant ? solver.eigenvectors()(to_index(member), column) : 0;
    }
  }
  total_variance_ = std::accumulate(variances_.begin(), variances_.end(), 0.0);
}

double EnsembleReduction::share_kept(std::size_t mode_count) const {
  if (!(total_variance_ > 0)) return 1;
  const auto end =
      variances_.begin() + static_cast<std::ptrdiff_t>(std::min(mode_count, member_count_));
  return std::accumulate(variances_.begin(), end, 0.0) / total_variance_;
}

std::size_t EnsembleReduction::modes_for(double share) const {
  // A share of 1 needs all modes with variance, even if rounding lets fewer reach it.
  const auto nonzero_count = static_cast<std::size_t>(std::count_if(
      variances_.begin(), variances_.end(), [](double variance) { return variance > 0; }));
  std::size_t count = 1;
  while (count < nonzero_count && share_kept(count) < share) ++count;
  return count;
}

std::vector<double> EnsembleReduction::mode(std::size_t mode) const {
  std::vector<double> values(value_count_);
  const ConstColumns members(anomalies_.data(), to_index(value_count_), to_index(member_count_));
  const Eigen::Map<const Eigen::VectorXd> weights(direction(mode), to_index(member_count_));
  Eigen::Map<Eigen::VectorXd>(values.data(), to_index(value_count_)) =
      members * weights / std::sqrt(static_cast<double>(member_count_));
  return values;
}

std::vector<double> EnsembleReduction::coefficients(std::size_t mode) const {
  std::vector<double> values(direction(mode), direction(mode) + member_count_);
  for (double& value : values) value *= std::sqrt(static_cast<double>(member_count_));
  return values;
}

void EnsembleReduction::align(const std::vector<double>& previous_directions) {
  for (std::size_t mode = 0; mode < member_count_; ++mode) {
    double* values = direction(mode);
    double correlation = 0;
    if (!previous_directions.empty()) {
      correlation = std::inner_product(values, values + member_count_,
                                       previous_directions.data() + mode * member_count_, 0.0);
    } else {
      correlation = *std::max_element(values, values + member_count_,
                                      [](double a, double b) { return std::abs(a) < std::abs(b); });
    }
    if (correlation < 0) std::transform(values, values + member_count_, values, std::negate<>());
  }
}

}  // namespace tidewise

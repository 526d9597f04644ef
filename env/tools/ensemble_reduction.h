#pragma once

#include <cstddef>
#include <vector>

namespace tidewise {

/// The share of an ensemble's variance that modes keep where nothing else is asked for.
inline constexpr double default_variance = 0.99;

/// The singular value decomposition of an ensemble: sample(member) = mean + Σ_m
/// coefficient_m(member) · mode_m. The cells are equal in area, so values weigh alike.
///
/// Modes are orthogonal and carry the unit and the standard deviation; coefficients have mean 0,
/// variance 1 over the members, and no unit. The decomposition goes by way of the members' Gram
/// matrix, which is small (members ≪ values). Singular values under 1e-7 of the greatest, or under
/// 1e-12 of the mean, are round-off and count as 0, with modes and coefficients of 0. The same
/// samples give the same bits, whatever the number of threads.
class EnsembleReduction {
 public:
  /// `samples`: (member, value). Their mean is taken off in place.
  /// Errors: RunError when they are not finite, or the decomposition does not converge.
  EnsembleReduction(std::vector<double> samples, std::size_t member_count);

  const std::vector<double>& mean() const { return mean_; }
  /// Variance of each mode summed over the values, falling; member_count of them.
  const std::vector<double>& variances() const { return variances_; }
  /// Share of the variance in the first `mode_count` modes; 1 where there is none to keep.
  double share_kept(std::size_t mode_count) const;
  /// The least number of modes that keeps `share` of the variance; at least 1.
  std::size_t modes_for(double share) const;

  std::vector<double> mode(std::size_t mode) const;  ///< (value)
  /// (member)
  std::vector<double> coefficients(std::size_t mode) const;

  /// Directions of the modes among the members: (mode, member), orthonormal.
  const std::vector<double>& directions() const { return directions_; }
  /// Turns signs so that each mode's coefficients go with those of the level before, whose
  /// directions are given; without one (empty) the greatest is positive. Values of a realization do
  /// not depend on it; smooth pictures do.
  void align(const std::vector<double>& before);

 private:
  double* direction(std::size_t mode) { return directions_.data() + mode * member_count_; }
  const double* direction(std::size_t mode) const {
    return directions_.data() + mode * member_count_;
  }

  std::size_t member_count_;
  std::size_t value_count_;
  std::vector<double> anomalies_;   // (member, value)
  std::vector<double> mean_;        // (value)
  std::vector<double> variances_;   // (mode)
  std::vector<double> directions_;  // (mode, member), orthonormal rows
  double total_variance_ = 0;
};

}  // namespace tidewise

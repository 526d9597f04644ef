#pragma once

#include <cstddef>
#include <vector>

namespace tidewise {

/// Default share of an ensemble's variance that the modes keep.
inline constexpr double default_variance = 0.99;

/// The singular value decomposition of an ensemble: sample(member) = mean + Σ_m
/// coefficient_m(member) · mode_m. The cells have equal areas, so all values have the same weight.
///
/// Modes are orthogonal and carry the unit and the standard deviation; coefficients have mean 0,
/// variance 1 over the members, and no unit. The decomposition uses the members' Gram matrix, which
/// is small (members ≪ values). Singular values under 1e-7 of the greatest, or under 1e-12 of the
/// mean, are round-off and are treated as 0, with modes and coefficients of 0. The same samples
/// give the same bits for any number of threads.
class EnsembleReduction {
 public:
  /// `samples`: (member, value). Their mean is subtracted in place.
  /// Errors: RunError if they are not finite, or the decomposition does not converge.
  EnsembleReduction(std::vector<double> samples, std::size_t member_count);

  const std::vector<double>& mean() const { return mean_; }
  /// Variance of each mode summed over the values, descending; member_count of them.
  const std::vector<double>& variances() const { return variances_; }
  /// Share of the variance in the first `mode_count` modes; 1 if the ensemble has no variance.
  double share_kept(std::size_t mode_count) const;
  /// The smallest number of modes that keeps `share` of the variance; at least 1.
  std::size_t modes_for(double share) const;

  /// The values of a mode, (value).
  std::vector<double> mode(std::size_t mode) const;
  /// The coefficients of a mode, (member).
  std::vector<double> coefficients(std::size_t mode) const;

  /// Directions of the modes among the members: (mode, member), orthonormal.
  const std::vector<double>& directions() const { return directions_; }
  /// Chooses the modes' signs so that each mode's coefficients correlate positively with those of
  /// the previous level, whose directions are given. Without a previous level (empty), the largest
  /// coefficient becomes positive. Signs do not change realizations, but they make pictures of
  /// modes continuous in time.
  void align(const std::vector<double>& previous_directions);

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

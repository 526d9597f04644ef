#pragma once

#include <cstddef>
#include <optional>
#include <vector>

namespace tidewise {

/// The correlation of errors at one time lag.
struct LagCorrelation {
  double lag = 0;  ///< [s]
  double correlation = 0;
  double weight = 0;  ///< in the least squares
};

/// Correlation in time: share exp(-t / slow) + (1 - share) exp(-t / fast) cos(2 pi t / period).
struct TimeCorrelation {
  double slow_share = 1;
  double slow_time = 0;  ///< [s]
  double fast_time = 0;  ///< [s]; 0: there is no fast process
  double period = 0;     ///< [s]

  double at(double lag) const;
  /// The weighted sum of squared differences.
  double misfit(const std::vector<LagCorrelation>& observed) const;
};

/// Weighted least squares for the slow process only. Requires one lag.
TimeCorrelation fit_slow(const std::vector<LagCorrelation>& observed);

/// The same for both processes; the period is searched between 8 and 30 h, or given [s].
TimeCorrelation fit_slow_and_fast(const std::vector<LagCorrelation>& observed,
                                  std::optional<double> period);

/// The correlations of the components along and across the line between two places.
struct DistanceCorrelation {
  double distance = 0;  ///< [m]
  double longitudinal = 0;
  double transverse = 0;
  double weight = 0;  ///< in the least squares
};

/// The mean of both correlations at a distance: (1 - r^2 / (2 L^2)) exp(-r^2 / (2 L^2)).
double mean_correlation(double distance, double length);

/// Weighted least squares of A exp(-r^2 / (2 L^2)) and A (1 - r^2 / L^2) exp(-r^2 / (2 L^2)) for L
/// [m] and A. Nothing where L is not between the least and greatest distance, and where A, the
/// correlation at no distance, is not within a factor of two of 1.
std::optional<double> fit_length(const std::vector<DistanceCorrelation>& observed);

}  // namespace tidewise

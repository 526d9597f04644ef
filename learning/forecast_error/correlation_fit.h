#pragma once

#include <cstddef>
#include <optional>
#include <vector>

namespace tidewise {

/// The correlation of errors at one time lag.
struct LagCorrelation {
  double lag = 0;  ///< [s]
  double correlation = 0;
  double weight = 0;  ///< weight in the least-squares fit
};

/// Correlation in time: share exp(-t / slow) + (1 - share) exp(-t / fast) cos(2 pi t / period).
struct TimeCorrelation {
  double slow_share = 1;
  double slow_time = 0;  ///< [s]
  double fast_time = 0;  ///< [s]; 0: no fast process
  double period = 0;     ///< [s]

  /// The correlation at a lag [s].
  double at(double lag) const;
  /// The weighted sum of squared differences.
  double misfit(const std::vector<LagCorrelation>& observed) const;
};

/// Fits only the slow process by weighted least squares. Requires at least one lag.
TimeCorrelation fit_slow(const std::vector<LagCorrelation>& observed);

/// Fits both processes by weighted least squares. The period is given [s], or searched between 8
/// and 30 h.
TimeCorrelation fit_slow_and_fast(const std::vector<LagCorrelation>& observed,
                                  std::optional<double> period);

/// The correlations of the components along and across the line between two places.
struct DistanceCorrelation {
  double distance = 0;  ///< [m]
  double longitudinal = 0;
  double transverse = 0;
  double weight = 0;  ///< weight in the least-squares fit
};

/// The mean of both correlations at a distance: (1 - r^2 / (2 L^2)) exp(-r^2 / (2 L^2)).
double mean_correlation(double distance, double length);

/// Fits A exp(-r^2 / (2 L^2)) and A (1 - r^2 / L^2) exp(-r^2 / (2 L^2)) by weighted least squares
/// and returns L [m]. nullopt if L is outside the observed distances, or if A, the correlation at
/// distance 0, is not within a factor of two of 1.
std::optional<double> fit_length(const std::vector<DistanceCorrelation>& observed);

}  // namespace tidewise

#pragma once

#include <cstddef>
#include <vector>

#include "learning/forecast_error/correlation_fit.h"
#include "learning/forecast_error/error_samples.h"

namespace tidewise {

/// Weights of the series, (series): 1, or the number of times that a bootstrap drew it. A pair of
/// series of weights a and b has the weight a + b - 1, which is a b to first order.
using SeriesWeights = std::vector<double>;

/// Products of the errors of two legs, summed by series, time lag and distance, so that
/// correlations follow quickly for any weights of the series.
class ErrorPairs {
 public:
  /// `series`: errors divided by their rms at that lead time, and their variances by its square.
  /// `min_distance` [m]: nearer pairs are in one bin.
  ErrorPairs(std::vector<ErrorSeries> series, double min_distance);

  /// Correlations from pairs of legs of different series within the same hour, or within the
  /// duration of a leg if that is longer. Bins with few pairs are left out.
  std::vector<DistanceCorrelation> by_distance(const SeriesWeights& weights) const;

  /// The correlation in time at a fixed point, for a velocity error of this length [m]: each
  /// product is divided by the correlation in space, by least squares. Pairs are legs of different
  /// series, or of one fixed series. Pairs of one drifter would underestimate the correlation,
  /// because its displacement depends on the error itself. Bins with few pairs are left out.
  /// Requires add_lags().
  std::vector<LagCorrelation> by_lag(const SeriesWeights& weights, double length) const;
  /// Sums the pairs for by_lag() up to `reach` [m] and 60 h apart.
  void add_lags(double reach);

  /// The correlation of legs of one series, at any displacement.
  std::vector<LagCorrelation> along_tracks() const;

  /// Number of pairs in by_distance().
  std::size_t pairs_by_distance() const { return pairs_by_distance_; }
  /// Number of pairs in by_lag().
  std::size_t pairs_by_lag() const { return pairs_by_lag_; }

 private:
  struct Leg {
    std::size_t series;
    const ErrorSample* sample;
  };
  struct LagSum {
    double count = 0;
    double product = 0;
  };
  struct DistanceSum {
    double count = 0;
    double longitudinal = 0;
    double transverse = 0;
  };
  struct Sum {
    double count = 0;
    double value = 0;
  };

  std::size_t lag_bin(double lag) const;
  void sum_distances(std::size_t first, std::size_t second);
  void add_lag(const Leg& leg, const Leg& other);
  /// Mean of error² − variance of the observation.
  double variance(const SeriesWeights& weights) const;

  std::vector<ErrorSeries> series_;
  double min_distance_;
  double lag_width_;
  std::size_t lag_bins_;
  double reach_ = 0;
  std::vector<Sum> squares_;                           // (series)
  std::vector<std::vector<DistanceSum>> by_distance_;  // (series, bin), of its pairs
  std::vector<std::vector<LagSum>> by_lag_;            // (series, lag bin and distance bin)
  std::vector<LagSum> between_series_;                 // (lag bin and distance bin): each pair once
  std::vector<Sum> lags_;                              // (lag bin)
  std::vector<Sum> distances_;                         // (distance bin): squares
  std::size_t pairs_by_distance_ = 0;
  std::size_t pairs_by_lag_ = 0;
};

}  // namespace tidewise

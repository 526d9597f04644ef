#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "env/file/forecast_error_file.h"
#include "env/forecast_error.h"
#include "learning/forecast_error/correlation_fit.h"
#include "learning/forecast_error/error_samples.h"

namespace tidewise {

/// Parameters that are given instead of fitted.
struct ForecastErrorFitOptions {
  std::optional<double> length = {};  ///< L of ForecastErrorModel [m]
  std::optional<double> time = {};    ///< e-folding time of a slow process without a fast one [s]
  std::optional<double> period =
      {};  ///< period of the fast process [s]; default: fitted, 8 to 30 h
};

/// A model fitted to observed errors, with the amount of data behind its parameters.
struct ForecastErrorFit {
  struct Counts {
    std::size_t data = 0;    ///< legs, or pairs of legs
    std::size_t series = 0;  ///< vehicles, drifters and boxes of radars
  };
  ForecastErrorModel model;          ///< parameters that could not be fitted are 0, or rms is empty
  ForecastErrorIntervals intervals;  ///< 90 %, by a bootstrap over series
  Counts all;                        ///< legs
  std::vector<Counts> rms;           ///< legs, for each entry of ForecastErrorModel::rms
  Counts length;                     ///< pairs of legs of different series
  Counts time;                       ///< pairs of legs at different times
  std::vector<LagCorrelation> along_tracks;    ///< observed correlation in time
  std::vector<LagCorrelation> at_fixed_place;  ///< corrected for distance; empty without length
  std::vector<std::string> missing;  ///< the data needed for each parameter that was not fitted

  /// True if all parameters were fitted or given.
  bool is_complete() const { return missing.empty(); }
};

/// Fits a model of forecast error. The rms by lead time is that of the errors after the variance of
/// the observations is subtracted. The length is fitted by least squares to the longitudinal and
/// transverse correlations of legs of different series at one time. The correlation in time is
/// fitted to pairs of legs at different times, of different series or of boxes of radar currents,
/// each divided by the correlation in space at their distance. The fast process is kept if it
/// predicts the correlations of half of the series better than the slow process does, both fitted
/// to the other half. 90 % intervals are from a bootstrap over series (Efron & Tibshirani 1993),
/// always with the same draws. Requires at least one series. `cell` [m]: shorter distances are in
/// one bin.
ForecastErrorFit fit_forecast_error(const std::vector<ErrorSeries>& series, double cell,
                                    const ForecastErrorFitOptions& options = {});

}  // namespace tidewise

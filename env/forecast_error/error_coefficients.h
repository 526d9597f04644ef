#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/random.h"
#include "env/forecast_error.h"

namespace tidewise {

/// The rms error of a velocity component [m s-1] at `lead` [s], linear between the model's values
/// and constant outside.
double rms_at(const ForecastErrorModel& model, double lead);

/// The coefficients of the modes of a forecast error, level by level: a slow AR(1) process and a
/// fast damped oscillation (the real part of an AR(1) process in the complex plane), both exact for
/// the time step. The random numbers are counter-based, so threads and order do not affect them.
///
/// At every level and in every mode the mean over the realizations is subtracted, so that the mean
/// field stays the forecast, and the variance is restored exactly.
class ErrorCoefficients {
 public:
  /// `step`: time between levels [s]. Requires two or more realizations.
  ErrorCoefficients(const ForecastErrorModel& model, double step, std::size_t mode_count,
                    std::size_t realization_count, std::uint64_t seed);

  /// Fills the coefficients [m s-1] of the next level, (mode, realization), at a lead time [s].
  void fill_next(double lead, float* coefficients);

 private:
  double next_value(std::size_t state, std::uint32_t mode, std::uint32_t realization);

  ForecastErrorModel model_;
  std::size_t mode_count_;
  std::size_t realization_count_;
  Philox random_;
  std::uint32_t level_ = 0;
  double slow_memory_;
  double fast_cosine_;  // decay of the fast process in a step, times the cosine of its turn
  double fast_sine_;
  double fast_noise_;
  std::vector<double> slow_, fast_real_, fast_imaginary_;  // (mode, realization)
};

}  // namespace tidewise

#pragma once

#include <string>

#include "env/environment_info.h"
#include "tidewise/rollout.h"

namespace tidewise {

/// Steps to which reports round times of flights [s or 1].
///
/// A time is rounded to the greatest step that does not exceed its standard error: of 1 s, 10 s,
/// 1 min, 5 min, 10 min, 30 min, 1 h, 3 h, 6 h and 12 h, or of the powers of ten where the
/// environment has no units. The standard error of a mean is s / √n, RolloutStatistics'
/// time_standard_error. The standard error of a median is 1.25 times as large, and those of the 5 %
/// and 95 % quantiles 2.11 times, as for a normal distribution. Flights that show no error (a
/// single one, flights of the same duration, realizations without forecast errors) are rounded as
/// if it were half a time step, since the vehicle decides once in a step.
struct TimeRounding {
  double mean = 0;
  double median = 0;
  double quantile = 0;  ///< 5 % and 95 %
};

/// Returns the rounding of times. `standard_error`: that of the mean time; NaN or 0 if the flights
/// show none. `time_step`: the step of the environment.
TimeRounding round_times(double standard_error, double time_step, Units units);
TimeRounding round_times(const RolloutStatistics& flown, const EnvironmentInfo& info);

/// Returns the greatest step that does not exceed `standard_error`, or the smallest step.
double rounding_step(double standard_error, Units units);

/// Formats a time rounded to `step`: "110 h", "100.5 h", "45 min", "30 s", or "66" if the
/// environment has no units. A time that would be 0 is formatted as "less than 1 h".
std::string describe_duration(double time, Units units, double step);

/// Formats a share, such as "98.5 %". It is rounded to the greatest power of ten that does not
/// exceed its standard error over `flights` flights of equal weight, or the share of one flight if
/// that is more. At 100 % or 0 %, the limit of the one-sided 95 % confidence interval is given,
/// 0.05^(1/n): "over 97 %" if all of 100 flights arrive, "less than 3 %" if none does. With
/// `flights` 0, the share is the model's and is not rounded.
std::string describe_chance(double share, double flights);

}  // namespace tidewise

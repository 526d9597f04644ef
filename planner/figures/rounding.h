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

/// `standard_error`: of the mean time; NaN or 0: the flights show none. `time_step`: of the
/// environment.
TimeRounding round_times(double standard_error, double time_step, Units units);
TimeRounding round_times(const RolloutStatistics& flown, const EnvironmentInfo& info);

/// The greatest step that `standard_error` allows, as above.
double rounding_step(double standard_error, Units units);

/// "110 h", "100.5 h", "45 min", "30 s", or "66" where the environment has no units: a time rounded
/// to `step`; "less than 1 h" where that would be 0.
std::string describe_duration(double time, Units units, double step);

/// "98.5 %": a share rounded to the greatest power of ten that does not exceed its standard error
/// over `flights` flights of equal weight, or the share of one of them if that is more. At
/// 100 % or 0 %, the limit of the one-sided 95 % confidence interval of as many flights that all
/// arrive or fail, 0.05^(1/n): "over 97 %" for 100 of 100 flights, "less than 3 %" for none.
/// `flights` 0: the share by the model, not rounded.
std::string describe_chance(double share, double flights);

}  // namespace tidewise

#pragma once

#include <string>
#include <utility>
#include <vector>

namespace tidewise {

/// Root attribute of an environment whose forecast error is a guess: the two factors by which its
/// coefficients are multiplied for the lowest and for the highest plausible analysis error.
inline constexpr const char* error_scale_range_attribute = "error_scale_range";

/// A statistical model of the error of a forecast's velocity. The error field is divergence-free.
/// Its coefficients are the sum of a slow process, AR(1), and a fast one, a damped oscillation;
/// both have unit variance before they are scaled with `slow_share` and the rms by lead time.
struct ForecastErrorModel {
  /// (lead time [s] since the forecast's first time, rms error of one velocity component [m s-1]),
  /// ascending by lead time; linear in between, constant outside. Has at least one element.
  std::vector<std::pair<double, double>> rms;
  /// L [m]: the longitudinal correlation of the velocity error at distance r is exp(-r^2 / (2
  /// L^2)).
  double length = 0;
  /// Share of the variance in the slow process, 0 to 1.
  double slow_share = 1;
  double slow_time = 0;  ///< [s] e-folding time of the slow process
  double fast_time = 0;  ///< [s] e-folding time of the fast process
  double period = 0;     ///< [s] period of the fast process; 0: it does not oscillate
  std::string source;    ///< one line that states where the figures come from
};

}  // namespace tidewise

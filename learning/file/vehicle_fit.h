#pragma once

#include <cstddef>
#include <vector>

#include "learning/file/posterior.h"

namespace tidewise {

/// A dive's motion through the water minus the commanded motion.
struct MotionResidual {
  double speed = 0;        ///< [m s-1 or 1]
  double speed_error = 0;  ///< standard deviation of its measurement, from current and fixes
  double heading = 0;      ///< [degrees], positive counter-clockwise
  double heading_error = 0;
};

/// A figure and its 90 % interval.
struct FittedFigure {
  double value = 0;
  double low = 0;
  double high = 0;
};

/// The errors of one component of a vehicle's motion, independent from dive to dive.
struct FittedError {
  FittedFigure bias;  ///< mean
  FittedFigure rms;   ///< around the mean
  /// True if the residuals exceed the errors of the measurements: the interval of rms excludes 0.
  bool is_resolved() const { return rms.low > 0; }
};

/// The fitted errors of a vehicle's speed and heading.
struct VehicleFit {
  FittedError speed;
  FittedError heading;
};

/// Minimum number of dives for an estimate.
inline constexpr std::size_t min_fitted_dives = 10;

/// The residuals of a vehicle's legs in the report that were not rejected and have a known
/// commanded or dead-reckoned velocity. The current is that of the file, if it has one. Otherwise
/// it is the mean of the forecast before the correction, with the inflated spread as its error,
/// because the posterior already depends on the legs.
std::vector<MotionResidual> motion_residuals(const PosteriorReport& report);

/// Fits the errors by the method of Paule & Mandel (1982): the rms is that at which the residuals'
/// chi-square, with their measurements' errors, equals its degrees of freedom. Intervals: Q-profile
/// (Viechtbauer 2007) for the rms, normal for the bias. Requires min_fitted_dives residuals.
VehicleFit fit_vehicle(const std::vector<MotionResidual>& residuals);

}  // namespace tidewise

#pragma once

#include <cstddef>
#include <vector>

#include "learning/file/posterior.h"

namespace tidewise {

/// A dive's motion through the water, less what was commanded.
struct MotionResidual {
  double speed = 0;        ///< [m s-1 or 1]
  double speed_error = 0;  ///< standard deviation of its measurement: of current and fixes
  double heading = 0;      ///< [degrees]; its sign is that of an angle counter-clockwise from +x
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
  FittedFigure rms;   ///< about the mean
  /// Whether the residuals exceed the errors of the measurements: the interval of rms excludes 0.
  bool is_resolved() const { return rms.low > 0; }
};

struct VehicleFit {
  FittedError speed;
  FittedError heading;
};

/// Fewer dives support no estimate.
inline constexpr std::size_t min_fitted_dives = 10;

/// Of the report's legs of a vehicle that were not rejected and whose commanded or dead-reckoned
/// velocity is known. The current is the file's own, where that names one as well; else it is the
/// mean of the forecast before the correction, with the inflated spread as its error, since the
/// posterior has used the legs.
std::vector<MotionResidual> motion_residuals(const PosteriorReport& report);

/// The method of Paule & Mandel (1982) for the rms: the variance at which the residuals'
/// chi-square, with their measurements' errors, equals its degrees of freedom. Intervals: Q-profile
/// (Viechtbauer 2007) for the rms, normal for the bias. Requires min_fitted_dives residuals.
VehicleFit fit_vehicle(const std::vector<MotionResidual>& residuals);

}  // namespace tidewise

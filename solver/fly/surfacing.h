#pragma once

#include <cstddef>
#include <optional>

#include "env/environment_info.h"
#include "env/points.h"
#include "solver/fly/trajectory.h"

namespace tidewise {

/// An ellipse about a region's centre.
struct SurfacingEllipse {
  double probability = 0;  ///< of being within
  double semi_major = 0;   ///< [m or 1]
  double semi_minor = 0;
};

/// Where a vehicle comes up next, by flights through the realizations.
struct SurfacingRegion {
  double after = 0;  ///< the departure [s or 1]
  PlanePoint centre;
  double angle = 0;  ///< of the long axes, counter-clockwise from +x [rad]
  SurfacingEllipse half;
  SurfacingEllipse most;    ///< 90 %
  std::size_t flights = 0;  ///< that it is made of
  double ended = 0;         ///< the share of them that ended before, and count where they did
};

/// The ellipses that hold the vehicle with 50 and 90 % if its ocean is another one of those that
/// the realizations are drawn from. Their shape is the covariance of the flights' places. Their
/// size is that of the predictive distribution of so many normal places (Student's t; Chew 1966),
/// from 40 flights on times how far the places themselves lie, so that their distribution need not
/// be normal. Weights of realizations count. `after`: > 0 [s or 1]. Nothing for fewer than five
/// flights.
std::optional<SurfacingRegion> find_surfacing(const RolloutResult& flights,
                                              const EnvironmentInfo& info, double after);

}  // namespace tidewise

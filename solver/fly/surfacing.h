#pragma once

#include <cstddef>
#include <optional>

#include "env/environment_info.h"
#include "env/points.h"
#include "solver/fly/trajectory.h"

namespace tidewise {

/// An ellipse around a region's centre.
struct SurfacingEllipse {
  double probability = 0;  ///< probability of surfacing inside
  double semi_major = 0;   ///< [m or 1]
  double semi_minor = 0;
};

/// Predicted region of the next surfacing, from flights through the realizations.
struct SurfacingRegion {
  double after = 0;  ///< time after departure [s or 1]
  PlanePoint centre;
  double angle = 0;            ///< direction of the long axes, counter-clockwise from +x [rad]
  SurfacingEllipse within_50;  ///< contains the vehicle with a probability of 50 %
  SurfacingEllipse within_90;  ///< 90 %
  std::size_t flights = 0;     ///< number of flights that it is computed from
  double ended = 0;            ///< share of flights that ended earlier; their end points count as
                               ///< positions
};

/// Ellipses that contain the vehicle with probabilities 50 and 90 %, if the true flow is another
/// draw from the distribution of the realizations. Their shape is the covariance of the flights'
/// positions. Their size follows from the predictive distribution for this number of normally
/// distributed positions (Student's t; Chew 1966). With 40 flights or more it is scaled by the
/// quantile of the positions' distances, so that the distribution need not be normal. Realizations
/// are weighted. `after`: > 0 [s or 1]. nullopt for fewer than five flights.
std::optional<SurfacingRegion> find_surfacing(const RolloutResult& flights,
                                              const EnvironmentInfo& info, double after);

}  // namespace tidewise

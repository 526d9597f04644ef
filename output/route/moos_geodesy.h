#pragma once

#include "env/points.h"

namespace tidewise {

/// Metres east (x) and north (y) of an origin on the plane that MOOSGeodesy computes where it is
/// built without UTM: as its vehicles do, which is what counts; it is no map projection, and
/// lengths and directions on it are good to some 150 km from the origin. R(φ) is the ellipsoid's
/// radius at the point's latitude: x = R sin(λ − λ₀) cos φ, y = R sin(φ − φ₀).
PlanePoint moos_plane(const GeographicPoint& origin, const GeographicPoint& point);

}  // namespace tidewise

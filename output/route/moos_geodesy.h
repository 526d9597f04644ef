#pragma once

#include <string>

#include "env/points.h"
#include "output/route/format.h"

// The local coordinates of MOOSGeodesy: metres east (x) and north (y) of LatOrigin and LongOrigin.
namespace tidewise {

/// Coordinates by LatLong2LocalUTM, which MOOS-IvP uses by default: differences of UTM eastings and
/// northings in the zone of the origin.
PlanePoint moos_local_utm(const GeographicPoint& origin, const GeographicPoint& point);

/// Coordinates by LatLong2LocalGrid, if MOOS-IvP is built without UTM. It is no map projection:
/// lengths and directions are good to some 150 km from the origin. R(φ) is the ellipsoid's radius
/// at the point's latitude: x = R sin(λ − λ₀) cos φ, y = R sin(φ − φ₀).
PlanePoint moos_local_grid(const GeographicPoint& origin, const GeographicPoint& point);

/// Coordinates by the function that `geodesy` names.
PlanePoint moos_local(MoosGeodesy geodesy, const GeographicPoint& origin,
                      const GeographicPoint& point);

/// Errors: InputError, naming the remedy, for an origin that UTM has no zone for.
void require_moos_origin(MoosGeodesy geodesy, const GeographicPoint& origin);

/// Errors: InputError, naming the remedy, for a point too far from the origin for the geodesy.
/// `name`: name of the point.
void require_near_moos_origin(MoosGeodesy geodesy, const GeographicPoint& origin,
                              const std::string& name, const GeographicPoint& point);

/// The reason why builds of MOOSGeodesy convert these coordinates differently; empty if all agree.
/// Versions differ in the zone of an origin off Norway, around Svalbard and in zone 60, and old
/// ones take each point in its own zone.
std::string doubt_of_moos_zone(const GeographicPoint& origin, const Route& route);

}  // namespace tidewise

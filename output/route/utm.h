#pragma once

#include "env/points.h"

namespace tidewise {

/// The zone of a longitude, 1 to 60, each of six degrees, from 180° W on. It ignores that zones off
/// Norway and around Svalbard are wider.
int utm_zone(double longitude);

/// Longitude of a zone's central meridian [degrees].
double utm_central_meridian(int zone);

/// Easting from the central meridian (x) and northing from the equator (y) in a zone of the
/// universal transverse Mercator projection on WGS 84 [m], without false easting and northing. Uses
/// Krüger's series to the sixth order (Karney, 2011, doi:10.1007/s00190-011-0445-3): within a
/// micrometre up to 30° from the meridian.
PlanePoint utm_plane(int zone, const GeographicPoint& point);

}  // namespace tidewise

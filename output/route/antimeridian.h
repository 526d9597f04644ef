#pragma once

#include <vector>

#include "env/points.h"

// RFC 7946, 3.1.9: lines and areas that cross the 180th meridian are cut there, for readers that
// use a map's plane. The shorter path connects two points.
namespace tidewise {

/// A point of a line that was cut. On the cut its longitude is 180 or −180, by the side.
struct CutPoint {
  GeographicPoint place;
  double position = 0;  ///< along the line's points: 2 is the third one, 2.5 midway to the fourth
};

/// The pieces of a line in order, of at least two points (except for a line of one point).
/// Longitudes are in [−180, 180], 180 only on a cut.
std::vector<std::vector<CutPoint>> cut_line(const std::vector<GeographicPoint>& line);

/// Rings without a repeated last corner; the polygon lies to the left of all of them.
struct GeographicPolygon {
  std::vector<GeographicPoint> outer;
  std::vector<std::vector<GeographicPoint>> holes;
};

/// The pieces of a polygon, with longitudes as in cut_line(). A piece that contains a pole has the
/// map's edge there among its sides, such as (−180, 90) to (180, 90).
std::vector<GeographicPolygon> cut_polygon(const GeographicPolygon& polygon);

}  // namespace tidewise

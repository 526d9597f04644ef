#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "tidewise/polygon.h"

namespace tidewise {

/// Whether the first coordinate goes round the globe, so that whole turns of it are the same.
enum class Wrap { none, longitude };

/// A polygon made ready to be asked of many points. Edges are straight in its coordinates; inside
/// is what an odd number of edges lies beside, so that holes are outside.
class PolygonInterior {
 public:
  PolygonInterior(const Polygon& polygon, Wrap wrap);

  bool holds(const Vertex& point) const;

 private:
  struct Edge {
    Vertex from;
    Vertex to;
  };

  bool has_odd_crossings(double first, double second) const;
  std::size_t band_of(double second) const;

  Wrap wrap_;
  double least_[2];
  double most_[2];
  std::vector<Edge> edges_;
  std::vector<std::vector<std::uint32_t>> bands_;  // of the second coordinate: the edges in each
};

/// What leaves open on which side of a closed ring in degrees its inside is, and what to do: an
/// edge half round the globe or more whose ends are not near each other across 180 degrees, unless
/// it runs along a pole, where both ways are one point; or a way round a pole. Empty where nothing
/// does.
std::string describe_unclear(const Ring& ring);

enum class RingRole { outline, hole };

/// A closed ring in degrees with longitudes that are continuous. Edges of half the globe or more go
/// the short way, across 180 degrees, unless the ring is a simple one as it is written and runs
/// there, and there alone, as RFC 7946 has it: outlines counterclockwise, holes clockwise. So a
/// box from −179 to 179 is nearly the globe, and one from 179 to −179 two degrees wide. A ring with
/// an edge that goes all round, as along a pole from −180 to 180, is as it is written in either
/// sense: the short way is none. Requires that describe_unclear() has nothing to say.
Ring continuous_ring(const Ring& ring, RingRole role);

/// Of polygons in degrees with continuous longitudes: how many go across 180 degrees, how the first
/// of them is read, and how to mean the other way round the globe. Empty where none does.
std::string describe_across_180(const std::vector<Polygon>& polygons);

/// Which hole, counted from 1, lies outside of the outline; 0: none. Requires that no edges cross.
std::size_t find_outer_hole(const Polygon& polygon, Wrap wrap);

/// "[1, 2] to [3, 4] and [2, 1] to [2, 5]": two edges of a polygon, holes included, that cross;
/// empty where none do. Edges that touch in a vertex do not.
std::string find_crossing(const Polygon& polygon);

/// "a polygon whose edges … cross", or whose hole lies outside of its outline, and the remedy: the
/// inside of such a polygon is not clear. Empty for others.
std::string describe_contradiction(const Polygon& polygon, Wrap wrap);

}  // namespace tidewise

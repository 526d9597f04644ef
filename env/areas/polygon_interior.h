#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "tidewise/polygon.h"

namespace tidewise {

/// `longitude`: the first coordinate is periodic, so values that differ by whole turns are equal.
enum class Wrap { none, longitude };

/// A polygon prepared for testing many points. Edges are straight in its coordinates. A point is
/// inside by the even-odd rule, so holes are outside.
class PolygonInterior {
 public:
  /// Prepares a polygon. Requires at least one ring.
  PolygonInterior(const Polygon& polygon, Wrap wrap);

  /// True if the polygon contains `point`.
  bool holds(const Vertex& point) const;

 private:
  struct Edge {
    Vertex from;
    Vertex to;
  };

  bool has_odd_crossings(double first, double second) const;
  std::size_t band_of(double second) const;

  Wrap wrap_;
  double min_[2];
  double max_[2];
  std::vector<Edge> edges_;
  std::vector<std::vector<std::uint32_t>> bands_;  // (band of the second coordinate) edges
};

/// Describes why it is unclear which side of a closed ring in degrees is its inside, with the
/// remedy; empty if it is clear. Two things make it unclear: an edge of half the globe or more
/// whose ends are not close across 180 degrees, unless it runs along a pole, which is one point;
/// and a ring around a pole.
std::string describe_unclear(const Ring& ring);

/// The part that a ring plays in its polygon.
enum class RingRole { outline, hole };

/// Makes the longitudes of a closed ring in degrees continuous. Edges of half the globe or more
/// take the short direction, across 180 degrees, unless the ring as written is simple and only in
/// that form has the orientation of RFC 7946: outlines counterclockwise, holes clockwise. A box
/// from −179 to 179 therefore covers nearly the globe, and one from 179 to −179 is two degrees
/// wide. A ring with an edge all round the globe, such as along a pole from −180 to 180, is kept as
/// written in either orientation, because that edge has no short direction. Requires that
/// describe_unclear() returns "".
Ring continuous_ring(const Ring& ring, RingRole role);

/// A note on polygons in degrees with continuous longitudes: how many cross 180 degrees, how the
/// first of them is read, and how to write one that goes the other way round the globe. Empty if
/// none crosses.
std::string describe_across_180(const std::vector<Polygon>& polygons);

/// The number, from 1, of a hole that lies outside of the outline; 0 if there is none. Requires
/// that no edges cross.
std::size_t find_outer_hole(const Polygon& polygon, Wrap wrap);

/// Returns the text of two edges of a polygon, holes included, that cross, such as "[1, 2] to
/// [3, 4] and [2, 1] to [2, 5]"; empty if none cross. Edges that touch in a vertex do not cross.
std::string find_crossing(const Polygon& polygon);

/// Describes a polygon whose inside is unclear, with the remedy: its edges cross, or a hole lies
/// outside of its outline. Empty for other polygons.
std::string describe_contradiction(const Polygon& polygon, Wrap wrap);

}  // namespace tidewise

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

/// Whether an edge between two longitudes [degrees] leaves open which way round the globe it goes:
/// half of it or more apart, and not near each other across 180 degrees.
bool is_unclear_edge(double from, double to);

/// Which hole, counted from 1, lies outside of the outline; 0: none. Requires that no edges cross.
std::size_t find_outer_hole(const Polygon& polygon, Wrap wrap);

/// "[1, 2] to [3, 4] and [2, 1] to [2, 5]": two edges of a polygon, holes included, that cross;
/// empty where none do. Edges that touch in a vertex do not.
std::string find_crossing(const Polygon& polygon);

}  // namespace tidewise

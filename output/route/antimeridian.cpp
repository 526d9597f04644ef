#include "output/route/antimeridian.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "env/units/angle.h"
#include "output/route/text.h"

namespace tidewise {
namespace {

using GeographicRing = std::vector<GeographicPoint>;

/// Crossing of the 180th meridian by the shorter path between two points.
struct Crossing {
  double share = 0;     ///< share of the path
  double latitude = 0;  ///< [degrees]
  double side = 0;      ///< longitude on the side of the first point, 180 or −180
};

bool crosses(const GeographicPoint& from, const GeographicPoint& to) {
  return std::abs(to.longitude - from.longitude) > 180;
}

/// The crossing by the great circle. Requires crosses(from, to).
Crossing crossing_of(const GeographicPoint& from, const GeographicPoint& to) {
  const auto on_sphere = [](const GeographicPoint& point) {
    const double phi = point.latitude * radians_per_degree;
    const double lambda = point.longitude * radians_per_degree;
    // Exactly 0 for points on the meridian, where sin(−π) is not.
    const double sine = point.longitude == -180 ? 0 : std::sin(lambda);
    struct {
      double x, y, z;
    } place{std::cos(phi) * std::cos(lambda), std::cos(phi) * sine, std::sin(phi)};
    return place;
  };
  const auto a = on_sphere(from);
  const auto b = on_sphere(to);
  const double share = a.y == b.y ? 0.5 : a.y / (a.y - b.y);
  const double x = a.x + share * (b.x - a.x);
  const double z = a.z + share * (b.z - a.z);
  return {share, std::atan2(z, std::abs(x)) * degrees_per_radian,
          from.longitude > 0 ? 180.0 : -180.0};
}

bool is_same(const GeographicPoint& a, const GeographicPoint& b) {
  return a.longitude == b.longitude && a.latitude == b.latitude;
}

GeographicPoint wrapped(const GeographicPoint& point) {
  return {rounded_longitude(point.longitude), rounded(point.latitude, degree_decimals)};
}

GeographicRing wrapped(const GeographicRing& ring) {
  GeographicRing result;
  for (const GeographicPoint& point : ring) result.push_back(wrapped(point));
  return result;
}

/// A stretch of a ring between two crossings, which begins and ends on the rim of the map.
struct Chain {
  GeographicRing points;
  bool is_used = false;
};

/// Positions along the rim of the map, counter-clockwise from its south-eastern corner [degrees]:
/// up the eastern side, along the northern side (of length 1), and down the western side.
constexpr double north_east = 180;
constexpr double north_west = 181;
constexpr double south_west = 361;
constexpr double rim_length = 362;

double rim_position(const GeographicPoint& point) {
  return point.longitude > 0 ? point.latitude + 90 : north_west + (90 - point.latitude);
}

/// Appends the rim's corners between two positions to `ring`, counter-clockwise.
void follow_rim(GeographicRing& ring, double from, double to) {
  const std::pair<double, GeographicPoint> corners[] = {
      {north_east, {180, 90}},
      {north_west, {-180, 90}},
      {south_west, {-180, -90}},
      {rim_length, {180, -90}},
  };
  const double end = to < from ? to + rim_length : to;
  for (const double turn : {0.0, rim_length}) {
    for (const auto& [position, corner] : corners) {
      if (position + turn > from && position + turn < end) ring.push_back(corner);
    }
  }
}

/// The chains of a ring; empty if it does not cross the meridian.
std::vector<Chain> chains_of(const GeographicRing& ring) {
  const std::size_t size = ring.size();
  std::size_t first = 0;  // a corner after a crossing
  while (first < size && !crosses(ring[(first + size - 1) % size], ring[first])) ++first;
  if (first == size) return {};
  std::vector<Chain> chains;
  for (std::size_t n = 0; n < size; ++n) {
    const GeographicPoint& previous = ring[(first + n + size - 1) % size];
    const GeographicPoint& current = ring[(first + n) % size];
    if (crosses(previous, current)) {
      const Crossing crossing = crossing_of(previous, current);
      if (!chains.empty()) chains.back().points.push_back({crossing.side, crossing.latitude});
      chains.push_back({{{-crossing.side, crossing.latitude}}});
    }
    chains.back().points.push_back(current);
  }
  const Crossing crossing = crossing_of(ring[(first + size - 1) % size], ring[first]);
  chains.back().points.push_back({crossing.side, crossing.latitude});
  return chains;
}

/// The ring without corners that repeat the one before.
GeographicRing without_repeats(const GeographicRing& ring) {
  GeographicRing result;
  for (const GeographicPoint& point : ring) {
    if (result.empty() || !is_same(result.back(), point)) result.push_back(point);
  }
  while (result.size() > 1 && is_same(result.front(), result.back())) result.pop_back();
  return result;
}

/// True if a ring contains a point, on the map's plane. Either result for points on the ring.
bool holds(const GeographicRing& ring, const GeographicPoint& point) {
  bool inside = false;
  for (std::size_t n = 0; n < ring.size(); ++n) {
    const GeographicPoint& a = ring[n];
    const GeographicPoint& b = ring[(n + 1) % ring.size()];
    if ((a.latitude > point.latitude) == (b.latitude > point.latitude)) continue;
    const double share = (point.latitude - a.latitude) / (b.latitude - a.latitude);
    if (a.longitude + share * (b.longitude - a.longitude) > point.longitude) inside = !inside;
  }
  return inside;
}

/// False for the remains of a ring on the far side of a meridian that it only touches.
bool has_width(const GeographicRing& ring) {
  return std::any_of(ring.begin(), ring.end(), [&](const GeographicPoint& point) {
    return point.longitude != ring.front().longitude;
  });
}

/// Joins chains along the rim, each end with the next beginning counter-clockwise, so that the
/// interior lies to their left.
std::vector<GeographicRing> joined(std::vector<Chain> chains) {
  std::vector<GeographicRing> rings;
  for (Chain& seed : chains) {
    if (seed.is_used) continue;
    GeographicRing ring;
    Chain* chain = &seed;
    do {
      chain->is_used = true;
      ring.insert(ring.end(), chain->points.begin(), chain->points.end());
      const double end = rim_position(chain->points.back());
      const auto distance_to = [&](const Chain& other) {
        const double distance = rim_position(other.points.front()) - end;
        return distance < 0 ? distance + rim_length : distance;
      };
      Chain* next = &seed;
      for (Chain& other : chains) {
        const bool is_open = !other.is_used || &other == &seed;
        if (is_open && distance_to(other) < distance_to(*next)) next = &other;
      }
      follow_rim(ring, end, end + distance_to(*next));
      chain = next;
    } while (chain != &seed);
    ring = without_repeats(ring);
    if (ring.size() > 2 && has_width(ring)) rings.push_back(std::move(ring));
  }
  return rings;
}

}  // namespace

std::vector<std::vector<CutPoint>> cut_line(const std::vector<GeographicPoint>& line) {
  std::vector<std::vector<CutPoint>> pieces(1);
  const auto add = [&](const CutPoint& point) {
    std::vector<CutPoint>& piece = pieces.back();
    const bool repeats = !piece.empty() && is_same(piece.back().place, point.place) &&
                         piece.back().position == point.position;
    if (!repeats) piece.push_back(point);
  };
  GeographicPoint previous;
  for (std::size_t n = 0; n < line.size(); ++n) {
    const GeographicPoint current = wrapped(line[n]);
    if (n > 0 && crosses(previous, current)) {
      const Crossing crossing = crossing_of(previous, current);
      const double position = static_cast<double>(n - 1) + crossing.share;
      const double latitude = rounded(crossing.latitude, degree_decimals);
      add({{crossing.side, latitude}, position});
      pieces.emplace_back();
      add({{-crossing.side, latitude}, position});
    }
    add({current, static_cast<double>(n)});
    previous = current;
  }
  // A line that only touches the meridian leaves a piece of one point there.
  if (pieces.size() > 1) std::erase_if(pieces, [](const auto& piece) { return piece.size() < 2; });
  return pieces;
}

std::vector<GeographicPolygon> cut_polygon(const GeographicPolygon& polygon) {
  std::vector<GeographicRing> holes;
  std::vector<Chain> chains;
  std::vector<GeographicPolygon> pieces;
  const auto take = [&](const GeographicRing& ring, bool is_outer) {
    const GeographicRing corners = without_repeats(wrapped(ring));
    if (corners.size() < 3) return;
    std::vector<Chain> cut = chains_of(corners);
    if (!cut.empty()) {
      chains.insert(chains.end(), cut.begin(), cut.end());
    } else if (is_outer) {
      pieces.push_back({corners, {}});
    } else {
      holes.push_back(corners);
    }
  };
  take(polygon.outer, true);
  for (const GeographicRing& hole : polygon.holes) take(hole, false);
  for (GeographicRing& ring : joined(std::move(chains))) {
    for (GeographicPoint& point : ring) point.latitude = rounded(point.latitude, degree_decimals);
    pieces.push_back({std::move(ring), {}});
  }
  for (GeographicRing& hole : holes) {
    for (GeographicPolygon& piece : pieces) {
      if (pieces.size() > 1 && !holds(piece.outer, hole.front())) continue;
      piece.holes.push_back(std::move(hole));
      break;
    }
  }
  return pieces;
}

}  // namespace tidewise

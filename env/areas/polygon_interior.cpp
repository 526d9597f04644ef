#include "env/areas/polygon_interior.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace tidewise {
namespace {

constexpr std::size_t edges_per_band = 8;
constexpr std::size_t max_bands = 256;

/// Twice the area of the triangle, above 0 if `c` lies to the left of the line from a to b.
double turn_of(const Vertex& a, const Vertex& b, const Vertex& c) {
  return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

/// Area inside a closed ring, above 0 if it is counterclockwise.
double area_of(const Ring& ring) {
  double twice = 0;
  for (std::size_t n = 1; n < ring.size(); ++n) twice += turn_of(ring[0], ring[n - 1], ring[n]);
  return twice / 2;
}

/// Whole turns [degrees] by which a difference of longitudes [degrees] exceeds the shortest one.
/// For half the globe both directions are equally short, so the edge stays as written.
double turns_in(double difference) {
  return std::copysign(360 * std::ceil((std::abs(difference) - 180) / 360), difference);
}

bool is_along_pole(const Vertex& a, const Vertex& b) {
  constexpr double pole = 89.9;
  return std::min(a[1], b[1]) > pole || std::max(a[1], b[1]) < -pole;
}

enum class PoleEdges { shortest, as_written };

Ring unrolled(const Ring& ring, PoleEdges at_poles) {
  Ring unrolled = ring;
  double turned = 0;
  for (std::size_t n = 1; n < ring.size(); ++n) {
    const bool as_written =
        at_poles == PoleEdges::as_written && is_along_pole(ring[n - 1], ring[n]);
    if (!as_written) turned += turns_in(ring[n][0] - ring[n - 1][0]);
    unrolled[n][0] -= turned;
  }
  return unrolled;
}

bool is_closed(const Ring& ring) { return std::abs(ring.back()[0] - ring.front()[0]) < 180; }

/// The ring with the shortest edges. Along a pole either direction is valid, so the one that closes
/// the ring is chosen. The ring stays open if it goes round a pole that none of its edges touches.
Ring short_ring(const Ring& ring) {
  Ring shortest = unrolled(ring, PoleEdges::shortest);
  return is_closed(shortest) ? shortest : unrolled(ring, PoleEdges::as_written);
}

/// True if an edge goes all round the globe, to within 100 m of its start.
bool has_whole_turn(const Ring& ring) {
  constexpr double near = 0.001;
  for (std::size_t n = 1; n < ring.size(); ++n) {
    const double turn = ring[n][0] - ring[n - 1][0];
    if (std::abs(turn) > 180 && std::abs(std::remainder(turn, 360.0)) < near) return true;
  }
  return false;
}

bool have_opposite_signs(double a, double b) { return (a > 0 && b < 0) || (a < 0 && b > 0); }

struct SortedEdge {
  Vertex from;
  Vertex to;
  double west() const { return std::min(from[0], to[0]); }
  double east() const { return std::max(from[0], to[0]); }
};

/// True if two edges cross in a point that is an end of neither.
bool cross(const SortedEdge& a, const SortedEdge& b) {
  if (std::max(a.from[1], a.to[1]) < std::min(b.from[1], b.to[1]) ||
      std::max(b.from[1], b.to[1]) < std::min(a.from[1], a.to[1])) {
    return false;
  }
  return have_opposite_signs(turn_of(a.from, a.to, b.from), turn_of(a.from, a.to, b.to)) &&
         have_opposite_signs(turn_of(b.from, b.to, a.from), turn_of(b.from, b.to, a.to));
}

}  // namespace

PolygonInterior::PolygonInterior(const Polygon& polygon, Wrap wrap)
    : wrap_(wrap),
      min_{std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()},
      max_{-std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()} {
  const double begin = polygon.front().front()[0];
  for (const Ring& ring : polygon) {
    // The longitudes of a hole may differ from those of its outline by a whole turn.
    const double shift =
        wrap == Wrap::longitude ? 360 * std::round((begin - ring.front()[0]) / 360) : 0;
    for (std::size_t n = 1; n < ring.size(); ++n) {
      const Edge edge{{ring[n - 1][0] + shift, ring[n - 1][1]}, {ring[n][0] + shift, ring[n][1]}};
      edges_.push_back(edge);
      for (const std::size_t axis : {0, 1}) {
        min_[axis] = std::min({min_[axis], edge.from[axis], edge.to[axis]});
        max_[axis] = std::max({max_[axis], edge.from[axis], edge.to[axis]});
      }
    }
  }
  bands_.resize(std::clamp<std::size_t>(edges_.size() / edges_per_band, 1, max_bands));
  for (std::size_t n = 0; n < edges_.size(); ++n) {
    const auto [low, high] = std::minmax(edges_[n].from[1], edges_[n].to[1]);
    for (std::size_t band = band_of(low); band <= band_of(high); ++band) {
      bands_[band].push_back(static_cast<std::uint32_t>(n));
    }
  }
}

std::size_t PolygonInterior::band_of(double second) const {
  const double share = (second - min_[1]) / (max_[1] - min_[1]);
  if (!(share > 0)) return 0;  // also for a polygon without height
  return std::min(bands_.size() - 1,
                  static_cast<std::size_t>(share * static_cast<double>(bands_.size())));
}

bool PolygonInterior::has_odd_crossings(double first, double second) const {
  bool inside = false;
  for (const std::uint32_t n : bands_[band_of(second)]) {
    const auto& [from, to] = edges_[n];
    if ((from[1] > second) == (to[1] > second)) continue;
    const double crossing = from[0] + (second - from[1]) / (to[1] - from[1]) * (to[0] - from[0]);
    if (first < crossing) inside = !inside;
  }
  return inside;
}

bool PolygonInterior::holds(const Vertex& point) const {
  const auto [first, second] = point;
  if (!(second >= min_[1] && second <= max_[1])) return false;
  if (wrap_ == Wrap::none) {
    return first >= min_[0] && first <= max_[0] && has_odd_crossings(first, second);
  }
  // Tests the point's longitude plus every number of whole turns that lies in the polygon's range.
  bool inside = false;
  for (double turned = first + 360 * std::ceil((min_[0] - first) / 360); turned <= max_[0];
       turned += 360) {
    inside = inside != has_odd_crossings(turned, second);
  }
  return inside;
}

std::string describe_unclear(const Ring& ring) {
  constexpr double near = 90;
  for (std::size_t n = 1; n < ring.size(); ++n) {
    const double from = ring[n - 1][0];
    const double to = ring[n][0];
    const double longitudes_apart = std::abs(std::remainder(to - from, 360.0));
    const bool is_long = std::abs(to - from) >= 180;
    if (is_long && !is_along_pole(ring[n - 1], ring[n]) &&
        (longitudes_apart > near || longitudes_apart == 0)) {
      return fmt::format(
          "an edge from {} to {} degrees east, and which way round the globe is not clear; add "
          "vertices between",
          from, to);
    }
  }
  if (has_whole_turn(ring) || is_closed(short_ring(ring))) return {};
  return "a ring that goes round a pole, and which side of it is meant is not clear; write it from "
         "-180 to 180 degrees east and back along the pole, e.g. [-180, 60], [180, 60], [180, 90], "
         "[-180, 90], with vertices between";
}

Ring continuous_ring(const Ring& ring, RingRole role) {
  const Ring continuous = short_ring(ring);
  const double sign = role == RingRole::outline ? 1 : -1;
  const bool is_as_written =
      has_whole_turn(ring) || (sign * area_of(continuous) <= 0 && sign * area_of(ring) > 0);
  return is_as_written && find_crossing({ring}).empty() ? ring : continuous;
}

std::string describe_across_180(const std::vector<Polygon>& polygons) {
  constexpr double globe = 359.999;  // a ring around the globe has no definite seam
  std::size_t count = 0;
  std::string first;
  for (const Polygon& polygon : polygons) {
    const auto [west, east] =
        std::minmax_element(polygon.front().begin(), polygon.front().end(),
                            [](const Vertex& a, const Vertex& b) { return a[0] < b[0]; });
    const double begin = std::remainder((*west)[0], 360.0);
    const double width = (*east)[0] - (*west)[0];
    if (begin + width <= 180 || begin >= 180 || width >= globe) continue;
    if (++count > 1) continue;
    first = fmt::format("{:.10g} degrees east over 180 to {:.10g}, {:.10g} wide", begin,
                        begin + width - 360, width);
  }
  if (count == 0) return {};
  return fmt::format(
      "{} of {} polygons {} across 180 degrees east, {} from {}; to mean the other longitudes, "
      "write the outline counterclockwise within -180 to 180",
      count, polygons.size(), count == 1 ? "goes" : "go", count == 1 ? "read as" : "the first",
      first);
}

std::size_t find_outer_hole(const Polygon& polygon, Wrap wrap) {
  if (polygon.empty()) return 0;
  const PolygonInterior outline({polygon.front()}, wrap);
  for (std::size_t n = 1; n < polygon.size(); ++n) {
    const Ring& hole = polygon[n];  // may share vertices with the outline
    if (std::none_of(hole.begin(), hole.end(), [&](const Vertex& v) { return outline.holds(v); }))
      return n;
  }
  return 0;
}

std::string find_crossing(const Polygon& polygon) {
  std::vector<SortedEdge> edges;
  for (const Ring& ring : polygon) {
    for (std::size_t n = 1; n < ring.size(); ++n) edges.push_back({ring[n - 1], ring[n]});
  }
  std::sort(edges.begin(), edges.end(),
            [](const SortedEdge& a, const SortedEdge& b) { return a.west() < b.west(); });
  for (std::size_t a = 0; a < edges.size(); ++a) {
    for (std::size_t b = a + 1; b < edges.size() && edges[b].west() <= edges[a].east(); ++b) {
      if (!cross(edges[a], edges[b])) continue;
      return fmt::format("[{}, {}] to [{}, {}] and [{}, {}] to [{}, {}]", edges[a].from[0],
                         edges[a].from[1], edges[a].to[0], edges[a].to[1], edges[b].from[0],
                         edges[b].from[1], edges[b].to[0], edges[b].to[1]);
    }
  }
  return {};
}

std::string describe_contradiction(const Polygon& polygon, Wrap wrap) {
  const std::string crossing = find_crossing(polygon);
  if (!crossing.empty()) {
    return fmt::format(
        "a polygon whose edges {} cross, so that its inside is not clear; give its vertices in the "
        "order of its outline",
        crossing);
  }
  if (const std::size_t hole = find_outer_hole(polygon, wrap)) {
    return fmt::format(
        "a polygon whose hole {} lies outside of its outline; the first ring is the outline, and "
        "write further outlines as separate polygons",
        hole);
  }
  return {};
}

}  // namespace tidewise

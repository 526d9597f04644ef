#include "planner/score/track_outcome.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "base/error.h"
#include "env/units/angle.h"
#include "learning/track/table/clock.h"
#include "learning/track/table/position_numbers.h"
#include "learning/track/track_tables.h"
#include "planner/error/codes.h"

namespace tidewise {
namespace {

constexpr double earth_radius = 6371000;  // [m]
constexpr double near_start = 5000;       // [m]
constexpr double max_speed = 3;           // [m s-1] over the ground
constexpr double max_gap = 0.25;          // share of the mission
constexpr double infinity = std::numeric_limits<double>::infinity();

/// Returns a point on the plane that touches the globe at `origin`, east and north [m]: accurate to
/// 1 % within 500 km.
PlanePoint on_plane(const GeographicPoint& origin, const GeographicPoint& point) {
  const double scale = earth_radius * radians_per_degree;
  return {scale * std::cos(origin.latitude * radians_per_degree) *
              std::remainder(point.longitude - origin.longitude, 360),
          scale * (point.latitude - origin.latitude)};
}

double distance(const GeographicPoint& from, const GeographicPoint& to) {
  const PlanePoint difference = on_plane(from, to);
  return std::hypot(difference.x, difference.y);
}

GeographicPoint between(const GeographicPoint& a, const GeographicPoint& b, double share) {
  return {a.longitude + share * std::remainder(b.longitude - a.longitude, 360),
          a.latitude + share * (b.latitude - a.latitude)};
}

/// Returns the share of the line from a to b at its first point within the radius of the origin;
/// infinity if there is none.
double entry_into_disc(PlanePoint a, PlanePoint b, double radius) {
  const double outside = a.x * a.x + a.y * a.y - radius * radius;
  if (outside <= 0) return 0;
  const double dx = b.x - a.x;
  const double dy = b.y - a.y;
  const double square = dx * dx + dy * dy;
  const double along = a.x * dx + a.y * dy;
  const double root = along * along - square * outside;
  if (!(square > 0) || root < 0) return infinity;
  const double share = (-along - std::sqrt(root)) / square;
  return share >= 0 && share <= 1 ? share : infinity;
}

/// Returns the entry into a polygon, by even and odd crossings; a is the origin of its vertices.
double entry_into_polygon(PlanePoint b, const std::vector<std::vector<PlanePoint>>& rings) {
  bool inside = false;
  double first = infinity;
  for (const auto& ring : rings) {
    for (std::size_t n = 1; n < ring.size(); ++n) {
      const PlanePoint p = ring[n - 1];
      const PlanePoint q = ring[n];
      if ((p.y > 0) != (q.y > 0) && p.x - p.y * (q.x - p.x) / (q.y - p.y) > 0) inside = !inside;
      const double cross = b.x * (q.y - p.y) - b.y * (q.x - p.x);
      if (cross == 0) continue;
      const double share = (p.x * (q.y - p.y) - p.y * (q.x - p.x)) / cross;
      const double on_edge = (p.x * b.y - p.y * b.x) / cross;
      if (share >= 0 && share <= 1 && on_edge >= 0 && on_edge <= 1) first = std::min(first, share);
    }
  }
  return inside ? 0 : first;
}

/// Returns the share of the line from a to b at its first point in the target; infinity if there is
/// none.
double entry_into(const GlobeTarget& target, const GeographicPoint& a, const GeographicPoint& b) {
  double first = infinity;
  for (const GeographicPoint& point : target.points) {
    first = std::min(first, entry_into_disc(on_plane(point, a), on_plane(point, b), target.radius));
  }
  for (const Polygon& polygon : target.polygons) {
    std::vector<std::vector<PlanePoint>> rings;
    for (const Ring& ring : polygon) {
      auto& vertices = rings.emplace_back();
      for (const Vertex& vertex : ring) vertices.push_back(on_plane(a, {vertex[0], vertex[1]}));
    }
    first = std::min(first, entry_into_polygon(on_plane(a, b), rings));
  }
  return first;
}

class TrackReader {
 public:
  TrackReader(const Prediction& prediction, const GlobeTrack& track)
      : prediction_(prediction), track_(track) {}

  TrackOutcome outcome() const {
    const double departure = prediction_.departure;
    if (track_.back().time <= departure) return {{}, "no fix after the departure"};
    const double allowed_gap = max_gap * (prediction_.deadline - departure);
    const auto next = fix_after(departure);
    if (next == track_.begin() && next->time - departure > allowed_gap) {
      return {{}, "the track begins too late"};
    }
    if (std::isfinite(prediction_.start.latitude)) {
      double wait = next->time - departure;
      if (next != track_.begin()) wait = std::min(wait, departure - std::prev(next)->time);
      if (distance(prediction_.start, place(departure)) > near_start + max_speed * wait) {
        return {{}, "the track is elsewhere at the departure"};
      }
    }
    PredictionOutcome result;
    const double arrival = prediction_.targets.empty() ? infinity : find_arrival();
    const double end = std::min(arrival, prediction_.deadline);
    if (arrival <= prediction_.deadline) result.arrived = arrival - departure;
    if (!prediction_.targets.empty()) {
      if (track_.back().time < end) return {{}, "the track ends before"};
      if (longest_gap(departure, end) > allowed_gap) return {{}, "the track has a gap"};
    }
    result.surfaced = surfaced();
    if (prediction_.targets.empty() && !result.surfaced) return {{}, "no fix near the surfacing"};
    return {result, {}};
  }

 private:
  /// Returns the first fix after `time`, or the last fix if there is none.
  GlobeTrack::const_iterator fix_after(double time) const {
    const auto next =
        std::upper_bound(track_.begin(), track_.end(), time,
                         [](double value, const GlobeFix& fix) { return value < fix.time; });
    return next == track_.end() ? std::prev(next) : next;
  }

  /// Returns the position on the line between two fixes; outside the track that of its first or
  /// last fix.
  GeographicPoint place(double time) const {
    const auto next = fix_after(time);
    if (next == track_.begin() || time >= next->time) return next->at;
    const auto last = std::prev(next);
    return between(last->at, next->at, (time - last->time) / (next->time - last->time));
  }

  /// Returns the arrival [s since 1970]; infinity if the track does not arrive.
  double find_arrival() const {
    double time = prediction_.departure;
    for (const GlobeTarget& target : prediction_.targets) {
      time = find_entry(target, time);
      if (!std::isfinite(time)) return infinity;
    }
    return time;
  }

  double find_entry(const GlobeTarget& target, double from) const {
    double begin = std::max(from, track_.front().time);
    GeographicPoint at = place(begin);
    for (auto next = fix_after(begin); next != track_.end(); ++next) {
      const double share = entry_into(target, at, next->at);
      if (share <= 1) return begin + share * (next->time - begin);
      begin = next->time;
      at = next->at;
    }
    return infinity;
  }

  double longest_gap(double from, double until) const {
    double longest = 0;
    for (std::size_t n = 1; n < track_.size(); ++n) {
      const double a = track_[n - 1].time;
      const double b = track_[n].time;
      if (b > from && a < until) longest = std::max(longest, b - a);
    }
    return longest;
  }

  std::optional<std::array<bool, 2>> surfaced() const {
    if (!prediction_.surfacing) return std::nullopt;
    const PredictedSurfacing& predicted = *prediction_.surfacing;
    double nearest = infinity;
    for (const GlobeFix& fix : track_)
      nearest = std::min(nearest, std::abs(fix.time - predicted.time));
    if (nearest > max_gap * (predicted.time - prediction_.departure)) return std::nullopt;
    if (predicted.time < track_.front().time || predicted.time > track_.back().time)
      return std::nullopt;
    const PlanePoint point = on_plane(predicted.centre, place(predicted.time));
    const double angle = predicted.bearing * radians_per_degree;
    const double along = point.x * std::sin(angle) + point.y * std::cos(angle);
    const double across = point.x * std::cos(angle) - point.y * std::sin(angle);
    std::array<bool, 2> is_inside{};
    for (std::size_t n = 0; n < is_inside.size(); ++n) {
      const auto [major, minor] = predicted.semi_axes[n];
      is_inside[n] = std::hypot(along / major, across / minor) <= 1;
    }
    return is_inside;
  }

  const Prediction& prediction_;
  const GlobeTrack& track_;
};

GlobeTrack fixes_of(const TrackTable& table) {
  const TrackColumns columns = find_track_columns(table, TrackNorth::true_north, {});
  const TrackClock clock;
  const auto column = [&](TrackRole role) -> const TrackColumn& {
    if (!columns.has(role)) throw input_error(errors::score_track_columns, table.path.string());
    return table.columns[*columns[role]];
  };
  const TrackColumn& time = column(TrackRole::time);
  const TrackColumn& longitude = column(TrackRole::longitude);
  const TrackColumn& latitude = column(TrackRole::latitude);
  GlobeTrack track;
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    const auto fix_time = clock.time(table, time, row);
    const auto lon = number_at(table, longitude, row);
    const auto lat = number_at(table, latitude, row);
    if (!fix_time || !lon || !lat) continue;
    if (is_fill_degrees(*lon, 360) || is_fill_degrees(*lat, 90)) continue;
    if (std::abs(*lat) > 90) refuse_row(table, row, error_text(errors::score_latitude, *lat));
    track.push_back({*fix_time, {*lon, *lat}});
  }
  std::stable_sort(track.begin(), track.end(),
                   [](const GlobeFix& a, const GlobeFix& b) { return a.time < b.time; });
  const auto last =
      std::unique(track.begin(), track.end(),
                  [](const GlobeFix& a, const GlobeFix& b) { return a.time == b.time; });
  track.erase(last, track.end());
  if (track.size() < 2) throw input_error(errors::score_track_empty, table.path.string());
  return track;
}

}  // namespace

std::vector<GlobeTrack> read_globe_tracks(const std::filesystem::path& path) {
  TrackOptions options;
  options.drifter = true;  // reads the tracks of all vehicles
  std::vector<GlobeTrack> tracks;
  for (const TrackTable& table : read_track_tables(path, TrackNorth::true_north, options)) {
    tracks.push_back(fixes_of(table));
  }
  return tracks;
}

TrackOutcome outcome_of(const Prediction& prediction, const GlobeTrack& track) {
  return TrackReader(prediction, track).outcome();
}

}  // namespace tidewise

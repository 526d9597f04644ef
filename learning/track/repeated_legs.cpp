#include "learning/track/repeated_legs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <tuple>

namespace tidewise {
namespace {

double distance(PlanePoint a, PlanePoint b) { return std::hypot(a.x - b.x, a.y - b.y); }

double duration(const TrackLeg& leg) { return leg.times.back() - leg.times.front(); }

/// The position on a leg at a time between its first and its last.
PlanePoint place_at(const TrackLeg& leg, double time) {
  std::size_t n = 1;
  while (n + 1 < leg.times.size() && leg.times[n] < time) ++n;
  const double along = (time - leg.times[n - 1]) / (leg.times[n] - leg.times[n - 1]);
  const PlanePoint& from = leg.points[n - 1];
  const PlanePoint& to = leg.points[n];
  return {from.x + along * (to.x - from.x), from.y + along * (to.y - from.y)};
}

/// The position on a track at a time; nullopt if no leg covers it. Legs are in order of time.
std::optional<PlanePoint> place_at(const std::vector<ObservedLeg>& legs, double time) {
  const auto leg = std::lower_bound(
      legs.begin(), legs.end(), time,
      [](const ObservedLeg& candidate, double when) { return candidate.leg.times.back() < when; });
  if (leg == legs.end() || leg->leg.times.front() > time) return std::nullopt;
  return place_at(leg->leg, time);
}

/// True if a leg, in the period that it shares with a track, begins and ends on the track.
bool is_on_path(const TrackLeg& leg, const std::vector<ObservedLeg>& path, double near) {
  if (path.empty()) return false;
  const double begin = std::max(leg.times.front(), path.front().leg.times.front());
  const double end = std::min(leg.times.back(), path.back().leg.times.back());
  const auto is_near = [&](double time) {
    const auto other = place_at(path, time);
    return other && distance(place_at(leg, time), *other) <= near;
  };
  return begin < end && is_near(begin) && is_near(end);
}

double shared_duration(const TrackLeg& a, const TrackLeg& b) {
  return std::min(a.times.back(), b.times.back()) - std::max(a.times.front(), b.times.front());
}

/// Marks the legs that an earlier track, with the legs `other_legs`, also has, (leg).
std::vector<bool> find_repeated(const std::vector<ObservedLeg>& legs,
                                const std::vector<ObservedLeg>& other_legs, double near) {
  // If two tracks follow the same path, the one with fewer fixes cuts corners: its fixes are on the
  // other's path, but not vice versa. So both directions are tested.
  std::vector<bool> is_other_on_path;
  for (const ObservedLeg& other : other_legs) {
    is_other_on_path.push_back(is_on_path(other.leg, legs, near));
  }
  std::vector<bool> repeated;
  for (const ObservedLeg& leg : legs) {
    const bool is_on_other_path = is_on_path(leg.leg, other_legs, near);
    double shared_time = 0;
    bool has_same_current = false;
    for (std::size_t n = 0; n < other_legs.size(); ++n) {
      has_same_current = has_same_current || repeats_current(leg, other_legs[n], near);
      if (is_on_other_path || is_other_on_path[n]) {
        shared_time += std::max(0.0, shared_duration(leg.leg, other_legs[n].leg));
      }
    }
    repeated.push_back(has_same_current || shared_time > 0.5 * duration(leg.leg));
  }
  return repeated;
}

/// True if a leg has the same current around the same time as a longer one, or as one of an earlier
/// track. A data assembly centre repeats a dive's current in the files of its profiles, none of
/// which has the whole dive.
bool is_part_of(const ObservedLeg& leg, const ObservedLeg& other, bool is_earlier) {
  if (!leg.reported_u || leg.reported_u != other.reported_u || leg.reported_v != other.reported_v)
    return false;
  // True if the current has its own time and position.
  const auto is_at_point = [](const ObservedLeg& point_leg) {
    return distance(point_leg.leg.points.front(), point_leg.leg.points.back()) == 0;
  };
  if (!is_at_point(leg) || !is_at_point(other)) return false;
  const auto middle = [](const ObservedLeg& point_leg) {
    return 0.5 * (point_leg.leg.times.front() + point_leg.leg.times.back());
  };
  constexpr double rounding = 1e-3;  // [s or steps]
  if (std::abs(middle(leg) - middle(other)) > rounding) return false;
  const double longer = duration(other.leg) - duration(leg.leg);
  return longer > rounding || (longer > -rounding && is_earlier);
}

std::vector<bool> find_parts(const std::vector<ObservedTrack>& tracks, std::size_t n) {
  std::vector<bool> parts(tracks[n].legs.size(), false);
  for (std::size_t leg = 0; leg < parts.size(); ++leg) {
    for (std::size_t m = 0; m < tracks.size() && !parts[leg]; ++m) {
      const auto& other_legs = tracks[m].legs;
      parts[leg] =
          m != n && std::any_of(other_legs.begin(), other_legs.end(), [&](const auto& other) {
            return is_part_of(tracks[n].legs[leg], other, m < n);
          });
    }
  }
  return parts;
}

/// Replaces the file's current by the flow in the plane, which is all that a record has, so that
/// both can be compared.
void use_flow_in_plane(ObservedLeg& leg) {
  leg.reported_u = leg.u;
  leg.reported_v = leg.v;
}

/// True if one of `other_legs` lies within `side` of a leg, for more than half of the leg's time.
bool is_in_boxes(const ObservedLeg& leg, const std::vector<ObservedLeg>& other_legs, double side) {
  return std::any_of(other_legs.begin(), other_legs.end(), [&](const ObservedLeg& other) {
    return shared_duration(leg.leg, other.leg) > 0.5 * duration(leg.leg) &&
           distance(leg.leg.points.front(), other.leg.points.front()) < side;
  });
}

void remove_marked(const std::vector<bool>& left_out, std::vector<ObservedLeg>& legs) {
  std::vector<ObservedLeg> remaining;
  for (std::size_t leg = 0; leg < legs.size(); ++leg) {
    if (!left_out[leg]) remaining.push_back(std::move(legs[leg]));
  }
  legs = std::move(remaining);
}

/// True if the files identify different vehicles, however close to each other.
bool are_different_vehicles(const ObservedTrack& a, const ObservedTrack& b) {
  return !a.identity.empty() && !b.identity.empty() && a.identity != b.identity;
}

/// Leaves out legs whose current another file has with a longer period.
void leave_out_parts(std::vector<ObservedTrack>& tracks) {
  std::vector<std::vector<bool>> parts;
  for (std::size_t n = 0; n < tracks.size(); ++n) parts.push_back(find_parts(tracks, n));
  for (std::size_t n = 0; n < tracks.size(); ++n) {
    const auto count = std::count(parts[n].begin(), parts[n].end(), true);
    if (count == 0) continue;
    remove_marked(parts[n], tracks[n].legs);
    tracks[n].notes.push_back(
        fmt::format("{} of another file that covers more of the dive, and counts once",
                    count == 1 ? "its current is that" : "its currents are those"));
  }
}

}  // namespace

bool repeats_current(const ObservedLeg& a, const ObservedLeg& b, double near) {
  if (!a.reported_u || a.reported_u != b.reported_u || a.reported_v != b.reported_v) return false;
  if (-shared_duration(a.leg, b.leg) > std::max(duration(a.leg), duration(b.leg))) return false;
  const auto& [first, second] =
      a.leg.times.front() <= b.leg.times.front() ? std::tie(a, b) : std::tie(b, a);
  const auto length = [](const TrackLeg& leg) {
    return distance(leg.points.front(), leg.points.back());
  };
  return distance(first.leg.points.back(), second.leg.points.front()) <=
         std::max(length(a.leg), length(b.leg)) + near;
}

void leave_out_repeated_legs(std::vector<ObservedTrack>& tracks, const Grid& grid) {
  const double near = 0.25 * std::min(grid.dx, grid.dy);
  leave_out_parts(tracks);
  const std::vector<ObservedTrack> original = tracks;
  for (std::size_t n = 1; n < tracks.size(); ++n) {
    std::vector<bool> is_known(original[n].legs.size(), false);
    for (std::size_t m = 0; m < n; ++m) {
      if (are_different_vehicles(original[n], original[m])) continue;
      const std::vector<bool> repeated = find_repeated(original[n].legs, original[m].legs, near);
      std::ptrdiff_t count = 0;
      for (std::size_t leg = 0; leg < repeated.size(); ++leg) {
        count += repeated[leg] && !is_known[leg] ? 1 : 0;
        is_known[leg] = is_known[leg] || repeated[leg];
      }
      if (count == 0) continue;
      tracks[n].notes.push_back(fmt::format("{} {} in {} too, and count once", count,
                                            count == 1 ? "leg is" : "legs are",
                                            tracks[m].path.string()));
    }
    remove_marked(is_known, tracks[n].legs);
  }
}

std::vector<bool> find_learned(const ObservedTrack& track, const std::vector<ObservedTrack>& record,
                               const Grid& grid) {
  const double near = 0.25 * std::min(grid.dx, grid.dy);
  const double box_side = 4 * std::max(grid.dx, grid.dy);
  std::vector<ObservedLeg> legs = track.legs;
  for (ObservedLeg& leg : legs) {
    if (leg.reported_u) use_flow_in_plane(leg);
  }
  std::vector<bool> learned(legs.size(), false);
  for (const ObservedTrack& earlier : record) {
    if (earlier.by != track.by) continue;
    std::vector<ObservedLeg> other_legs = earlier.legs;
    std::vector<bool> repeated;
    if (track.by == ObservedBy::radar) {
      for (const ObservedLeg& leg : legs)
        repeated.push_back(is_in_boxes(leg, other_legs, box_side));
    } else {
      for (ObservedLeg& other : other_legs) use_flow_in_plane(other);
      repeated = find_repeated(legs, other_legs, near);
    }
    for (std::size_t n = 0; n < legs.size(); ++n) learned[n] = learned[n] || repeated[n];
  }
  return learned;
}

}  // namespace tidewise

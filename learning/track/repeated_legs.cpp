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

/// Where a leg was at a time between its first and its last.
PlanePoint place_at(const TrackLeg& leg, double time) {
  std::size_t n = 1;
  while (n + 1 < leg.times.size() && leg.times[n] < time) ++n;
  const double along = (time - leg.times[n - 1]) / (leg.times[n] - leg.times[n - 1]);
  const PlanePoint& from = leg.points[n - 1];
  const PlanePoint& to = leg.points[n];
  return {from.x + along * (to.x - from.x), from.y + along * (to.y - from.y)};
}

/// Where a track was, as far as its legs say so; they are by time.
std::optional<PlanePoint> place_at(const std::vector<ObservedLeg>& legs, double time) {
  const auto leg = std::lower_bound(
      legs.begin(), legs.end(), time,
      [](const ObservedLeg& one, double when) { return one.leg.times.back() < when; });
  if (leg == legs.end() || leg->leg.times.front() > time) return std::nullopt;
  return place_at(leg->leg, time);
}

/// Whether a leg, as far as a track goes on with it, begins and ends where that was.
bool is_on_way(const TrackLeg& leg, const std::vector<ObservedLeg>& way, double near) {
  if (way.empty()) return false;
  const double begin = std::max(leg.times.front(), way.front().leg.times.front());
  const double end = std::min(leg.times.back(), way.back().leg.times.back());
  const auto is_near = [&](double time) {
    const auto there = place_at(way, time);
    return there && distance(place_at(leg, time), *there) <= near;
  };
  return begin < end && is_near(begin) && is_near(end);
}

double time_together(const TrackLeg& a, const TrackLeg& b) {
  return std::min(a.times.back(), b.times.back()) - std::max(a.times.front(), b.times.front());
}

/// Which legs of `legs` an earlier track, of `others`, has too.
std::vector<bool> find_repeated(const std::vector<ObservedLeg>& legs,
                                const std::vector<ObservedLeg>& others, double near) {
  // Of two tracks of one way the one of fewer fixes cuts corners: its fixes are on the other's way,
  // and not the other way round.
  std::vector<bool> is_other_on_way;
  for (const ObservedLeg& other : others) {
    is_other_on_way.push_back(is_on_way(other.leg, legs, near));
  }
  std::vector<bool> repeated;
  for (const ObservedLeg& leg : legs) {
    const bool is_on_theirs = is_on_way(leg.leg, others, near);
    double together = 0;
    bool repeats = false;
    for (std::size_t n = 0; n < others.size(); ++n) {
      repeats = repeats || repeats_current(leg, others[n], near);
      if (is_on_theirs || is_other_on_way[n]) {
        together += std::max(0.0, time_together(leg.leg, others[n].leg));
      }
    }
    repeated.push_back(repeats || together > 0.5 * duration(leg.leg));
  }
  return repeated;
}

}  // namespace

bool repeats_current(const ObservedLeg& a, const ObservedLeg& b, double near) {
  if (!a.told_u || a.told_u != b.told_u || a.told_v != b.told_v) return false;
  if (-time_together(a.leg, b.leg) > std::max(duration(a.leg), duration(b.leg))) return false;
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
  const std::vector<ObservedTrack> whole = tracks;
  for (std::size_t n = 1; n < tracks.size(); ++n) {
    std::vector<bool> is_known(whole[n].legs.size(), false);
    for (std::size_t m = 0; m < n; ++m) {
      const std::vector<bool> repeated = find_repeated(whole[n].legs, whole[m].legs, near);
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
    tracks[n].legs.clear();
    for (std::size_t leg = 0; leg < is_known.size(); ++leg) {
      if (!is_known[leg]) tracks[n].legs.push_back(whole[n].legs[leg]);
    }
  }
}

}  // namespace tidewise

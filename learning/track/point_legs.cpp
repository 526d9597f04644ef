#include "learning/track/point_legs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "learning/error/codes.h"
#include "learning/track/leg_errors.h"

namespace tidewise {
namespace {

class PointLegs {
 public:
  PointLegs(TrackRows& rows, TrackFixes& points, ObservedTrack& track)
      : rows_(rows),
        track_fixes_(points),
        fixes_(points.all()),
        table_(rows.table()),
        track_(track) {}

  void read() {
    const auto reach_of_time =
        rows_.options().averaged_over ? std::map<double, double>() : reaches();
    const auto half_duration = [&](const TrackFix& fix) {
      if (!table_.averaged_over.empty()) return 0.5 * table_.averaged_over[fix.row];
      if (rows_.options().averaged_over) return 0.5 * *rows_.options().averaged_over;
      const auto entry = reach_of_time.find(fix.time);
      if (entry == reach_of_time.end() || entry->second <= 0) refuse_unknown_duration();
      return entry->second;
    };
    const auto depth = depths();
    std::set<double> known_times;
    std::optional<TrackFix> last;
    for (std::size_t row = 0; row < table_.rows.size(); ++row) {
      if (const auto row_fix = track_fixes_.of_row(row);
          row_fix && (!last || row_fix->time >= last->time)) {
        last = row_fix;
      }
      const auto time = rows_.clock().time(table_, rows_.column(TrackRole::current_time), row);
      const auto point =
          rows_.globe_point(TrackRole::current_longitude, TrackRole::current_latitude, row);
      if (!time || !point || !rows_.number(TrackRole::u, row) || !rows_.number(TrackRole::v, row)) {
        continue;
      }
      if (!table_.at_many_places && !known_times.insert(*time).second) continue;
      ++track_.fixes;
      const auto at = rows_.in_plane(*point);
      TrackFix fix{.row = row,
                   .time = *time,
                   .at = at.value_or(PlanePoint{}),
                   .inside = at.has_value(),
                   .dive = rows_.number(TrackRole::dive, row),
                   .depth = depth.at(*time),
                   .profile = rows_.profile_at(row)};
      if (at) fix.current = rows_.current_at_row(row, *at);
      track_fixes_.add(fix, *point);
    }
    if (fixes_.empty()) {
      rows_.refuse_table(error_text(errors::track_currents_missing));
    }
    rows_.take_places_of_currents();
    track_fixes_.require_some_inside();
    if (!table_.at_many_places) track_fixes_.put_in_order();
    const TrackFix& end = fixes_.back();
    track_.last = {end.time + half_duration(end), end.at, table_.rows[end.row], end.inside};
    if (last && last->time > fixes_.back().time) {  // the vehicle's own last position
      track_.last = {last->time, last->at, table_.rows[last->row], last->inside};
    }
    const LegErrors errors(rows_, 0);
    double longest = 0;
    for (const TrackFix& fix : fixes_) {
      if (!fix.inside) continue;
      const double half = half_duration(fix);
      longest = std::max(longest, 2 * half);
      ObservedLeg leg;
      leg.leg = {{fix.at, fix.at}, {fix.time - half, fix.time + half}};
      leg.row = table_.rows[fix.row];
      leg.dive = fix.dive;
      leg.depth = fix.depth;
      leg.profile = fix.profile;
      leg.u = fix.current->flow.x;
      leg.v = fix.current->flow.y;
      leg.reported_u = fix.current->in_file.x;
      leg.reported_v = fix.current->in_file.y;
      const PlaneVector error = errors.of(fix.current->error, 2 * half, false);
      leg.error_u = error.x;
      leg.error_v = error.y;
      track_.legs.push_back(leg);
    }
    track_.kind = "the currents that it names, each around its own time and place";
    if (!rows_.options().averaged_over) {
      track_.kind +=
          fmt::format(", over {:.3g}{}{} by its rows", rows_.is_metric() ? longest / 3600 : longest,
                      rows_.is_metric() ? " h" : "", track_.legs.size() > 1 ? " at most" : "");
    }
  }

 private:
  /// The greatest distance in time of the rows of each current from its time [s or 1], by that
  /// time. Rows before the one with the time belong to the same current.
  std::map<double, double> reaches() const {
    std::map<double, double> reaches;
    std::vector<double> pending;
    for (std::size_t row = 0; row < table_.rows.size(); ++row) {
      if (rows_.has(TrackRole::time)) {
        if (const auto time = rows_.time_of(row)) pending.push_back(*time);
      }
      const auto middle = rows_.clock().time(table_, rows_.column(TrackRole::current_time), row);
      if (!middle) continue;
      double& reach = reaches[*middle];
      for (const double time : pending) reach = std::max(reach, std::abs(time - *middle));
      pending.clear();
    }
    return reaches;
  }

  /// The greatest depth of the rows of each current [m], by its time. Rows before the one with the
  /// time belong to the same current.
  std::map<double, std::optional<double>> depths() const {
    std::map<double, std::optional<double>> depths;
    std::optional<double> pending;
    for (std::size_t row = 0; row < table_.rows.size(); ++row) {
      pending = std::max(pending, rows_.depth_at(row));
      const auto middle = rows_.clock().time(table_, rows_.column(TrackRole::current_time), row);
      if (!middle) continue;
      std::optional<double>& deepest = depths[*middle];
      deepest = std::max(deepest, std::exchange(pending, std::nullopt));
    }
    return depths;
  }

  [[noreturn]] void refuse_unknown_duration() const {
    rows_.refuse_table(error_text(errors::track_current_duration_unknown,
                                  rows_.column(TrackRole::current_time).name));
  }

  TrackRows& rows_;
  TrackFixes& track_fixes_;
  const std::vector<TrackFix>& fixes_;
  const TrackTable& table_;
  ObservedTrack& track_;
};

}  // namespace

void make_legs_of_points(TrackRows& rows, TrackFixes& points, ObservedTrack& track) {
  PointLegs(rows, points, track).read();
}

}  // namespace tidewise

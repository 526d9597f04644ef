#include "learning/track/fix_legs.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "env/units/text.h"
#include "learning/track/leg_errors.h"
#include "learning/track/repeated_legs.h"

namespace tidewise {
namespace {

class FixLegs {
 public:
  FixLegs(const TrackRows& rows, TrackFixes& fixes, ObservedTrack& track)
      : rows_(rows),
        track_fixes_(fixes),
        fixes_(fixes.all()),
        table_(rows.table()),
        track_(track) {}

  void make() {
    const FlowFrom from = rows_.flow_from();
    if (from == FlowFrom::currents && !table_.currents_end_dives) {
      keep_first_reports();
      give_currents_to_dives();
    }
    const TrackFix& last = fixes_.back();
    track_.last = {last.time, last.at, table_.rows[last.row], last.inside};
    const std::size_t rounded = from == FlowFrom::drift ? track_fixes_.remove_rounded_repeats() : 0;
    std::size_t repeated = 0;
    std::size_t first_repeated = 0;  // row
    std::size_t unknown = 0;
    std::vector<std::string> unknown_dives;
    std::vector<std::size_t> impossible;  // rows
    for (std::size_t n = 1; n < fixes_.size(); ++n) {
      const TrackFix& begin = fixes_[n - 1];
      const TrackFix& end = fixes_[n];
      if (!begin.inside || !end.inside) continue;
      const double duration = end.time - begin.time;
      const PlaneVector over_ground{(end.at.x - begin.at.x) / duration,
                                    (end.at.y - begin.at.y) / duration};
      const bool by_file = from == FlowFrom::currents && end.current;
      auto flow = flow_between(begin, end, over_ground, from);
      const bool is_repeated = flow && !by_file && (begin.repeats || end.repeats);
      if (is_repeated) flow.reset();
      ObservedLeg leg;
      leg.leg = {{begin.at, end.at}, {begin.time, end.time}};
      leg.row = table_.rows[end.row];
      leg.dive = end.dive;
      leg.depth = end.depth;
      // The velocity through the water at a fix applies to the leg after it.
      const bool is_steered =
          !by_file && !end.dead_reckoned && begin.water_velocity && from != FlowFrom::drift;
      leg.profile = (is_steered ? begin : end).profile;
      leg.u = flow.value_or(over_ground).x;
      leg.v = flow.value_or(over_ground).y;
      leg.own_u = over_ground.x - leg.u;
      leg.own_v = over_ground.y - leg.v;
      if (by_file) {
        leg.reported_u = end.current->in_file.x;
        leg.reported_v = end.current->in_file.y;
      }
      const PlaneVector stated_error = by_file ? end.current->error : PlaneVector{};
      const auto set_errors = [&](bool by_fixes) {
        const PlaneVector error = errors().of(stated_error, duration, by_fixes);
        leg.error_u = error.x;
        leg.error_v = error.y;
      };
      if (from != FlowFrom::drift)
        leg.commanded = commanded_between(begin, end, by_file, stated_error);
      if (n + 1 == fixes_.size()) {
        set_errors(true);
        track_.last.leg = leg;
        track_.last.flow_is_known = flow.has_value();
      }
      set_errors(!by_file);
      const double vehicle_speed = std::hypot(leg.own_u, leg.own_v);
      const double current_speed = std::hypot(leg.u, leg.v);
      // On a leg with unknown flow, u and v are the whole motion made good.
      const double max = flow ? fastest_current : fastest_current + fastest_vehicle;
      const bool is_possible =
          !rows_.is_metric() ||
          (current_speed <= max && (!by_file || vehicle_speed <= fastest_vehicle));
      if (n + 1 == fixes_.size()) track_.last.is_reachable = is_possible;
      if (is_repeated) {
        if (repeated++ == 0) first_repeated = leg.row;
      } else if (!flow) {
        // In a file with dive numbers, legs without one are at the surface.
        if (end.dive) unknown_dives.push_back(fmt::format("{:.10g}", *end.dive));
        if (!rows_.has(TrackRole::dive)) ++unknown;
      } else if (!is_possible) {
        impossible.push_back(leg.row);
      } else {
        track_.legs.push_back(leg);
      }
    }
    if (!impossible.empty()) {
      track_.notes.push_back(
          fmt::format("{} of {} legs need a current of more than {} m/s, or a vehicle of more "
                      "than {}, and are left out, the first one to {} {}: a fix or its time is "
                      "wrong",
                      impossible.size(), fixes_.size() - 1, fastest_current, fastest_vehicle,
                      table_.row_name, impossible.front()));
    }
    note_repeated_places(repeated, fixes_.size() - 1, first_repeated, rounded);
    join_repeated_currents();
    if (rows_.options().drifter) join_short_legs();
    if (!unknown_dives.empty()) {
      track_.notes.push_back(fmt::format(
          "{} {} no current, and {} left out",
          unknown_dives.size() == 1 ? "dive " + unknown_dives[0]
                                    : fmt::format("dives {}", fmt::join(unknown_dives, ", ")),
          unknown_dives.size() == 1 ? "has" : "have", unknown_dives.size() == 1 ? "was" : "were"));
    }
    if (unknown > 0 && !track_.legs.empty()) {
      track_.notes.push_back(fmt::format("{} of {} legs have no current, and were left out",
                                         unknown, fixes_.size() - 1));
    }
    constexpr const char* kinds[] = {"the currents in the file",
                                     "fixes and dead-reckoned positions",
                                     "fixes, speed and heading through the water", "drift only"};
    track_.kind = kinds[static_cast<int>(from)];
  }

 private:
  LegErrors errors() const { return {rows_, track_fixes_.position_resolution()}; }

  void note_repeated_places(std::size_t legs, std::size_t all, std::size_t first_row,
                            std::size_t rounded) {
    if (rounded > 0) {
      track_.notes.push_back(fmt::format(
          "{} the position before to the last digit ({:.3g}{}), and legs go on to the next other "
          "one",
          rounded == 1 ? "one fix repeats" : fmt::format("{} fixes repeat", rounded),
          track_fixes_.position_resolution(), rows_.is_metric() ? " m" : ""));
    }
    if (legs == 0) return;
    track_.notes.push_back(fmt::format(
        "{} of {} legs {} at a position that repeats the one before to the last digit (a GPS "
        "receiver that is stuck, or a vehicle aground), and {} left out; the first ends in {} {}{}",
        legs, all, legs == 1 ? "begins or ends" : "begin or end", legs == 1 ? "is" : "are",
        table_.row_name, first_row, fixes_.back().repeats ? "; the last fix is one of them" : ""));
  }

  /// A surfaced glider computes the dive's current after its first fix, and reports it with the
  /// second one: it is the current of the dive, not of the minutes at the surface. If later rows
  /// repeat it, it belongs to the next dive.
  void give_currents_to_dives() {
    constexpr double max_surface_share = 0.1;
    std::size_t moved = 0;
    for (std::size_t n = 2; n < fixes_.size(); ++n) {
      const double dive = fixes_[n - 1].time - fixes_[n - 2].time;
      const double at_surface = fixes_[n].time - fixes_[n - 1].time;
      const bool continues = n + 1 < fixes_.size() && fixes_[n + 1].current == fixes_[n].current;
      if (!fixes_[n].current || fixes_[n - 1].current || continues ||
          at_surface > max_surface_share * dive) {
        continue;
      }
      fixes_[n - 1].current = std::exchange(fixes_[n].current, std::nullopt);
      ++moved;
    }
    if (moved == 0) return;
    track_.notes.push_back(
        fmt::format("{} reported at the second fix after a dive, and used for the dive",
                    moved == 1 ? "one current is" : fmt::format("{} currents are", moved)));
  }

  /// A Slocum reports a dive's current after the dive; tables repeat it until the next one.
  void keep_first_reports() {
    if (!lower_case(rows_.column(TrackRole::u).name).starts_with("m_")) return;
    std::optional<NamedCurrent> last;
    for (TrackFix& fix : fixes_) {
      if (!fix.current) continue;
      if (fix.current == last) {
        fix.current.reset();
      } else {
        last = fix.current;
      }
    }
  }

  /// Tables repeat the current of a dive on every row until the next one.
  void join_repeated_currents() {
    const double near = 0.25 * std::min(rows_.info().grid.dx, rows_.info().grid.dy);
    std::size_t repeated = 0;
    std::vector<ObservedLeg> joined;
    for (ObservedLeg& leg : track_.legs) {
      if (joined.empty() || !repeats_current(joined.back(), leg, near)) {
        joined.push_back(std::move(leg));
        continue;
      }
      ObservedLeg& whole = joined.back();
      const double earlier_duration = whole.leg.times.back() - whole.leg.times.front();
      const double added_duration = leg.leg.times.back() - leg.leg.times.front();
      for (std::size_t n = 0; n < leg.leg.times.size(); ++n) {
        if (leg.leg.times[n] <= whole.leg.times.back()) continue;
        whole.leg.points.push_back(leg.leg.points[n]);
        whole.leg.times.push_back(leg.leg.times[n]);
      }
      whole.own_u = (earlier_duration * whole.own_u + added_duration * leg.own_u) /
                    (earlier_duration + added_duration);
      whole.own_v = (earlier_duration * whole.own_v + added_duration * leg.own_v) /
                    (earlier_duration + added_duration);
      whole.commanded.reset();  // it applies to a part only
      whole.row = leg.row;
      whole.depth = std::max(whole.depth, leg.depth);
      if (!whole.profile) whole.profile = leg.profile;
      ++repeated;
    }
    track_.legs = std::move(joined);
    if (repeated == 0) return;
    track_.notes.push_back(
        fmt::format("{} the current of the row before, and count once with it",
                    repeated == 1 ? "one row repeats" : fmt::format("{} rows repeat", repeated)));
  }

  /// Joins legs that are shorter than a step of the environment, keeping the drifter's path.
  void join_short_legs() {
    const std::size_t all = track_.legs.size();
    std::vector<ObservedLeg> joined;
    for (ObservedLeg& leg : track_.legs) {
      const bool continues = !joined.empty() &&
                             joined.back().leg.times.back() == leg.leg.times.front() &&
                             joined.back().leg.times.back() - joined.back().leg.times.front() <
                                 (1 - 1e-9) * rows_.info().time.step;
      if (!continues) {
        joined.push_back(std::move(leg));
        continue;
      }
      ObservedLeg& whole = joined.back();
      whole.leg.points.push_back(leg.leg.points.back());
      whole.leg.times.push_back(leg.leg.times.back());
      const double duration = whole.leg.times.back() - whole.leg.times.front();
      whole.u = (whole.leg.points.back().x - whole.leg.points.front().x) / duration;
      whole.v = (whole.leg.points.back().y - whole.leg.points.front().y) / duration;
      const PlaneVector error = errors().of({}, duration, true);
      whole.error_u = error.x;
      whole.error_v = error.y;
      whole.row = leg.row;
    }
    track_.legs = std::move(joined);
    if (track_.legs.size() == all) return;
    track_.notes.push_back(
        fmt::format("its {} legs are shorter than a step of the forecast, and are joined to {}",
                    all, track_.legs.size()));
  }

  /// The mean flow between two fixes; nullopt if neither has data on it.
  std::optional<PlaneVector> flow_between(const TrackFix& begin, const TrackFix& end,
                                          PlaneVector over_ground, FlowFrom from) const {
    // A leg without data for the most accurate method may have those for another.
    if (from == FlowFrom::drift) return over_ground;
    if (from == FlowFrom::currents && end.current) return end.current->flow;
    if (end.dead_reckoned) {
      const double duration = end.time - begin.time;
      return PlaneVector{(end.at.x - end.dead_reckoned->x) / duration,
                         (end.at.y - end.dead_reckoned->y) / duration};
    }
    if (begin.water_velocity)
      return PlaneVector{over_ground.x - begin.water_velocity->x,
                         over_ground.y - begin.water_velocity->y};
    return std::nullopt;
  }

  /// The velocity through the water between two fixes, if the file has it.
  std::optional<CommandedMotion> commanded_between(const TrackFix& begin, const TrackFix& end,
                                                   bool by_file, PlaneVector stated_error) const {
    const double duration = end.time - begin.time;
    std::optional<PlaneVector> velocity = begin.water_velocity;
    if (end.dead_reckoned) {
      velocity = {(end.dead_reckoned->x - begin.at.x) / duration,
                  (end.dead_reckoned->y - begin.at.y) / duration};
    }
    if (!velocity) return std::nullopt;
    const PlaneVector error = errors().of_motion(by_file, stated_error, duration);
    return CommandedMotion{velocity->x, velocity->y, error.x, error.y};
  }

  const TrackRows& rows_;
  TrackFixes& track_fixes_;
  std::vector<TrackFix>& fixes_;
  const TrackTable& table_;
  ObservedTrack& track_;
};

}  // namespace

void make_legs_of_fixes(const TrackRows& rows, TrackFixes& fixes, ObservedTrack& track) {
  FixLegs(rows, fixes, track).make();
}

}  // namespace tidewise

#include "learning/track/fixes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "learning/error/codes.h"
#include "learning/track/leg_errors.h"
#include "learning/track/no_leg.h"
#include "learning/track/table/position_numbers.h"

namespace tidewise {

void TrackFixes::read() {
  std::size_t incomplete = 0;
  std::optional<double> deepest;
  for (std::size_t row = 0; row < rows_.table().rows.size(); ++row) {
    deepest = std::max(deepest, rows_.depth_at(row));
    const auto time = rows_.time_of(row);
    TrackFix fix{.row = row, .time = time.value_or(0)};
    if (!time || !read_place(row, fix, stray_)) {
      ++incomplete;
      continue;
    }
    if (fix.inside && !rows_.options().drifter) {
      fix.current = rows_.current_at_row(row, fix.at);
      fix.water_velocity = rows_.own_velocity(row, fix.at);
      fix.dead_reckoned = rows_.dead_point(row);
    }
    fix.dive = rows_.number(TrackRole::dive, row);
    fix.depth = std::exchange(deepest, std::nullopt);
    fix.profile = rows_.profile_at(row);
    fixes_.push_back(fix);
  }
  if (incomplete > 0 && !fixes_.empty()) {
    track_.notes.push_back(
        fmt::format("{} of {} rows have no time or no position, and were left out", incomplete,
                    rows_.table().rows.size()));
  }
  note_fill_values();
  track_.fixes = fixes_.size();
  if (fixes_.size() < 2) {
    throw_no_leg(
        error_text(errors::track_fixes_too_few, fixes_.empty() ? "no row" : "only one row"));
  }
  require_some_inside();
  put_in_order();
  mark_repeated_places();
}

void TrackFixes::note_fill_values() {
  if (!rows_.geographic()) return;
  std::size_t count = 0;
  double example = 0;
  for (std::size_t row = 0; row < rows_.table().rows.size(); ++row) {
    const double lon = rows_.column(TrackRole::longitude).numbers[row];
    const double lat = rows_.column(TrackRole::latitude).numbers[row];
    const bool is_in_lon = is_fill_degrees(lon, 360);
    if (!is_in_lon && !is_fill_degrees(lat, 90)) continue;
    example = is_in_lon ? lon : lat;
    ++count;
  }
  if (count == 0) return;
  track_.notes.push_back(
      count == 1 ? fmt::format("one row has a fill value ({}) instead of a position", example)
                 : fmt::format("{} rows have a fill value (such as {}) instead of a position",
                               count, example));
}

std::pair<double, double> TrackFixes::written_place(const TrackFix& fix) const {
  const bool on_globe = rows_.geographic();
  return {rows_.column(on_globe ? TrackRole::longitude : TrackRole::x).numbers[fix.row],
          rows_.column(on_globe ? TrackRole::latitude : TrackRole::y).numbers[fix.row]};
}

void TrackFixes::mark_repeated_places() {
  for (std::size_t n = 1; n < fixes_.size(); ++n) {
    fixes_[n].repeats = written_place(fixes_[n]) == written_place(fixes_[n - 1]);
  }
  find_position_resolution();
}

void TrackFixes::find_position_resolution() {
  if (!rows_.geographic()) {
    position_resolution_ = std::min(last_digit_of(rows_.column(TrackRole::x)),
                                    last_digit_of(rows_.column(TrackRole::y))) *
                           rows_.length_factor_of(TrackRole::x);
    return;
  }
  constexpr double degree = 111195;  // [m] of latitude, on a sphere
  position_resolution_ = std::min(last_digit_of(rows_.column(TrackRole::longitude)),
                                  last_digit_of(rows_.column(TrackRole::latitude))) *
                         (rows_.in_minutes(TrackRole::latitude) ? degree / 60 : degree);
}

std::size_t TrackFixes::remove_rounded_repeats() {
  // Error of a measured current [m s-1 or 1].
  const double current_error = LegErrors(rows_, position_resolution_).of_instrument();
  std::size_t rounded = 0;
  std::vector<TrackFix> remaining;
  for (std::size_t n = 0; n < fixes_.size(); ++n) {
    const bool is_last = n + 1 == fixes_.size();
    const double elapsed = n > 0 ? fixes_[n].time - fixes_[n - 1].time : 0;
    // A displacement below the resolution may not change the written position. The repetition is
    // removed if the resolution exceeds the displacement by a current's error in this time.
    const bool is_rounded = position_resolution_ > current_error * elapsed;
    if (fixes_[n].repeats && !is_last && is_rounded) {
      ++rounded;
      continue;
    }
    remaining.push_back(fixes_[n]);
  }
  fixes_ = std::move(remaining);
  return rounded;
}

bool TrackFixes::read_place(std::size_t row, TrackFix& fix, std::optional<Stray>& stray) const {
  if (rows_.geographic()) {
    const auto point = rows_.globe_point(TrackRole::longitude, TrackRole::latitude, row);
    if (!point) return false;
    const auto at = rows_.in_plane(*point);
    fix.inside = at.has_value();
    if (at) {
      fix.at = *at;
    } else if (!stray) {
      stray = {row, *point};
    }
    return true;
  }
  const auto x = rows_.number(TrackRole::x, row);
  const auto y = rows_.number(TrackRole::y, row);
  if (!x || !y) return false;
  fix.at = {*x * rows_.length_factor_of(TrackRole::x), *y * rows_.length_factor_of(TrackRole::y)};
  fix.inside = rows_.holds(fix.at);
  if (!fix.inside && !stray) stray = {row, {fix.at.x, fix.at.y}};
  return true;
}

std::string TrackFixes::remedy_of(const Stray& stray) const {
  if (!rows_.geographic()) return "";
  const GeographicPoint& at = stray.at;
  if (rows_.in_plane({-at.longitude, at.latitude})) {
    return fmt::format(
        "; with longitude {:.4f} it would be inside: longitudes west of Greenwich are negative",
        -at.longitude);
  }
  if (rows_.in_plane({at.latitude, at.longitude})) {
    return "; with longitude and latitude exchanged it would be inside: exchange the columns with "
           "--column lon=… --column lat=…";
  }
  if (rows_.in_plane({at.longitude, -at.latitude})) {
    return fmt::format(
        "; with latitude {:.4f} it would be inside: latitudes are negative south of the equator, "
        "and positive north of it",
        -at.latitude);
  }
  return "";
}

void TrackFixes::require_some_inside() {
  const auto inside = static_cast<std::size_t>(
      std::count_if(fixes_.begin(), fixes_.end(), [](const TrackFix& fix) { return fix.inside; }));
  if (inside == fixes_.size()) return;
  const std::string where =
      rows_.geographic()
          ? fmt::format("longitude {:.4f}, latitude {:.4f}", stray_->at.longitude,
                        stray_->at.latitude)
          : fmt::format("x {:.10g}, y {:.10g}", stray_->at.longitude, stray_->at.latitude);
  const InputError outside_error = input_error(errors::track_outside_environment, where,
                                               rows_.domain_words(), remedy_of(*stray_));
  if (inside == 0) throw_no_leg(outside_error.what(), stray_->row);
  track_.notes.push_back(
      fmt::format("{} of {} fixes lie outside the environment, and legs from and to them are left "
                  "out; the first is {} {}: {}",
                  fixes_.size() - inside, fixes_.size(), rows_.table().row_name,
                  rows_.table().rows[stray_->row], outside_error.text()));
}

void TrackFixes::put_in_order() {
  const auto is_earlier = [](const TrackFix& a, const TrackFix& b) { return a.time < b.time; };
  if (!std::is_sorted(fixes_.begin(), fixes_.end(), is_earlier)) {
    track_.notes.push_back("its rows were not sorted by time; they have been sorted");
    std::stable_sort(fixes_.begin(), fixes_.end(), is_earlier);
  }
  std::size_t duplicates = 0;
  std::vector<TrackFix> unique_fixes;
  for (const TrackFix& fix : fixes_) {
    if (unique_fixes.empty() || fix.time != unique_fixes.back().time) {
      unique_fixes.push_back(fix);
      continue;
    }
    const double distance =
        fix.inside && unique_fixes.back().inside
            ? std::hypot(fix.at.x - unique_fixes.back().at.x, fix.at.y - unique_fixes.back().at.y)
            : (fix.inside == unique_fixes.back().inside ? 0 : 1e300);
    if (distance > 0.01 * std::min(rows_.info().grid.dx, rows_.info().grid.dy)) {
      refuse_row(rows_.table(), fix.row,
                 error_text(errors::track_places_at_one_time, rows_.clock().text(fix.time),
                            rows_.table().row_name, rows_.table().rows[unique_fixes.back().row]));
    }
    ++duplicates;
    // Values missing in one row of a fix are taken from the other.
    TrackFix& unique_fix = unique_fixes.back();
    if (!unique_fix.current) unique_fix.current = fix.current;
    if (!unique_fix.water_velocity) unique_fix.water_velocity = fix.water_velocity;
    if (!unique_fix.dead_reckoned) unique_fix.dead_reckoned = fix.dead_reckoned;
    if (!unique_fix.dive) unique_fix.dive = fix.dive;
    if (!unique_fix.profile) unique_fix.profile = fix.profile;
    unique_fix.depth = std::max(unique_fix.depth, fix.depth);
  }
  // Known kinds of files repeat the fix between two dives, which is no irregularity.
  if (duplicates > 0 && rows_.table().file_kind.empty()) {
    track_.notes.push_back(
        duplicates == 1
            ? "1 row repeats an earlier fix; the fix is used once"
            : fmt::format("{} rows repeat earlier fixes; each fix is used once", duplicates));
  }
  fixes_ = std::move(unique_fixes);
}

void TrackFixes::throw_no_leg(const std::string& reason, std::optional<std::size_t> row) {
  if (!fixes_.empty()) {
    const auto latest =
        std::max_element(fixes_.begin(), fixes_.end(),
                         [](const TrackFix& a, const TrackFix& b) { return a.time < b.time; });
    track_.last = {latest->time, latest->at, rows_.table().rows[latest->row], latest->inside};
  }
  track_.legs.clear();
  const std::string where =
      row ? fmt::format("{} {}: ", rows_.table().row_name, rows_.table().rows[*row])
          : std::string();
  throw NoLeg(fmt::format("{}: {}{}", rows_.table().path.string(), where, reason), track_);
}

std::optional<TrackFix> TrackFixes::of_row(std::size_t row) const {
  const bool has_positions = rows_.geographic() || rows_.has_all({TrackRole::x, TrackRole::y});
  if (!has_positions || !(rows_.has(TrackRole::time) || rows_.has(TrackRole::level)))
    return std::nullopt;
  const auto time = rows_.time_of(row);
  TrackFix fix{.row = row, .time = time.value_or(0)};
  // Not reported: the row may not be one of the track's fixes.
  std::optional<Stray> ignored_stray;
  return time && read_place(row, fix, ignored_stray) ? std::optional(fix) : std::nullopt;
}

void TrackFixes::add(const TrackFix& fix, const GeographicPoint& point) {
  fixes_.push_back(fix);
  if (!fix.inside && !stray_) stray_ = {fix.row, point};
}

}  // namespace tidewise

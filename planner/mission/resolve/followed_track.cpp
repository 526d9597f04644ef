#include "planner/mission/resolve/followed_track.h"

#include <fmt/format.h>

#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/printable.h"
#include "learning/track/table/clock.h"
#include "learning/track/table/columns.h"
#include "learning/track/table/position_numbers.h"
#include "learning/track/table/table.h"
#include "planner/error/codes.h"

namespace tidewise {
namespace {

constexpr const char* key = "mission.follow";

struct Fix {
  PlanePoint at;
  double time = 0;  ///< [s or 1]; 0 if the target does not move
};

constexpr const char* columns_wanted =
    "a CSV file with columns lon and lat, or x and y, and time where it moves";

TrackTable read_followed(const RunRequest& request) {
  if (is_netcdf(request.goal.follow)) {
    throw input_error(errors::follow_is_netcdf, request.place(key), key,
                      request.goal.follow.string(), columns_wanted);
  }
  return read_csv_track(request.goal.follow);
}

class FollowedTrack {
 public:
  FollowedTrack(const RunRequest& request, const EnvironmentReader& environment,
                const AreaResolver& areas)
      : request_(request),
        areas_(areas),
        table_(read_followed(request)),
        columns_(find_track_columns(table_, TrackNorth::none, {})),
        clock_(environment) {
    if (!is_geographic() && !(columns_.has(TrackRole::x) && columns_.has(TrackRole::y))) {
      refuse(error_text(errors::follow_without_places));
    }
    if (const auto identity = columns_[TrackRole::identity]) refuse_several_vehicles(*identity);
    read_fixes();
  }

  bool moves() const { return columns_.has(TrackRole::time) || columns_.has(TrackRole::level); }

  RunFollowed file() const {
    if (!moves()) return {.fixes = fixes_.size()};
    return {true, fixes_.size(), time_column(), clock_.text(fixes_.front().time),
            clock_.text(fixes_.back().time)};
  }

  std::vector<PlanePoint> line() const {
    std::vector<PlanePoint> vertices;
    for (const Fix& fix : fixes_) vertices.push_back(fix.at);
    if (vertices.size() < 2) refuse(error_text(errors::follow_too_short));
    return vertices;
  }

  /// Errors: InputError unless the track covers the times from `from` to `until`.
  void require_between(double from, double until) const {
    if (fixes_.front().time <= from && fixes_.back().time >= until) return;
    refuse(error_text(errors::follow_outside_mission, clock_.text(fixes_.front().time),
                      clock_.text(fixes_.back().time), time_column(), clock_.text(from),
                      clock_.text(until)));
  }

  /// Positions at all levels of the environment, (level).
  std::vector<PlanePoint> at_levels(const TimeAxis& time) const {
    for (std::size_t n = 1; n < fixes_.size(); ++n) {
      if (fixes_[n].time > fixes_[n - 1].time) continue;
      refuse(error_text(errors::follow_times_not_ascending, clock_.text(fixes_[n].time),
                        clock_.text(fixes_[n - 1].time)));
    }
    std::vector<PlanePoint> places;
    std::size_t next = 1;
    for (TimeLevel k(0); k.value < time.level_count; ++k.value) {
      while (next + 1 < fixes_.size() && fixes_[next].time < time.at(k)) ++next;
      places.push_back(at(time.at(k), next));
    }
    return places;
  }

 private:
  bool is_geographic() const {
    return columns_.has(TrackRole::longitude) && columns_.has(TrackRole::latitude);
  }

  [[noreturn]] void refuse(const std::string& why) const {
    throw InputError(
        fmt::format("{}: {}: {} {}", request_.place(key), key, request_.goal.follow.string(), why));
  }

  /// The name of the column of times or levels.
  std::string time_column() const {
    const auto time = columns_[TrackRole::time];
    return on_one_line(table_.columns[time ? *time : *columns_[TrackRole::level]].name);
  }

  [[noreturn]] void refuse_several_vehicles(std::size_t identity) const {
    const TrackColumn& column = table_.columns[identity];
    const std::string first = text_at(column, 0);
    std::size_t row = 1;
    while (row + 1 < table_.rows.size() && text_at(column, row) == first) ++row;
    refuse(error_text(errors::follow_several_vehicles, on_one_line(column.name),
                      shortened(on_one_line(first), 40), table_.row_name, table_.rows.front(),
                      shortened(on_one_line(text_at(column, row)), 40), table_.row_name,
                      table_.rows[row]));
  }

  std::optional<double> number(TrackRole role, std::size_t row) const {
    return number_at(table_, table_.columns[*columns_[role]], row);
  }

  std::optional<double> time_of(std::size_t row) const {
    if (columns_.has(TrackRole::time)) {
      return clock_.time(table_, table_.columns[*columns_[TrackRole::time]], row);
    }
    const auto level = number(TrackRole::level, row);
    return level ? std::optional(clock_.at_level(*level)) : std::nullopt;
  }

  void read_fixes() {
    const bool geographic = is_geographic();
    const auto frame = geographic ? Position::Frame::geographic : Position::Frame::plane;
    for (std::size_t row = 0; row < table_.rows.size(); ++row) {
      const auto first = number(geographic ? TrackRole::longitude : TrackRole::x, row);
      const auto second = number(geographic ? TrackRole::latitude : TrackRole::y, row);
      const auto time = moves() ? time_of(row) : std::optional<double>(0);
      const bool is_fill = geographic && first && second &&
                           (is_fill_degrees(*first, 360) || is_fill_degrees(*second, 90));
      if (!first || !second || !time || is_fill) {
        refuse(error_text(errors::follow_row_incomplete, time ? "place" : "time", table_.row_name,
                          table_.rows[row], table_.row_name));
      }
      fixes_.push_back({areas_.point(key, frame, {*first, *second}), *time});
    }
    if (fixes_.empty()) refuse(error_text(errors::follow_empty));
  }

  /// Returns the position at `time`, interpolated between the fix before `next` and the fix `next`,
  /// or that of the first or last fix outside the track's times.
  PlanePoint at(double time, std::size_t next) const {
    if (fixes_.size() == 1 || time <= fixes_.front().time) return fixes_.front().at;
    const Fix& a = fixes_[next - 1];
    const Fix& b = fixes_[next];
    if (time >= b.time) return b.at;
    const double share = (time - a.time) / (b.time - a.time);
    return {a.at.x + share * (b.at.x - a.at.x), a.at.y + share * (b.at.y - a.at.y)};
  }

  const RunRequest& request_;
  const AreaResolver& areas_;
  TrackTable table_;
  TrackColumns columns_;
  TrackClock clock_;
  std::vector<Fix> fixes_;
};

}  // namespace

Followed resolve_followed(const RunRequest& request, const EnvironmentReader& environment,
                          const AreaResolver& areas, std::optional<FollowedLevels> during) {
  if (request.goal.follow.empty()) {
    throw input_error(errors::follow_missing, request.place("mission.objective"), columns_wanted);
  }
  const FollowedTrack track(request, environment, areas);
  const TimeAxis& time = environment.info().time;
  Followed followed{{}, track.file()};
  if (!track.moves()) {
    followed.place.line = track.line();
    return followed;
  }
  followed.place.track = track.at_levels(time);
  if (during) track.require_between(time.at(during->departure), time.at(during->last));
  return followed;
}

std::vector<PlanePoint> followed_points(const Mission& mission) {
  const KeptPlace& kept = *mission.kept;
  if (!kept.line.empty()) return kept.line;
  const auto begin = kept.track.begin();
  return {begin + mission.departure.value, begin + mission.last.value + 1};
}

}  // namespace tidewise

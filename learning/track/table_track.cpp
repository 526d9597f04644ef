#include "learning/track/table_track.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "env/units/depths.h"
#include "learning/error/codes.h"
#include "learning/track/dive_profiles.h"
#include "learning/track/fix_legs.h"
#include "learning/track/leg_errors.h"
#include "learning/track/point_legs.h"
#include "learning/track/table/dives.h"
#include "learning/track/table/flagged_values.h"

namespace tidewise {
namespace {

constexpr std::size_t max_legs = 2000;  // the update solves a dense square system of this size

class TableTrack {
 public:
  TableTrack(const TrackTable& table, const EnvironmentReader& environment,
             const TrackOptions& options)
      : table_(table),
        info_(environment.info()),
        options_(options),
        rows_(table, environment, options) {}

  ObservedTrack read() {
    rows_.require_columns();
    track_.path = table_.path;
    track_.identity = table_.identity;
    track_.file_kind = table_.file_kind;
    track_.notes = table_.notes;
    track_.columns = describe_columns(table_, rows_.columns());
    if (rows_.of_points()) {
      make_legs_of_points(rows_, fixes_, track_);
    } else {
      fixes_.read();
      make_legs_of_fixes(rows_, fixes_, track_);
    }
    leave_out_other_times();
    finish();
    return std::move(track_);
  }

 private:
  std::optional<std::int32_t> profile_of(const ObservedLeg& leg) const {
    if (leg.profile) return leg.profile;
    const std::size_t count = rows_.is_at_surface() ? 0 : options_.dived_profiles;
    const std::optional<double> depth = rows_.is_at_surface() ? leg.depth.value_or(0) : leg.depth;
    const auto nearest = depth ? nearest_profile(info_, *depth, count) : std::nullopt;
    if (nearest) return nearest;
    if (options_.profile) return find_profile(info_, *options_.profile);
    return options_.dived_profiles == 1 ? std::optional(0) : std::nullopt;
  }

  /// Warns that observations at the surface have little relation to a forecast of deeper levels.
  void note_depth_of_forecast() {
    constexpr double near_surface = 50;  // [m]
    const auto profile = rows_.is_at_surface() ? nearest_profile(info_, 0) : std::nullopt;
    if (!profile) return;
    const EnvironmentProfile& surface_profile = info_.profiles[*profile];
    if (deepest_of(surface_profile.depths).value_or(0) <= near_surface) return;
    track_.notes.push_back(fmt::format(
        "its currents are those at the surface, and are compared with the profile {} ({}), "
        "because the forecast has none nearer to the surface",
        surface_profile.name, surface_profile.depths));
  }

  void find_profiles() {
    note_depth_of_forecast();
    if (info_.velocities < 2) return;
    for (ObservedLeg& leg : track_.legs) {
      leg.profile = profile_of(leg);
      if (leg.profile) continue;
      rows_.refuse_table(error_text(errors::track_profile_missing, table_.row_name, leg.row,
                                    profile_names(info_)));
    }
    if (track_.last.leg) track_.last.leg->profile = profile_of(*track_.last.leg).value_or(0);
  }

  void leave_out_other_times() {
    if (track_.legs.size() > max_legs) {
      rows_.refuse_table(error_text(errors::track_legs_too_many, track_.legs.size(), max_legs));
    }
    if (track_.legs.empty()) {
      // Left-out values, or dives without currents, are the reason; otherwise columns may have
      // other names.
      const bool is_known = !table_.notes.empty() || rows_.has(TrackRole::dive) ||
                            std::any_of(fixes_.all().begin(), fixes_.all().end(),
                                        [](const TrackFix& fix) { return fix.repeats; });
      const std::vector<std::string> notes = std::exchange(track_.notes, {});
      if (usefulness(rows_.columns()) == 1 && !options_.drifter) {
        fixes_.throw_no_leg(error_text(errors::track_without_motion));
      }
      fixes_.throw_no_leg(is_known && !notes.empty()
                              ? error_text(errors::track_without_current, fmt::join(notes, "; "))
                              : error_text(errors::track_columns_without_current, track_.columns));
    }
    const double first = info_.time.first;
    const double last = info_.time.at(TimeLevel(info_.time.level_count - 1));
    const double tolerance = 1e-6 * info_.time.step;
    const double begin = track_.legs.front().leg.times.front();
    const double end = track_.legs.back().leg.times.back();
    const std::size_t leg_count = track_.legs.size();
    std::erase_if(track_.legs, [&](const ObservedLeg& leg) {
      return leg.leg.times.front() < first - tolerance || leg.leg.times.back() > last + tolerance;
    });
    if (track_.legs.size() == leg_count) return;
    const std::string what = fmt::format("the track is of {} to {}, the environment of {} to {}",
                                         rows_.clock().text(begin), rows_.clock().text(end),
                                         rows_.clock().text(first), rows_.clock().text(last));
    if (track_.legs.empty()) {
      fixes_.throw_no_leg(error_text(errors::track_outside_forecast, what));
    }
    track_.notes.push_back(fmt::format(
        "{} of {} legs begin before the environment's first level or end after its last, and are "
        "left out: {}",
        leg_count - track_.legs.size(), leg_count, what));
  }

  void finish() {
    find_profiles();
    for (const ObservedLeg& leg : track_.legs) {
      if (leg.error_u > 0 && leg.error_v > 0) continue;
      rows_.refuse_table(error_text(errors::track_error_missing));
    }
    const LegErrors errors(rows_, fixes_.position_resolution());
    const char* unit = rows_.is_metric() ? " m/s" : "";
    const bool has_errors = rows_.has(TrackRole::error) || rows_.has(TrackRole::u_error);
    track_.errors = has_errors && rows_.flow_from() == FlowFrom::currents
                        ? table_.errors
                        : fmt::format("{}{}", errors.of_instrument(), unit);
    if (rows_.flow_from() != FlowFrom::currents && errors.of_fix() > 0) {
      track_.errors +=
          fmt::format(", fixes {:.4g}{}", errors.of_fix(), rows_.is_metric() ? " m" : "");
    }
    if (errors.of_representation() > 0) {
      track_.errors += fmt::format(", representation {}{}", errors.of_representation(), unit);
    }
  }

  const TrackTable& table_;
  const EnvironmentInfo& info_;
  const TrackOptions& options_;
  TrackRows rows_;
  ObservedTrack track_;
  TrackFixes fixes_{rows_, track_};
};

}  // namespace

ObservedTrack read_table_track(const TrackTable& table, const EnvironmentReader& environment,
                               const TrackOptions& options) {
  return TableTrack(table, environment, options).read();
}

ObservedTrack read_vehicle_table(TrackTable table, const EnvironmentReader& environment,
                                 const TrackOptions& options) {
  const TrackColumns columns = columns_for(table, environment, options);
  table.file_kind = file_kind_of(table);
  leave_out_flagged(table, columns);
  gather_dives(table, columns);
  return read_table_track(table, environment, options);
}

}  // namespace tidewise

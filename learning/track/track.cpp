#include "learning/track/track.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>
#include <utility>

#include "base/error.h"
#include "learning/error/codes.h"
#include "learning/track/dive_profiles.h"
#include "learning/track/no_leg.h"
#include "learning/track/radar.h"
#include "learning/track/repeated_legs.h"
#include "learning/track/table/slocum_log.h"
#include "learning/track/table_track.h"
#include "learning/track/track_rows.h"
#include "learning/track/track_tables.h"

namespace tidewise {
namespace {

void validate_track_options(const TrackOptions& options, const EnvironmentInfo& info) {
  if (options.profile && (info.velocities < 2 || !find_profile(info, *options.profile))) {
    throw input_error(errors::track_profile_option_invalid, *options.profile,
                      info.velocities < 2
                          ? "is of an environment that is read at several depths, and this one "
                            "is at one; leave it out"
                          : "the environment has the profiles " + profile_names(info));
  }
  const auto require = [](const char* option, const std::optional<double>& value,
                          bool allows_zero) {
    if (!value || (std::isfinite(*value) && (*value > 0 || (allows_zero && *value == 0)))) return;
    throw input_error(errors::track_option_not_positive, option, *value,
                      allows_zero ? "0 or more" : "above 0");
  };
  require("--error", options.error, false);
  require("--fix-error", options.fix_error, true);
  require("--representation", options.representation, true);
  require("--averaged-over", options.averaged_over, false);
}

/// The reason, without the path before it.
std::string reason_of(const NoLeg& no_leg) {
  const std::string why(no_leg.text());
  return why.substr(why.find(": ") + 2);
}

/// The tracks of one file. Drifters without a leg in the forecast are left out, if there are
/// several.
std::vector<ObservedTrack> read_all(std::vector<TrackTable> tables,
                                    const EnvironmentReader& environment,
                                    const TrackOptions& options) {
  const std::size_t count = tables.size();
  std::vector<std::string> file_notes;
  if (count > 1) file_notes = std::exchange(tables.front().notes, {});
  std::vector<ObservedTrack> tracks;
  std::optional<NoLeg> first;
  for (TrackTable& table : tables) {
    try {
      tracks.push_back(read_vehicle_table(std::move(table), environment, options));
    } catch (const NoLeg& no_leg) {
      if (!first) first = no_leg;
    }
  }
  if (tracks.empty()) throw *first;
  if (count == 1) return tracks;
  for (ObservedTrack& track : tracks) {
    track.file_kind = fmt::format("{} drifters", count);
    for (std::string& note : track.notes) note.insert(0, track.identity + ": ");
  }
  std::vector<std::string>& notes = tracks.front().notes;
  notes.insert(notes.begin(), file_notes.begin(), file_notes.end());
  if (first) {
    notes.push_back(
        fmt::format("{} of {} drifters have no leg in the forecast, the first of them {}: {}",
                    count - tracks.size(), count, first->track().identity, reason_of(*first)));
  }
  return tracks;
}

}  // namespace

ObservedTrack read_track(const std::filesystem::path& path, const EnvironmentReader& environment,
                         const TrackOptions& options) {
  validate_track_options(options, environment.info());
  return read_all(read_track_tables(path, north_of(environment), options), environment, options)
      .front();
}

std::vector<std::filesystem::path> ObservationFiles::all() const {
  std::vector<std::filesystem::path> files = tracks;
  files.insert(files.end(), drifters.begin(), drifters.end());
  files.insert(files.end(), radars.begin(), radars.end());
  return files;
}

namespace {

ObservedTrack read_radar_fields(const std::vector<std::filesystem::path>& paths,
                                const EnvironmentReader& environment, TrackOptions options) {
  const RadarTable radar = read_radars(paths, environment, options.error);
  options.columns.clear();
  ObservedTrack track = read_table_track(radar.table, environment, options);
  track.by = ObservedBy::radar;
  track.kind = fmt::format(
      "superobservations of {} currents, each a mean over {:.3g} km and {:.3g} h at most",
      radar.values, radar.side / 1000, radar.window / 3600);
  track.columns = "an error is that of its currents, as if they all erred alike";
  return track;
}

/// Reads files of all kinds; some may have no leg in the forecast.
class ObservationReader {
 public:
  ObservationReader(const EnvironmentReader& environment, const TrackOptions& options,
                    WithoutLegs without)
      : environment_(environment), options_(options), without_(without) {}

  std::vector<ObservedTrack> read(const ObservationFiles& files) {
    read_tracks(files.tracks, ObservedBy::vehicle);
    read_tracks(files.drifters, ObservedBy::drifter);
    if (!files.radars.empty()) {
      add_tracks(ObservedBy::radar, [&] {
        return std::vector{read_radar_fields(files.radars, environment_, options_)};
      });
    }
    const bool has_legs =
        std::any_of(tracks_.begin(), tracks_.end(),
                    [](const ObservedTrack& track) { return !track.legs.empty(); });
    const bool suffices = has_legs || (without_ == WithoutLegs::last_fix && has_last_fix());
    if (first_ && !suffices) throw *first_;
    return std::move(tracks_);
  }

 private:
  /// True if the vehicle's last fix lies in the forecast.
  bool has_last_fix() const {
    const TimeAxis& time = environment_.info().time;
    const double last = time.at(TimeLevel(time.level_count - 1));
    return std::any_of(tracks_.begin(), tracks_.end(), [&](const ObservedTrack& track) {
      return track.by == ObservedBy::vehicle && track.fixes > 0 && track.last.is_inside &&
             track.last.time >= time.first && track.last.time <= last;
    });
  }

  /// Adds the tracks of a file, or a note on the reason why it has none.
  template <class Read>
  void add_tracks(ObservedBy by, const Read& read) {
    std::vector<ObservedTrack> file_tracks;
    try {
      file_tracks = read();
    } catch (const NoLeg& no_leg) {
      if (!first_) first_ = no_leg;
      file_tracks = {no_leg.track()};
      file_tracks.front().notes.push_back(reason_of(no_leg));
    }
    for (ObservedTrack& track : file_tracks) {
      track.by = by;
      tracks_.push_back(std::move(track));
    }
  }

  void read_tracks(const std::vector<std::filesystem::path>& paths, ObservedBy by) {
    TrackOptions options = options_;
    options.drifter = by == ObservedBy::drifter;
    options.accept_fixes_only = by == ObservedBy::vehicle && without_ == WithoutLegs::last_fix;
    std::vector<ObservedTrack> other_tracks = std::exchange(tracks_, {});
    std::vector<std::filesystem::path> logs;
    std::copy_if(paths.begin(), paths.end(), std::back_inserter(logs), is_track_log);
    if (!logs.empty()) {
      refuse_trajectory(logs.front(), options);
      add_tracks(by, [&] {
        return std::vector{read_vehicle_table(read_slocum_logs(logs), environment_, options)};
      });
    }
    for (const auto& path : paths) {
      if (std::find(logs.begin(), logs.end(), path) != logs.end()) continue;
      add_tracks(by, [&] {
        return read_all(read_track_tables(path, north_of(environment_), options), environment_,
                        options);
      });
    }
    leave_out_repeated_legs(tracks_, environment_.info().grid);
    other_tracks.insert(other_tracks.end(), std::make_move_iterator(tracks_.begin()),
                        std::make_move_iterator(tracks_.end()));
    tracks_ = std::move(other_tracks);
  }

  const EnvironmentReader& environment_;
  const TrackOptions& options_;
  WithoutLegs without_;
  std::vector<ObservedTrack> tracks_;
  std::optional<NoLeg> first_;
};

}  // namespace

std::vector<ObservedTrack> read_observations(const ObservationFiles& files,
                                             const EnvironmentReader& environment,
                                             const TrackOptions& options, WithoutLegs without) {
  validate_track_options(options, environment.info());
  std::vector<ObservedTrack> tracks = ObservationReader(environment, options, without).read(files);
  std::stable_sort(
      tracks.begin(), tracks.end(), [](const ObservedTrack& a, const ObservedTrack& b) {
        const auto begin = [](const ObservedTrack& track) {
          return track.legs.empty() ? track.last.time : track.legs.front().leg.times.front();
        };
        return begin(a) < begin(b);
      });
  return tracks;
}

}  // namespace tidewise

#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/command.h"
#include "env/environment_info.h"
#include "env/file/reader.h"
#include "learning/file/posterior.h"
#include "learning/track/track.h"

namespace tidewise {

/// Selects all profiles of an environment, since observations may be of any.
void choose_all_profiles(EnvironmentReader& environment);

/// Options for a vehicle's tracks and for the correction of a forecast by them.
class ObservationOptions {
 public:
  /// Adds --track, --drifter and --radar with their options and those of the smoother. `purpose`:
  /// description of --track. The object must outlive the command.
  void add(Command command, const std::string& purpose);
  /// Like add(), without the options of the smoother.
  void add_tracks(Command command, const std::string& purpose);

  /// True if --track was given.
  bool has_tracks() const { return !tracks_.empty(); }
  /// True if --track, --drifter or --radar was given.
  bool has_any() const { return !files().all().empty(); }
  /// The named files.
  ObservationFiles files() const;
  /// Reads the named files. `dived_profiles`: as in TrackOptions. Errors: those of
  /// read_observations(), and for invalid durations.
  std::vector<ObservedTrack> read(const EnvironmentReader& environment, std::size_t dived_profiles,
                                  WithoutLegs without = WithoutLegs::refused) const;
  /// Options for correcting a forecast by the observations. Errors: InputError for an invalid
  /// duration or length.
  PosteriorOptions posterior(const EnvironmentInfo& info) const;

  /// The subject of an option.
  enum class Subject { track, learning };
  /// The first option that was given, except for the files, of any subject or of `subject`; nullopt
  /// if there is none.
  std::optional<std::string> given_option(std::optional<Subject> subject = {}) const;

 private:
  void add_track_options(Command command);
  void add_smoother_options(Command command);
  void add_mode_options(Command command);
  void store(Subject subject, const std::string& name, Option option);

  std::vector<std::string> tracks_;
  std::vector<std::string> drifters_;
  std::vector<std::string> radars_;
  TrackOptions track_;
  std::optional<std::string> averaged_over_;
  PosteriorOptions posterior_;
  std::optional<std::string> localisation_;
  std::optional<std::string> added_mode_;  // its length, or "auto"
  struct Named {
    Subject subject;
    std::string name;
    Option option;
  };
  std::vector<Named> options_;  // all but the files
};

}  // namespace tidewise

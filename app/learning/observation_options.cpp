#include "app/learning/observation_options.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/cli/common_options.h"
#include "app/error/codes.h"
#include "base/error.h"
#include "env/units/quantity.h"

namespace tidewise {

void ObservationOptions::store(Subject subject, const std::string& name, Option option) {
  options_.push_back({subject, name, option});
}

void choose_all_profiles(EnvironmentReader& environment) {
  std::vector<std::string> profiles;
  for (const EnvironmentProfile& profile : environment.info().profiles)
    profiles.push_back(profile.name);
  if (profiles.size() > 1) environment.choose_profiles(profiles);
}

void ObservationOptions::add(Command command, const std::string& purpose) {
  add_tracks(command, purpose);
  add_smoother_options(command);
  add_mode_options(command);
}

void ObservationOptions::add_tracks(Command command, const std::string& purpose) {
  command.add_option("--track", tracks_, purpose).type_name("FILE");
  command
      .add_option("--drifter", drifters_,
                  "Fixes of a drifter, whose motion is the current: CSV or NetCDF; several at once")
      .type_name("FILE");
  command
      .add_option(
          "--radar", radars_,
          "Gridded surface currents with their errors, e.g. from HF radar: NetCDF; several at once")
      .type_name("FILE");
  add_track_options(command);
}

void ObservationOptions::add_track_options(Command command) {
  const auto add = [&](const std::string& name, auto& value, const std::string& description,
                       const std::string& type) {
    const Option option = command.add_option(name, value, description).type_name(type);
    store(Subject::track, name, option);
    return option;
  };
  (void)add("--column", track_.columns,
            "The track's name of a column, e.g. speed=through_water; repeatable", "ROLE=COLUMN")
      .one_at_a_time();
  (void)add("--trajectory", track_.trajectory, "Number of the track in a file with several, from 0",
            "N");
  (void)add("--profile", track_.profile,
            "The environment's profile for legs whose depth the track does not record", "NAME");
  (void)add("--averaged-over", averaged_over_,
            "Averaging time of currents that have their own times, e.g. 4h", "DURATION");
  (void)add("--error", track_.error,
            "Standard deviation of each component of an observed current (default: the file's, "
            "else 0.02 m/s)",
            "S");
  (void)add("--fix-error", track_.fix_error,
            "Standard deviation of each coordinate of a fix (default: 10 m)", "S");
  (void)add(
      "--representation", track_.representation,
      "Standard deviation of the representation error of a leg's mean current (default: 0.03 m/s)",
      "S");
}

void ObservationOptions::add_smoother_options(Command command) {
  SmootherOptions& smoother = posterior_.smoother;
  store(Subject::learning, "--method",
        command.add_choice<UpdateScheme>(
            "--method", smoother.scheme,
            {{"square-root", UpdateScheme::square_root},
             {"perturbed", UpdateScheme::perturbed_observations}},
            "Update of the spread: deterministic square root, or perturbed observations"));
  store(
      Subject::learning, "--localisation",
      command
          .add_option("--localisation", localisation_,
                      "Taper covariances in time, to 0 at twice this (default: 24h, without units "
                      "none; 0: none)")
          .type_name("DURATION"));
  store(Subject::learning, "--inflation",
        command
            .add_option("--inflation", smoother.inflation,
                        "Factor on the forecast's spread (default: 1, or more if observations "
                        "contradict the forecast)")
            .type_name("FACTOR"));
  store(Subject::learning, "--relaxation",
        command
            .add_option("--relaxation", smoother.relaxation,
                        "Share of the lost spread that is restored, 0 to 1")
            .show_default());
  store(Subject::learning, "--reject-beyond",
        command
            .add_option("--reject-beyond", smoother.reject_beyond,
                        "Reject observations more than this number of standard deviations from the "
                        "forecast (0: none)")
            .show_default());
}

void ObservationOptions::add_mode_options(Command command) {
  store(
      Subject::learning, "--add-mode",
      command
          .add_option("--add-mode", added_mode_,
                      "Add a mode for the unexplained part of the observations, if that is large, "
                      "with this covariance length, e.g. 25km, or auto (8 cells)")
          .type_name("LENGTH|auto"));
  add_seed_option(command, posterior_.smoother.seed,
                  "Seed of perturbations, ranks and the added mode");
  store(Subject::learning, "--seed", command.option("--seed"));
}

ObservationFiles ObservationOptions::files() const {
  return {{tracks_.begin(), tracks_.end()},
          {drifters_.begin(), drifters_.end()},
          {radars_.begin(), radars_.end()}};
}

std::vector<ObservedTrack> ObservationOptions::read(const EnvironmentReader& environment,
                                                    std::size_t dived_profiles,
                                                    WithoutLegs without) const {
  TrackOptions options = track_;
  options.dived_profiles = dived_profiles;
  if (averaged_over_) {
    options.averaged_over = parse_duration("--averaged-over", *averaged_over_);
  }
  return read_observations(files(), environment, options, without);
}

PosteriorOptions ObservationOptions::posterior(const EnvironmentInfo& info) const {
  PosteriorOptions options = posterior_;
  const bool is_metric = info.units == Units::metric;
  constexpr double day = 86400;  // [s] forecast errors of mesoscale currents persist for a day
  if (is_metric) options.smoother.localisation = day / info.time.step;
  if (localisation_) {
    const bool is_none = *localisation_ == "0";  // "0" is not a duration
    const double levels =
        is_none ? 0 : parse_duration("--localisation", *localisation_) / info.time.step;
    constexpr double min = 0.1;  // [steps] smaller values lack a unit, such as 24 for 24h
    if (is_metric && levels != 0 && levels < min) {
      throw input_error(errors::option_without_unit, "--localisation", *localisation_,
                        levels * info.time.step, info.time.step, "24h");
    }
    options.smoother.localisation = levels;
  }
  if (added_mode_) {
    constexpr double cells = 8;
    options.added_mode_length = *added_mode_ == "auto"
                                    ? cells * std::max(info.grid.dx, info.grid.dy)
                                    : parse_length("--add-mode", *added_mode_);
  }
  return options;
}

std::optional<std::string> ObservationOptions::given_option(std::optional<Subject> subject) const {
  for (const Named& option : options_) {
    if (option.option.given() && (!subject || option.subject == *subject)) return option.name;
  }
  return {};
}

}  // namespace tidewise

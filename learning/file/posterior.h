#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/progress.h"
#include "env/file/reader.h"
#include "env/tools/derived_file.h"
#include "learning/ensemble_smoother.h"
#include "learning/track/track.h"

namespace tidewise {

/// Options of write_posterior().
struct PosteriorOptions {
  /// By default legs beyond four standard deviations are rejected, because a wrong fix would change
  /// the flow everywhere.
  SmootherOptions smoother{.reject_beyond = 4};
  /// If set, and if the residuals exceed the observations' errors, one more mode is made of the
  /// residuals, with this covariance length [m or 1] (file/innovation_mode.h). Its coefficients are
  /// steady draws of variance 1 for each realization, and the update is repeated with it.
  std::optional<double> added_mode_length;
};

/// One leg and its effect on the forecast.
struct LegResult {
  ObservedLeg leg;
  std::string track;    ///< name of its file
  std::string profile;  ///< name of the profile that it dived; empty if there is one velocity
  ObservationResult u;
  ObservationResult v;
  ObservedBy by = ObservedBy::vehicle;

  /// True if the leg was not used.
  bool rejected() const { return u.rejected || v.rejected; }
};

/// The result of write_posterior().
struct PosteriorReport {
  std::vector<LegResult> legs;  ///< by track and time
  Consistency consistency;
  /// Spread of the ensemble's flow: the square root of its variance (u and v together), averaged
  /// over open cells and profiles, (time) [m s-1 or 1].
  std::vector<double> spread_before;
  std::vector<double> spread_after;
  /// Change of the mean flow: the root mean square over open cells, (time) [m s-1 or 1].
  std::vector<double> mean_shift;
  std::int32_t first_observed = 0;  ///< first and last level of the observations
  std::int32_t last_observed = 0;
  bool mode_added = false;
  std::vector<std::string> notes;
  std::vector<std::string> warnings;
};

/// Writes the forecast corrected by the tracks as a new environment. The mean of the posterior's
/// coefficients is moved into the mean flow, so that the mean flow is the posterior mean;
/// realizations do not change by that. The file also has the legs (dimension `observation`), the
/// spread before and after (time), and the consistency as root attributes. Legs that the forecast's
/// table already contains are left out. In a file with several profiles all must be chosen
/// (EnvironmentReader::choose_profiles). A leg is compared with the flow of its own profile. All
/// profiles are updated, because they share the coefficients, and written in the file's order.
/// Holds some levels, and the coefficients of the observed levels, in memory.
///
/// Errors: InputError as EnsembleSmoother, and if no leg is left; those of reading. If it fails,
/// nothing is written.
PosteriorReport write_posterior(const EnvironmentReader& forecast,
                                const std::vector<ObservedTrack>& tracks,
                                const PosteriorOptions& options, const DerivedFile& out,
                                Progress& progress);

}  // namespace tidewise

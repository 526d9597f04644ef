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

struct PosteriorOptions {
  /// A wrong fix would move the flow of a whole ocean: legs beyond four standard deviations are
  /// left out unless this says otherwise.
  SmootherOptions smoother{.reject_beyond = 4};
  /// Where the modes leave more of the observations unexplained than their errors do, one more mode
  /// is made of what is left, of this covariance length [m or 1] (file/innovation_mode.h); its
  /// coefficients are drawn for each realization, of variance 1 and steady, and the whole is
  /// learned anew.
  std::optional<double> added_mode_length;
};

/// What one leg did to the forecast.
struct LegVerdict {
  ObservedLeg leg;
  std::string track;    ///< its file
  std::string profile;  ///< that it dived; empty where there is one velocity
  ObservationVerdict u;
  ObservationVerdict v;
  ObservedBy by = ObservedBy::vehicle;

  bool rejected() const { return u.rejected || v.rejected; }
};

struct PosteriorReport {
  std::vector<LegVerdict> legs;  ///< by track and time
  Consistency consistency;
  /// Of the ensemble's flow: the square root of its variance (of u and of v together), averaged
  /// over open cells, and over profiles where there are several, (time) [m s-1 or 1].
  std::vector<double> spread_before;
  std::vector<double> spread_after;
  /// How far the mean flow moved: the root mean square over open cells, (time) [m s-1 or 1].
  std::vector<double> mean_shift;
  std::int32_t first_observed = 0;  ///< the levels between which observations lie
  std::int32_t last_observed = 0;
  bool mode_added = false;
  std::vector<std::string> notes;
  std::vector<std::string> warnings;
};

/// Writes the forecast as the tracks correct it: an environment like any other. The smoother's
/// posterior is centred anew, the coefficients' mean going into the mean flow, so that the mean is
/// the posterior's for whatever looks at that alone; each realization's flow is the same. Beside it
/// the file has the legs (dimension `observation`), the spread before and after (time), and the
/// consistency as attributes of the file. Legs that the forecast has learned from already, by its
/// own record, are left out. Of a file with several profiles all have to be read
/// (EnvironmentReader::choose_profiles): a leg meets the flow of its own, all profiles learn, since
/// the coefficients are theirs together, and all are written, in the file's order. Memory: some
/// levels, and the observed levels' coefficients.
///
/// Errors: InputError as EnsembleSmoother, and where no leg is left; those of reading. Without
/// finishing it leaves nothing.
PosteriorReport write_posterior(const EnvironmentReader& forecast,
                                const std::vector<ObservedTrack>& tracks,
                                const PosteriorOptions& options, const DerivedFile& out,
                                Progress& progress);

}  // namespace tidewise

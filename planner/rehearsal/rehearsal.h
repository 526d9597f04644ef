#pragma once

#include <cstdint>
#include <filesystem>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "base/progress.h"
#include "env/import/import_forecast.h"
#include "env/points.h"
#include "output/run/recommendation.h"
#include "planner/mission/resolve/validation.h"
#include "tidewise/mission.h"
#include "tidewise/rollout.h"

namespace tidewise {

/// A request to simulate a run's policy through the forecast's own files.
struct RehearsalRequest {
  std::string run;                            ///< the folder of 'tidewise plan', or its policy.h5
  std::vector<std::filesystem::path> source;  ///< NetCDF files, in any order
  /// Options of the environment's import: names, depth, members, box. Its files have names without
  /// folders. nullopt if the environment does not record the options; the command's defaults then
  /// apply.
  std::optional<ingest::ImportOptions> import;
  double step = 600;  ///< step of the integration [s]
  /// Vertical speed of a vehicle that dives [m s-1]; nullopt: the mission's, else
  /// usual_vertical_speed.
  std::optional<double> vertical_speed = {};
  std::optional<std::int32_t> threads;  ///< nullopt: all
};

/// Place and time of a vehicle.
struct RehearsalPoint {
  GeographicPoint place;     ///< [degrees], longitude −180 … 180
  double time = 0;           ///< [s since 1970]
  double depth = 0;          ///< [m] below the surface, of a rehearsal through dives
  std::int32_t profile = 0;  ///< index of the profile of the next dive, in the run's profiles
};

/// One flight through one member.
struct RehearsalFlight {
  std::string
      name;  ///< "member 3", "6 h earlier", "the forecast"; for flights of the run "realization 3"
  TrajectoryOutcome outcome = TrajectoryOutcome::out_of_time;
  double duration = 0;                ///< from the departure to its end [s]
  std::vector<RehearsalPoint> track;  ///< one point at least
  /// Station keeping as in Keeping; NaN for missions with a target.
  double keeping = std::numeric_limits<double>::quiet_NaN();
};

inline bool arrives(const RehearsalFlight& flight) {
  return flight.outcome == TrajectoryOutcome::arrived;
}

/// Statistics of several flights.
struct RehearsalFigures {
  double arrival = 0;  ///< share
  double time = 0;     ///< mean over flights that arrive [s]; NaN if none does
  double keeping = std::numeric_limits<double>::quiet_NaN();  ///< mean
};

/// Results of a rehearsal.
struct Rehearsal {
  /// Objectives with keeps() are compared by `keeping`, others by arrivals and times.
  Objective objective = Objective::time;
  ForecastUncertainty uncertainty = ForecastUncertainty::ensemble;  ///< uncertainty of the forecast
  std::vector<RehearsalFlight> members;  ///< through the source, one for each of its members
  /// Flights of the run through its environment: flight n belongs to member n (`paired`), or
  /// flights belong to the realizations that were flown.
  std::vector<RehearsalFlight> flights;
  bool paired = false;
  std::optional<RehearsalFigures>
      promise;                 ///< the plan's prediction; nullopt if the run does not hold it
  RehearsalFigures flown;      ///< figures of the simulated flights
  RehearsalFigures rehearsed;  ///< figures of the rehearsed members
  double departure = 0;        ///< [s since 1970]
  double lasts = 0;            ///< from the departure until time is up [s]
  std::vector<GeographicPoint> targets;   ///< centres of its discs, or of its cells
  std::vector<GeographicPoint> followed;  ///< vertices of the track or line that is followed
  double target_radius = 0;               ///< [m]; 0: the target is cells
  double distance_between_decisions =
      0;  ///< distance through the water between two decisions [m]; 0: each step decides
  std::vector<std::string> profiles;  ///< names; empty if the vehicle does not dive
  /// True if the vehicle changes from one dive to another, to a held depth, or to the surface.
  bool changes_depth = false;
  std::vector<std::string> lines;     ///< remarks on the source files, one line each
  std::vector<std::string> warnings;  ///< one line each
  std::filesystem::path folder;       ///< folder of the run
};

/// Flies a run's policy through the forecast that its environment was made of: between the
/// forecast's own points and times, over its own land, on the ellipsoid, without modes, cells or
/// steps. Only the policy, the mission and the reading of files are shared with the code of plans
/// and flights (docs/trust/accuracy.md). Each member is flown; with --lagged each shift of the
/// forecast. A vehicle that dives goes down and up through the source's own levels. Station keeping
/// is measured as for flights.
///
/// Errors: InputError for a missing run or file, and if the source ends short of the mission in
/// place or time, or has other members than the environment.
Rehearsal rehearse(const RehearsalRequest& request, Progress& progress);

/// Returns the name of `keeping` in files.
const char* name_of_keeping(const Rehearsal& rehearsal);

/// True if the mission succeeds: the flight arrives, or keeps to its place until its time is up.
bool succeeds(const Rehearsal& rehearsal, const RehearsalFlight& flight);

/// Returns the outlook of the members: arrival or station keeping.
Outlook outlook_of(const Rehearsal& rehearsal);

/// Returns the relative difference of flight n's time or distance from member n's, or for station
/// keeping the difference of their shares of time within the target. nullopt for a mission with a
/// target unless both arrive. Requires `paired`.
std::optional<double> difference_of_pair(const Rehearsal& rehearsal, std::size_t n);
/// Returns the same difference for the means of all flights; NaN if there are none.
double difference_of_means(const Rehearsal& rehearsal);

/// Returns a warning for members whose flights differ: only one of the two arrives, or their times
/// differ by more than 5 %, their shares of time within the target by more than 5 points, or their
/// distances by more than a tenth. If flights do not belong to members, their means are compared.
/// Empty without differences.
std::string warn_of_differences(const Rehearsal& rehearsal);

/// Returns the tracks of rehearsal and flights, start and target as GeoJSON (RFC 7946).
std::string rehearsal_map(const Rehearsal& rehearsal);

}  // namespace tidewise

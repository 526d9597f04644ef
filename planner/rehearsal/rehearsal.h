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

/// A run's policy through the forecast's own files.
struct RehearsalRequest {
  std::string run;                            ///< the folder of 'tidewise plan', or its policy.h5
  std::vector<std::filesystem::path> source;  ///< NetCDF, in any order of time
  /// Options with which the environment was imported from them: names, depth, members, box; its
  /// files are names without folders. nullopt if the environment does not record it: then with the
  /// command's defaults.
  std::optional<ingest::ImportOptions> import;
  double step = 600;  ///< step of the integration [s]
  /// Vertical speed of a vehicle that dives [m s-1]; nullopt: the mission's, else
  /// usual_vertical_speed.
  std::optional<double> vertical_speed = {};
  std::optional<std::int32_t> threads;  ///< nothing: all
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
  std::string name;  ///< "member 3", "6 h earlier", "the forecast"; of flights "realization 3"
  TrajectoryOutcome outcome = TrajectoryOutcome::out_of_time;
  double duration = 0;                ///< from the departure to its end [s]
  std::vector<RehearsalPoint> track;  ///< one point at least
  /// Station keeping as in Keeping; NaN if the mission is to arrive.
  double keeping = std::numeric_limits<double>::quiet_NaN();
};

inline bool arrives(const RehearsalFlight& flight) {
  return flight.outcome == TrajectoryOutcome::arrived;
}

/// Statistics of several flights.
struct RehearsalFigures {
  double arrival = 0;  ///< share
  double time = 0;     ///< mean of those that arrive [s]; NaN where none does
  double keeping = std::numeric_limits<double>::quiet_NaN();  ///< mean, as of one
};

struct Rehearsal {
  /// For objectives with keeps(), `keeping` counts, for others arrivals and times.
  Objective objective = Objective::time;
  ForecastUncertainty uncertainty = ForecastUncertainty::ensemble;  ///< uncertainty of the forecast
  std::vector<RehearsalFlight> members;  ///< through the source, one for each of its members
  /// The run's, through its environment: of the same member where flight n belongs to member n
  /// (`paired`), else of the realizations that were flown.
  std::vector<RehearsalFlight> flights;
  bool paired = false;
  std::optional<RehearsalFigures>
      promise;                 ///< the plan's prediction; nullopt if the run does not hold it
  RehearsalFigures flown;      ///< figures of the simulated flights
  RehearsalFigures rehearsed;  ///< figures of the rehearsed members
  double departure = 0;        ///< [s since 1970]
  double lasts = 0;            ///< from then until time is up [s]
  std::vector<GeographicPoint> targets;   ///< centres of its discs, or of its cells
  std::vector<GeographicPoint> followed;  ///< vertices of what is followed in place of a target
  double target_radius = 0;               ///< [m]; 0: the target is cells
  double distance_between_decisions =
      0;  ///< [m] made through the water between two decisions; 0: each step decides
  std::vector<std::string> profiles;  ///< names; empty: it does not dive
  /// True if the vehicle changes from one dive to another, to a held depth, or to the surface.
  bool changes_depth = false;
  std::vector<std::string> lines;     ///< remarks on the source files, a line each
  std::vector<std::string> warnings;  ///< a line each
  std::filesystem::path folder;       ///< the run's
};

/// Flies a run's policy through the forecast that its environment was made of: between the
/// forecast's own points, between its own times, over its own land, on the ellipsoid, without
/// modes, cells or steps, by code that shares with plans and flights nothing but the policy, the
/// mission and the reading of files (docs/trust/accuracy.md). Each member is flown; with --lagged
/// each shift of the forecast. A vehicle that dives goes down and up through the source's own
/// levels. How well it keeps to a place is measured as of flights.
///
/// Errors: InputError where there is no such run or file, where the source ends short of the
/// mission in place or time, or has other members than the environment.
Rehearsal rehearse(const RehearsalRequest& request, Progress& progress);

/// Name of `keeping` in files.
const char* name_of_keeping(const Rehearsal& rehearsal);

/// True if the mission succeeds: the flight arrives, or keeps to its place until its time is up.
bool succeeds(const Rehearsal& rehearsal, const RehearsalFlight& flight);

/// Arrival or station keeping of the members.
Outlook outlook_of(const Rehearsal& rehearsal);

/// By how much flight n's time or distance differs from member n's, as a share of that, or by what
/// share of the time it is longer within the target; nothing if the mission is to arrive and
/// one of the two does not. Requires `paired`.
std::optional<double> difference_of_pair(const Rehearsal& rehearsal, std::size_t n);
/// Difference between the means of all flights; NaN if there are none.
double difference_of_means(const Rehearsal& rehearsal);

/// A line for members whose flights are otherwise: one of the two does not arrive, or their times
/// are more than 5 % apart, their times within more than 5 points or their distances more than a
/// tenth; where flights belong to no members, for the averages. Empty where all are alike.
std::string warn_of_differences(const Rehearsal& rehearsal);

/// The tracks of rehearsal and flights, start and target as GeoJSON (RFC 7946), for maps.
std::string rehearsal_map(const Rehearsal& rehearsal);

}  // namespace tidewise

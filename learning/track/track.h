#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "env/file/reader.h"
#include "learning/flow_observation.h"

namespace tidewise {

/// How a track is to be taken, and how good it is. Velocities in m s-1, or 1 where the environment
/// is without units; standard deviations.
struct TrackOptions {
  std::vector<std::string> columns = {};        ///< "ROLE=COLUMN", for names that are not known
  std::optional<std::int32_t> trajectory = {};  ///< of a file with several
  /// It is a drifter: its motion is the flow, whatever its file says beside its fixes. Legs
  /// shorter than a step of the environment are joined, since their errors are not independent.
  bool drifter = false;
  /// Fixes without currents are enough: such a track has no legs, but a last fix.
  bool fixes_suffice = false;
  /// Of what was observed, each component of a leg's mean flow; the file's own errors prevail.
  /// Default: 0.02 m/s; to be given where the environment is without units.
  std::optional<double> error = {};
  /// Of each coordinate of a fix [m or 1]; default 10 m, or 0.
  std::optional<double> fix_error = {};
  /// How far a leg's mean flow is from what cells and modes can show; default 0.03 m/s, or 0.
  std::optional<double> representation = {};
  /// How many of the profiles that are read, the first of them, the vehicle dives; 0: all.
  std::size_t dived = 0;
  /// The profile of the environment, of several, that was dived on legs of which the file says
  /// neither profile nor depth. Default: the one that the vehicle dives; of several, such legs are
  /// refused.
  std::optional<std::string> profile = {};
  /// Over how long u and v were averaged [s or 1], where the file says only when and where that
  /// was. Default: twice the time from there to the farthest that its own rows reach.
  std::optional<double> averaged_over = {};
};

/// A velocity through the water as it was steered or dead reckoned [m s-1 or 1].
struct CommandedMotion {
  double u = 0;  ///< along x, of the plane
  double v = 0;
  /// Standard deviations of the motion through the water as it is measured by fixes and current,
  /// without the vehicle's own errors and those of a forecast.
  double error_u = 0;
  double error_v = 0;
};

/// The mean flow along a leg, as it was observed.
struct ObservedLeg {
  TrackLeg leg;
  double u = 0;  ///< along x, of the plane [m s-1 or 1]
  double v = 0;
  double own_u = 0;  ///< what the vehicle did itself, already taken off
  double own_v = 0;
  double error_u = 0;  ///< standard deviations, of all causes
  double error_v = 0;
  std::size_t row = 0;                ///< of the file, where the leg ends
  std::optional<double> told_u = {};  ///< the current as the file's columns have it
  std::optional<double> told_v = {};
  std::optional<double> dive = {};           ///< its number, where the file says so
  std::optional<double> depth = {};          ///< how deep it went [m], likewise
  std::optional<std::int32_t> profile = {};  ///< that was dived, where several are read
  std::optional<CommandedMotion> commanded = {};
};

/// Where a track ends.
struct LastFix {
  double time = 0;
  PlanePoint at;
  std::size_t row = 0;       ///< of the file
  bool is_inside = true;     ///< in the environment
  bool is_reachable = true;  ///< some water and vehicle could have brought it there
  /// The leg that leads to it, where both its fixes are inside, with the errors of these in its
  /// own. Where nothing is known of the flow on it, u and v are all that was made good.
  std::optional<ObservedLeg> leg = {};
  bool says_flow = false;
};

/// Whose observations they are.
enum class ObservedBy { vehicle, drifter, radar };

/// A track's file, understood.
struct ObservedTrack {
  std::filesystem::path path;
  std::string identity = {};  ///< which of several drifters of the file, "ID 64535"
  ObservedBy by = ObservedBy::vehicle;
  std::string form;     ///< whose file it is: "a Seaglider's dive file"; "" if unknown
  std::string columns;  ///< how they were understood
  std::string kind;     ///< what the flow comes from: "currents", "dead-reckoned positions", …
  std::string errors;   ///< what the error is made of
  std::size_t fixes = 0;
  std::vector<ObservedLeg> legs;   ///< by time
  LastFix last;                    ///< whatever is known of the way to it
  std::vector<std::string> notes;  ///< what was done about what was odd
};

/// Reads a track and makes legs of it, each from a fix to the next, in the environment's plane and
/// times: of a CSV, GPX or NetCDF file, among them a Seaglider's dive, an OG1 file and a data
/// assembly centre's, or of a Slocum's surface log. Between two fixes the flow is
///
///   - u and v of the later one, where the file has currents;
///   - (fix − dead-reckoned position) / duration, of the later one;
///   - (fix − last fix) / duration − the velocity through the water that the earlier one names; or
///     all of it where the vehicle drifts.
///
/// Currents to east and north, and bearings, are turned into the plane by the meridian convergence.
/// Legs before the first level's time or after the last, and places outside the domain, are left
/// out and noted. Where several profiles of the environment are read, a leg is of the one that its
/// row names, else of the one that its greatest depth is nearest to, among those that the vehicle
/// dives; drifters and radars are at the surface unless they say a depth. Errors: InputError naming
/// file, row and remedy: columns that are not there, times and numbers that cannot be read, two
/// places at one time, a longitude of the wrong sign, latitude and longitude exchanged, nothing
/// left, a leg of unknown profile, several vehicles in one file (of drifters it is
/// the first).
ObservedTrack read_track(const std::filesystem::path& path, const EnvironmentReader& environment,
                         const TrackOptions& options);

/// What is to be learned from.
struct ObservationFiles {
  std::vector<std::filesystem::path> tracks = {};    ///< of the vehicle
  std::vector<std::filesystem::path> drifters = {};  ///< tracks as well
  std::vector<std::filesystem::path> radars = {};    ///< gridded surface currents

  std::vector<std::filesystem::path> all() const;
};

/// What is done where no file has a leg in the forecast: it is refused, or enough if the vehicle's
/// last fix lies there. Then the vehicle's tracks may lack what makes legs.
enum class WithoutLegs { refused, last_fix };

/// Reads many, in any order; they come by time. Surface logs among the tracks are one, and so are
/// all radars' fields (track/radar.h); of a file of several drifters each is a track; legs that
/// several have count once; of files none of whose legs is in the forecast a note is left, unless
/// all are so, of whichever kind.
std::vector<ObservedTrack> read_observations(const ObservationFiles& files,
                                             const EnvironmentReader& environment,
                                             const TrackOptions& options,
                                             WithoutLegs without = WithoutLegs::refused);

}  // namespace tidewise

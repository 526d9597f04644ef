#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "env/file/reader.h"
#include "learning/flow_observation.h"

namespace tidewise {

/// Options for reading a track, and its errors. Errors are standard deviations; velocities are in m
/// s-1, or 1 if the environment has no units.
struct TrackOptions {
  std::vector<std::string> columns = {};        ///< "ROLE=COLUMN", for columns of unknown names
  std::optional<std::int32_t> trajectory = {};  ///< number of the track in a file with several
  /// The track is that of a drifter: its motion is the flow, and currents in its file are not used.
  /// Legs shorter than a step of the environment are joined, because their errors are not
  /// independent.
  bool drifter = false;
  /// Accept fixes without currents; such a track has no legs, but a last fix.
  bool accept_fixes_only = false;
  /// Error of each component of a leg's observed mean flow; errors in the file take precedence.
  /// Default: 0.02 m/s; required if the environment has no units.
  std::optional<double> error = {};
  /// Error of each coordinate of a fix [m or 1]; default 10 m, or 0.
  std::optional<double> fix_error = {};
  /// Representation error: the part of a leg's mean flow that cells and modes cannot represent;
  /// default 0.03 m/s, or 0.
  std::optional<double> representation = {};
  /// Number of profiles that the vehicle dives: the first ones of those that are read; 0: all.
  std::size_t dived_profiles = 0;
  /// The environment's profile of legs whose profile and depth the file does not give. Default: the
  /// vehicle's only profile; with several, such legs are refused.
  std::optional<std::string> profile = {};
  /// Averaging time of u and v [s or 1], if the file gives only their time and position. Default:
  /// twice the time from there to its farthest row.
  std::optional<double> averaged_over = {};
};

/// A commanded or dead-reckoned velocity through the water [m s-1 or 1].
struct CommandedMotion {
  double u = 0;  ///< along x of the plane
  double v = 0;  ///< along y
  /// Standard deviations of the motion through the water as measured from fixes and current,
  /// without the vehicle's own errors and those of a forecast.
  double error_u = 0;
  double error_v = 0;
};

/// The observed mean flow along a leg.
struct ObservedLeg {
  TrackLeg leg;
  double u = 0;      ///< along x of the plane [m s-1 or 1]
  double v = 0;      ///< along y
  double own_u = 0;  ///< the vehicle's motion through the water, already subtracted
  double own_v = 0;
  double error_u = 0;  ///< standard deviations, from all causes
  double error_v = 0;
  std::size_t row = 0;                    ///< row of the file in which the leg ends
  std::optional<double> reported_u = {};  ///< the current as in the file's columns
  std::optional<double> reported_v = {};
  std::optional<double> dive = {};           ///< number of the dive, if the file gives it
  std::optional<double> depth = {};          ///< greatest depth [m], if the file gives it
  std::optional<std::int32_t> profile = {};  ///< profile of the dive, if several are read
  std::optional<CommandedMotion> commanded = {};
};

/// The last fix of a track.
struct LastFix {
  double time = 0;
  PlanePoint at;
  std::size_t row = 0;       ///< row of the file
  bool is_inside = true;     ///< in the environment
  bool is_reachable = true;  ///< the motion to it is physically possible
  /// The leg to it, if both its fixes are inside; its errors include those of the fixes. If the
  /// flow on it is unknown, u and v are the whole motion made good.
  std::optional<ObservedLeg> leg = {};
  bool flow_is_known = false;  ///< the flow on `leg` is known
};

/// The kind of observer.
enum class ObservedBy { vehicle, drifter, radar };

/// The content of a track's file.
struct ObservedTrack {
  std::filesystem::path path;
  std::string identity = {};  ///< name of one of several drifters in the file, "ID 64535"
  ObservedBy by = ObservedBy::vehicle;
  std::string file_kind;  ///< "a Seaglider's dive file"; "" if unknown
  std::string columns;    ///< the meaning given to the columns
  std::string kind;       ///< source of the flow: "currents", "dead-reckoned positions", …
  std::string errors;     ///< the parts of the error
  std::size_t fixes = 0;
  std::vector<ObservedLeg> legs;  ///< by time
  LastFix last;
  std::vector<std::string> notes;  ///< notes on the treatment of irregularities
};

/// Reads a track and makes legs, each from a fix to the next, in the environment's plane and times.
/// The file is CSV, GPX or NetCDF (also a Seaglider's dive, an OG1 file, a file of a data assembly
/// centre), or a Slocum's surface log. Between two fixes the flow is
///
///   - u and v of the later one, if the file has currents;
///   - (fix − dead-reckoned position) / duration, of the later one;
///   - (fix − last fix) / duration − the velocity through the water given at the earlier one; for a
///     drifter this velocity is 0.
///
/// Eastward and northward currents, and bearings, are rotated into the plane by the meridian
/// convergence. Legs before the first level's time or after the last, and positions outside the
/// domain, are left out and noted. If several profiles of the environment are read, a leg belongs
/// to the one that its row names, else to the one with the depth nearest to its greatest depth,
/// among those that the vehicle dives. Drifters and radars are at the surface unless they give a
/// depth. Errors: InputError naming file, row and remedy: missing columns, times and numbers that
/// cannot be read, two positions at one time, a longitude of the wrong sign, latitude and longitude
/// exchanged, nothing left, a leg of unknown profile, several vehicles in one file (for drifters
/// the first one is read).
ObservedTrack read_track(const std::filesystem::path& path, const EnvironmentReader& environment,
                         const TrackOptions& options);

/// Files of observations.
struct ObservationFiles {
  std::vector<std::filesystem::path> tracks = {};    ///< tracks of the vehicle
  std::vector<std::filesystem::path> drifters = {};  ///< tracks as well
  std::vector<std::filesystem::path> radars = {};    ///< gridded surface currents

  /// All files.
  std::vector<std::filesystem::path> all() const;
};

/// The result if no file has a leg in the forecast: `refused` is an error; `last_fix` accepts
/// tracks whose last fix lies in the forecast, even if they lack the data for legs.
enum class WithoutLegs { refused, last_fix };

/// Reads several files, in any order, and returns their tracks by time. All surface logs form one
/// track, as do all radars' fields (track/radar.h). In a file of several drifters each is a track.
/// Legs that several files have count once. Files without legs in the forecast are noted; if all
/// files are so, it is an error (WithoutLegs).
std::vector<ObservedTrack> read_observations(const ObservationFiles& files,
                                             const EnvironmentReader& environment,
                                             const TrackOptions& options,
                                             WithoutLegs without = WithoutLegs::refused);

}  // namespace tidewise

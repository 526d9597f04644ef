#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "tidewise/polygon.h"

namespace tidewise {

/// The objective of a mission. Minimized: `time`, `energy` (spent), `net_energy` (spent less
/// harvested), `weighted` (a weighted sum of time and energy spent), `follow` (mean distance from a
/// track, Goal::follow). Maximized: `arrival`, the probability of arriving before the deadline;
/// `stay`, the time within the target until the deadline, where entering the target does not end
/// the mission.
enum class Objective { time, energy, net_energy, weighted, arrival, stay, follow };

/// Cost of motion and gain of harvesting, per unit of time. F: speed through the water, g: mean
/// scalar field.
struct EnergyModel {
  double c_f = 1.0;    ///< spent: c_f F² + c_t + dive
  double c_t = 0.0;    ///< spent at any speed
  double c_r = 1.0;    ///< harvested: c_r g
  double alpha = 0.5;  ///< `weighted` minimizes α (c_f F² + dive) + (1−α)
  double dive = 0.0;   ///< power of the action's profile; NaN in a mission with `profile_power`
};

/// A place as the user specifies it: a point, several equivalent points, or polygons.
struct Position {
  /// Coordinates: x and y, or longitude and latitude.
  enum class Frame { plane, geographic };

  Frame frame = Frame::plane;
  double first = 0;                    ///< x [m or 1], or longitude [degrees east]
  double second = 0;                   ///< y [m or 1], or latitude [degrees north]
  std::vector<Vertex> others = {};     ///< further points, equivalent to the first
  std::vector<Polygon> polygons = {};  ///< areas, used instead of the points if not empty
};

/// A time as the user specifies it: a level of the environment, or a date. A departure may lie
/// between two levels: 6.4 is 0.4 of a step after level 6.
struct Moment {
  Moment() = default;
  Moment(double time_level) : level(time_level) {}
  /// A date [s since 1970-01-01T00:00:00Z].
  static Moment at_date(double seconds) {
    Moment moment;
    moment.date = seconds;
    return moment;
  }

  double level = 0;                 ///< a level of the environment, from 0; unused if `date` is set
  std::optional<double> date = {};  ///< [s since 1970-01-01T00:00:00Z]

  friend bool operator==(const Moment&, const Moment&) = default;
};

/// A duration as the user specifies it: steps between levels, or seconds.
struct TimeSpan {
  TimeSpan() = default;
  TimeSpan(std::int32_t step_count) : steps(step_count) {}
  /// A duration in seconds.
  static TimeSpan of_seconds(double seconds) {
    TimeSpan span;
    span.seconds = seconds;
    return span;
  }

  std::int32_t steps = 0;              ///< number of steps; unused if `seconds` is set
  std::optional<double> seconds = {};  ///< [s]

  friend bool operator==(const TimeSpan&, const TimeSpan&) = default;
};

/// The end of a mission: a moment, or a duration after the departure.
using Deadline = std::variant<Moment, TimeSpan>;

/// Water that a mission must not enter, in addition to the closed cells of the environment.
struct NoGoZone {
  Position::Frame frame = Position::Frame::plane;  ///< coordinates of the polygons
  std::vector<Polygon> polygons;                   ///< the closed areas
  std::optional<Moment> from = {};   ///< start of the closure, included; absent: from the beginning
  std::optional<Moment> until = {};  ///< end of the closure, included; absent: to the end
};

/// A place to pass before the target. It is passed when a step ends in it.
struct ViaPoint {
  Position place;     ///< points or polygons
  double radius = 0;  ///< [m or 1] around each point; 0: the cell that holds the point
};

/// A mission, before its environment is known. Units are those of the environment: metres and
/// seconds, or none. docs/missions.md explains each member; the values here are the defaults.
struct MissionRequest {
  /// The vehicle.
  struct Vehicle {
    std::vector<double> speeds;  ///< [m s-1 or 1] through the water; at least one
    std::int32_t headings = 32;  ///< number of headings, evenly spaced
    /// Names of the environment's profiles that the vehicle can dive; the plan chooses one with
    /// each action. Empty if the environment has one velocity.
    std::vector<std::string> profiles = {};
    /// Speed through the water on a dive of each profile, instead of `speeds` [m s-1 or 1].
    std::optional<std::vector<double>> profile_speeds = {};
    /// Power on a dive of each profile, added to c_f F² + c_t (Goal::energy). In a mission file
    /// with this key, c_f and c_t are 0 unless they are given.
    std::optional<std::vector<double>> profile_power = {};
    /// Duration of the drift at the surface between two decisions (Goal::decide_every) [s]. The
    /// environment's profile "surface" carries the vehicle then. Only in seconds.
    std::optional<TimeSpan> surface_drift = {};
    /// Speeds through the water that the vehicle has [m s-1 or 1].
    const std::vector<double>& through_water() const {
      return profile_speeds ? *profile_speeds : speeds;
    }
    /// Energy in the battery at departure, in the unit of the energy spent. A flight whose battery
    /// runs empty fails; the plan does not take this into account. Absent: unlimited.
    std::optional<double> battery;
    /// Standard deviation of the speed through the water [m s-1 or 1]; one error is drawn per dive.
    double speed_error = 0;
    /// Standard deviation of the heading [degrees]; one error is drawn per dive.
    double heading_error = 0;
  };
  /// Start, target, times and rewards.
  struct Goal {
    Objective objective = Objective::time;  ///< the quantity to optimize
    Position start;                         ///< one point
    Position target;                        ///< ignored if the objective is `follow`
    /// The track that the objective `follow` keeps to, a CSV file with columns time, lon, lat or
    /// time, x, y. A fixed line has no column time.
    std::filesystem::path follow;
    std::vector<ViaPoint> via;  ///< via points, in this order
    /// Distance from a point of the target that counts as arrival [m or 1]; 0: the point's cell
    /// only. Absent: a cell's width, for eight points at most.
    std::optional<double> target_radius;
    /// Start of the mission.
    Moment departure;
    std::optional<TimeSpan> horizon;  ///< from the departure; absent: to the last level
    /// End of the mission, instead of `horizon`: the last level at or before this moment, or at or
    /// before this time after the departure.
    std::optional<Deadline> deadline;
    /// Interval between decisions, such as the dives of a glider that cannot steer under water.
    /// Actions are held between decisions, counted from the departure. Absent: a decision at each
    /// step.
    std::optional<TimeSpan> decide_every;
    /// Closed areas.
    std::vector<NoGoZone> no_go;
    /// Reward of arriving. Ignored, like the failure penalties, if the objective is `arrival`.
    double arrival_reward = 100;
    /// Reward of each failure, 0 or less. Absent: derived from the mission's costs such that
    /// neither grounding nor lateness pays, and grounding pays less than lateness. A late vehicle
    /// also pays for its remaining distance: see docs/missions.md.
    struct Failure {
      std::optional<double> obstacle;  ///< hitting an obstacle
      std::optional<double> outside;   ///< leaving the domain
      std::optional<double> late;      ///< not arriving by the deadline

      /// True if one of them is given.
      bool any() const { return obstacle || outside || late; }
    };
    Failure failure;  ///< a reward for each kind of failure
    /// One reward for all failures, anywhere; cannot be combined with `failure`.
    std::optional<double> failure_penalty;
    /// Costs and gains of the energy objectives.
    EnergyModel energy;
  };

  Vehicle vehicle;
  Goal goal;
};

}  // namespace tidewise

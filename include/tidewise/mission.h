#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "tidewise/polygon.h"

namespace tidewise {

/// What is made as small as possible on the way: time, energy spent, energy spent less harvested,
/// or a weighted sum of the first two; or what is made as great as possible: `arrival`, the
/// probability of arriving before time is up; `stay`, the time within the target until then, which
/// is no end to the way there. `follow`: the mean distance from a track (Goal::follow).
enum class Objective { time, energy, net_energy, weighted, arrival, stay, follow };

/// What motion costs and harvesting brings. F: speed through the water, g: mean scalar field.
struct EnergyModel {
  double c_f = 1.0;  ///< spent: (c_f F² + c_t + dive) a unit of time
  double c_t = 0.0;
  double c_r = 1.0;    ///< harvested: c_r g a unit of time
  double alpha = 0.5;  ///< `weighted`: α (c_f F² + dive) + (1−α)
  double dive = 0.0;   ///< of the profile that is dived; NaN of a mission that has `profile_power`
};

/// A place as the user gave it: a point, several of which any will do, or anywhere in polygons.
struct Position {
  enum class Frame { plane, geographic };

  Frame frame = Frame::plane;
  double first = 0;                    ///< x [m or 1], or longitude [degrees east]
  double second = 0;                   ///< y [m or 1], or latitude [degrees north]
  std::vector<Vertex> others = {};     ///< further points that will do as well
  std::vector<Polygon> polygons = {};  ///< in place of points: anywhere in one of them
};

/// A time as the user gave it: a level of the environment's times, or a date. A departure may lie
/// between two levels: 6.4 is 0.4 of a step after level 6.
struct Moment {
  Moment() = default;
  Moment(double time_level) : level(time_level) {}
  /// [s since 1970-01-01T00:00:00Z]
  static Moment at_date(double seconds) {
    Moment moment;
    moment.date = seconds;
    return moment;
  }

  double level = 0;
  std::optional<double> date = {};  ///< [s since 1970-01-01T00:00:00Z]; there: in place of `level`

  friend bool operator==(const Moment&, const Moment&) = default;
};

/// A length of time as the user gave it: steps between levels, or seconds.
struct TimeSpan {
  TimeSpan() = default;
  TimeSpan(std::int32_t step_count) : steps(step_count) {}
  static TimeSpan of_seconds(double seconds) {
    TimeSpan span;
    span.seconds = seconds;
    return span;
  }

  std::int32_t steps = 0;
  std::optional<double> seconds = {};  ///< [s]; there: in place of `steps`

  friend bool operator==(const TimeSpan&, const TimeSpan&) = default;
};

/// When time is up: a moment, or so long after the departure.
using Deadline = std::variant<Moment, TimeSpan>;

/// Water that a mission is not to enter, on top of what the environment closes.
struct NoGoZone {
  Position::Frame frame = Position::Frame::plane;
  std::vector<Polygon> polygons;
  std::optional<Moment> from = {};   ///< closed from then on; absent: always was
  std::optional<Moment> until = {};  ///< and until then, both included; absent: stays so
};

/// A place to pass on the way to the target: reached where a step ends in it.
struct ViaPoint {
  Position place;
  double radius = 0;  ///< [m or 1] around each of its points; 0: the cell that holds it
};

/// What a vehicle is to do, before it meets its environment, whose units count: metres and seconds,
/// or none. docs/missions.md explains every member, and what stands here are the defaults.
struct MissionRequest {
  struct Vehicle {
    std::vector<double> speeds;  ///< [m s-1 or 1] through the water; at least one
    std::int32_t headings = 32;
    /// Where it dives, by the names of the environment's profiles: of several the plan chooses one
    /// with each action. Empty: where the environment has one velocity.
    std::vector<std::string> profiles = {};
    /// [m s-1 or 1] through the water on a dive of each of them, in place of `speeds`.
    std::optional<std::vector<double>> profile_speeds = {};
    /// Drawn on a dive of each of them, on top of c_f F² + c_t (Goal::energy), a unit of time. A
    /// mission file that says it has c_f and c_t of 0 unless it says those too.
    std::optional<std::vector<double>> profile_power = {};
    /// How long it drifts at the surface between two decisions (Goal::decide_every), carried by the
    /// profile of the environment that is named "surface". Seconds alone.
    std::optional<TimeSpan> surface_drift = {};
    /// All speeds through the water that it has.
    const std::vector<double>& through_water() const {
      return profile_speeds ? *profile_speeds : speeds;
    }
    /// What its battery holds when it departs, in the unit of the energy spent. Flights that run
    /// empty fail; the plan does not know of it. Absent: no end to it.
    std::optional<double> battery;
    /// Standard deviation of the speed through the water [m s-1 or 1], drawn once a dive.
    double speed_error = 0;
    /// Standard deviation of the heading [degrees], drawn once a dive.
    double heading_error = 0;
  };
  struct Goal {
    Objective objective = Objective::time;
    Position start;
    Position target;  ///< not looked at where the objective is `follow`
    /// What `follow` keeps to, a CSV file: time, lon, lat or time, x, y of a point that moves; of a
    /// line that does not the same without times.
    std::filesystem::path follow;
    std::vector<ViaPoint> via;  ///< to pass before the target, in this order
    /// [m or 1] Who comes this near to a point of the target has arrived; 0: who is in its cell.
    /// Absent: a cell's width, around eight points at most.
    std::optional<double> target_radius;
    Moment departure;
    std::optional<TimeSpan> horizon;  ///< from the departure on; absent: to the last level
    /// In place of `horizon`: time is up at the last level that is no later, or that is so long
    /// after the departure.
    std::optional<Deadline> deadline;
    /// From one decision to the next, as of a glider that holds its heading until it surfaces: an
    /// action is held between, from the departure on. Absent: each step decides.
    std::optional<TimeSpan> decide_every;
    std::vector<NoGoZone> no_go;
    // What arriving and failing are worth is not looked at where the objective is `arrival`.
    double arrival_reward = 100;
    /// What each failure is worth, 0 or less; absent: by the mission's costs, such that neither
    /// grounding nor being late is ever worth it, and grounding less so. What a vehicle that is
    /// late has still to go costs it more: see docs/missions.md.
    struct Failure {
      std::optional<double> obstacle;
      std::optional<double> outside;
      std::optional<double> late;

      bool any() const { return obstacle || outside || late; }
    };
    Failure failure;
    /// One number in place of all three, wherever a vehicle fails; not beside `failure`.
    std::optional<double> failure_penalty;
    EnergyModel energy;
  };

  Vehicle vehicle;
  Goal goal;
};

}  // namespace tidewise

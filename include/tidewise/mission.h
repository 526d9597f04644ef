#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace tidewise {

/// What is made as small as possible on the way: time, energy spent, energy spent less harvested,
/// or a weighted sum of the first two; or, `arrival`, what is made as great as possible: the
/// probability of arriving before time is up.
enum class Objective { time, energy, net_energy, weighted, arrival };

/// What motion costs and harvesting brings. F: speed through the water, g: mean scalar field.
struct EnergyModel {
  double c_f = 1.0;  ///< spent: (c_f F² + c_t) a unit of time
  double c_t = 0.0;
  double c_r = 1.0;    ///< harvested: c_r g a unit of time
  double alpha = 0.5;  ///< `weighted`: α c_f F² + (1−α)
};

/// A point as the user gave it.
struct Position {
  enum class Frame { plane, geographic };

  Frame frame = Frame::plane;
  double first = 0;   ///< x [m or 1], or longitude [degrees east]
  double second = 0;  ///< y [m or 1], or latitude [degrees north]
};

/// What a vehicle is to do, before it meets its environment, whose units count: metres and seconds,
/// or none. docs/missions.md explains every member, and what stands here are the defaults.
struct MissionRequest {
  struct Vehicle {
    std::vector<double> speeds;  ///< [m s-1 or 1] through the water; at least one
    std::int32_t headings = 32;
    /// What its battery holds when it departs, in the unit of the energy spent. Flights that run
    /// empty fail; the plan does not know of it. Absent: no end to it.
    std::optional<double> battery;
  };
  struct Goal {
    Objective objective = Objective::time;
    Position start;
    Position target;
    double target_radius = 0;             ///< [m or 1]; more than 0: a disc, which ends flights
    std::int32_t departure = 0;           ///< time level
    std::optional<std::int32_t> horizon;  ///< steps; absent: to the last level
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

#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "env/level_fields.h"
#include "env/units/geographic_position.h"
#include "env/units/meridian_convergence.h"
#include "model_builder/step/actions.h"
#include "planner/rehearsal/dive.h"
#include "planner/rehearsal/rehearsal.h"
#include "planner/rehearsal/source_field.h"
#include "solver/step/kept_scalar.h"
#include "solver/step/mission.h"

namespace tidewise::rehearsal {

/// The policy's plane and actions, the mission, and the accuracy of integration. Times are the
/// environment's [s]; adding `origin` gives seconds since 1970.
struct Orders {
  const Mission* mission = nullptr;
  const std::vector<Action>* actions = nullptr;
  Grid grid;
  std::vector<double> longitude, latitude;  ///< cell centres [degrees], (y, x)
  std::optional<MeridianConvergence> convergence;
  std::vector<Vector> targets;  ///< centres of the target's discs
  double origin = 0;
  double part = 600;              ///< maximum step of the integration [s]
  std::vector<DiveDepths> dives;  ///< depths of the actions' profiles; empty: the vehicle stays at
                                  ///< the depth of the source
  double vertical_speed = 0.1;    ///< [m s-1]
  double surface_drift = 0;       ///< [s] at the surface before each decision; 0: does not surface
};

/// Constants of a step of the policy.
struct PolicyStep {
  double begin = 0, end = 0;                       ///< times of the environment [s]
  bool holds = false;                              ///< vehicles keep their courses
  double decides = 0;                              ///< time of the next decision [s]
  std::vector<std::vector<std::int16_t>> actions;  ///< (leg), (y, x)
  /// Cells closed for other reasons than the source's land, as in env/mask.h: zones, obstacles, and
  /// the edge of the environment's part of the source. (y, x)
  std::vector<std::uint8_t> closed;
  /// For station keeping and target following: the rate of reward at a place between `begin` and
  /// `end`, as for flights, and the environment's level for it.
  KeptScalar kept;
  LevelView level;
};

/// One vehicle in one member of the source, from the departure on. At the beginning of each step
/// that decides, it takes the action of its cell and holds the true course, the speed through the
/// water and the depths of the dive until the next decision. The path in between is integrated by
/// the classical Runge-Kutta method of fourth order in equal steps, which end at each time of the
/// source, where the flow has a kink. A vehicle that surfaces to decide drifts there with the
/// surface flow.
class Vehicle {
 public:
  /// `orders` and `field` must outlive it. `lag`: the member's time minus the policy's [s].
  Vehicle(const Orders& orders, SourceField& field, const std::vector<double>& source_times,
          std::size_t member, double lag);

  bool under_way() const { return under_way_; }
  /// FlightEnd::harvested for station keeping and target following.
  double harvested() const { return harvested_; }
  void fly(const PolicyStep& step);
  /// Returns the flight; a vehicle that is still under way has run out of time.
  RehearsalFlight finished(std::string name) const;

 private:
  struct Course {
    EastNorth through_water;
    double power = 0;  ///< energy spent per second
    std::int32_t profile = 0;
  };

  void end_step(double time);
  bool take_course(const PolicyStep& step);
  void fly_part(const PolicyStep& step, double begin, double length);
  /// Returns the time from which the vehicle drifts at the surface before the next decision;
  /// infinity if it does not.
  double surfacing(const PolicyStep& step) const;
  /// Returns true if the source covers all places of the path.
  bool integrate(const PolicyStep& step, double begin, double length, Vector& up);
  double share_until_target(Vector from, Vector to) const;
  void check_place(const PolicyStep& step, double time);
  /// Returns the rate of reward at the vehicle's place, for station keeping and target following.
  double expected_return(const PolicyStep& step, double time) const;
  std::optional<std::size_t> find_cell();
  void end(TrajectoryOutcome outcome, double time);
  /// Returns the place of the vehicle; `instant`: seconds since 1970.
  RehearsalPoint point_at(double instant) const;
  void record(double time);

  const Orders& orders_;
  SourceField& field_;
  const std::vector<double>& source_times_;
  std::size_t member_;
  double lag_;
  PlaneFinder finder_;
  PlanePoint plane_;
  Corners near_;
  Vector up_;
  std::size_t leg_ = 0;
  std::int32_t dives_ = 0;  // since the departure
  Course course_;
  Dive dive_;
  double spent_ = 0;
  double expected_return_ = 0;  // expected return at its last place
  double harvested_ = 0;
  bool under_way_ = true;
  double last_time_ = 0;
  RehearsalFlight flight_;
};

}  // namespace tidewise::rehearsal

#include "solver/route/waypoint_rollout.h"

#include <cstdint>

#include "env/levels/level_pair.h"
#include "solver/fly/ensemble.h"
#include "solver/legs/legs.h"
#include "solver/pass/forward.h"
#include "solver/route/waypoint_step.h"
#include "solver/step/reward.h"

namespace tidewise {
namespace {

std::vector<WaypointGoal> goals_of(const std::vector<WaypointAim>& aims, const Mission& mission,
                                   double step) {
  std::vector<WaypointGoal> goals;
  goals.reserve(aims.size());
  for (const WaypointAim& aim : aims) {
    const EnergyModel energy = mission.energy_on(aim.profile);
    goals.push_back({{aim.place.x, aim.place.y},
                     aim.speed,
                     power_spent(energy, aim.speed) * step,
                     action_reward(mission.objective, energy, aim.speed, step),
                     aim.profile});
  }
  return goals;
}

// All flights, which advance together.
class WaypointFleet {
 public:
  // `begun`: see Mission::begun.
  WaypointFleet(Ensemble<> ensemble, std::size_t goals, double begun)
      : ensemble_(std::move(ensemble)),
        begun_(begun),
        goal_(ensemble_.size(), 0),
        records_(ensemble_.size(), WaypointRecord(goals)) {
    // A flight that starts in the target has reached it.
    for (std::size_t n = 0; n < ensemble_.size(); ++n) {
      if (ensemble_.state[n] == StepOutcome::arrived) records_[n].arrive(begun_, 0);
    }
  }

  bool under_way() const {  // at departure, when all are in the same state
    return ensemble_.size() > 0 && ensemble_.state[0] == StepOutcome::under_way;
  }

  // Makes one step of all flights. Returns true if a flight is still under way. `step_to_via`: step
  // of flights that have not reached the first `aims_to_via` goals.
  bool advance(const WaypointStep& step_to_via, std::size_t aims_to_via, const WaypointStep& step,
               std::int32_t threads) {
    const std::size_t flights = ensemble_.size();
    const bool in_parallel = flights > max_flights_of_thread;
    bool under_way = false;
#pragma omp parallel for schedule(static) num_threads(threads) if (in_parallel) \
    reduction(||                                                                \
              : under_way)
    for (std::size_t n = 0; n < flights; ++n) {
      const bool is_before_via = static_cast<std::size_t>(goal_[n]) < aims_to_via;
      under_way = advance_flight(is_before_via ? step_to_via : step, n) || under_way;
    }
    return under_way;
  }

  WaypointFlights close(double step) {
    WaypointFlights flights;
    for (std::size_t n = 0; n < ensemble_.size(); ++n) {
      const Vehicle& vehicle = ensemble_.vehicle[n];
      flights.ends.push_back({ensemble_.number[n], final_outcome(ensemble_.state[n]),
                              vehicle.steps_made(begun_) * step, static_cast<float>(vehicle.spent),
                              static_cast<float>(vehicle.harvested), vehicle.total_reward});
    }
    const auto append = [&](std::vector<double>& target, const std::vector<double>& times) {
      for (const double time : times) target.push_back((time - begun_) * step);
    };
    for (const WaypointRecord& record : records_) {
      append(flights.reached, record.reached());
      append(flights.passed, record.passed());
    }
    return flights;
  }

 private:
  bool advance_flight(const WaypointStep& step, std::size_t n) {
    if (ensemble_.state[n] != StepOutcome::under_way) return false;
    ensemble_.state[n] = step(ensemble_.number[n], ensemble_.vehicle[n], goal_[n], records_[n]);
    return ensemble_.state[n] == StepOutcome::under_way;
  }

  Ensemble<> ensemble_;
  double begun_;
  std::vector<std::int32_t> goal_;       // (flight): index of the next waypoint
  std::vector<WaypointRecord> records_;  // (flight)
};

}  // namespace

std::vector<WaypointFlights> fly_waypoints(const EnvironmentReader& environment,
                                           const Mission& mission,
                                           const std::vector<WaypointAim>& aims,
                                           std::size_t aims_to_via,
                                           const std::vector<double>& capture_radii,
                                           const RolloutOptions& options, Progress& progress) {
  const EnvironmentInfo& info = environment.info();
  const std::vector<WaypointGoal> goals = goals_of(aims, mission, info.time.step);
  const std::vector<std::int32_t> numbers = flight_numbers(info, options);
  const Mission first_leg = leg_mission(mission, 0);
  const Mission& first_mission = aims_to_via > 0 ? first_leg : mission;
  LevelPair levels(environment, mission.departure, mission.last);
  std::vector<WaypointFleet> fleets;
  for (std::size_t n = 0; n < capture_radii.size(); ++n) {
    const auto start = static_cast<std::size_t>(mission.start.value);
    fleets.emplace_back(
        depart(info, first_mission, RolloutMode::continuous, numbers, levels.next().masked[start]),
        goals.size(), mission.begun);
  }
  const auto step = [&](TimeLevel k, const LevelView& now, const LevelView& next) {
    const StepContext context =
        make_step_context(info, mission, k, now, next, {mission.target, {}, {}});
    const StepContext context_to_via =
        make_step_context(info, first_mission, k, now, next, {first_mission.target, {}, {}});
    bool under_way = false;
    for (std::size_t n = 0; n < fleets.size(); ++n) {
      under_way = fleets[n].advance({context_to_via, goals, capture_radii[n]}, aims_to_via,
                                    {context, goals, capture_radii[n]}, options.threads) ||
                  under_way;
    }
    return under_way;
  };
  walk_forward(levels, mission.departure, mission.last, "flying the waypoints", progress,
               fleets.front().under_way(), step);
  std::vector<WaypointFlights> results;
  for (std::size_t n = 0; n < fleets.size(); ++n) {
    results.push_back(fleets[n].close(info.time.step));
    results.back().capture_radius = capture_radii[n];
  }
  return results;
}

}  // namespace tidewise

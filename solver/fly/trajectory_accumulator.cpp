#include "solver/fly/trajectory_accumulator.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "base/parallel/first_error.h"
#include "solver/fly/ensemble.h"

namespace tidewise {
namespace {

TrajectoryPoint last_point(double x, double y, float energy, float harvested) {
  constexpr float nan = std::numeric_limits<float>::quiet_NaN();
  return {x, y, nan, nan, energy, harvested};
}

TrajectoryPoint point_of(const Vehicle& vehicle) {
  return last_point(vehicle.x, vehicle.y, static_cast<float>(vehicle.spent),
                    static_cast<float>(vehicle.harvested));
}

}  // namespace

TrajectoryAccumulator::TrajectoryAccumulator(const std::vector<Action>& actions,
                                             Ensemble<>& ensemble, std::vector<std::size_t> tracked,
                                             std::int32_t threads)
    : actions_(actions),
      several_profiles_(!actions.empty() && actions.back().profile != actions.front().profile),
      threads_(threads),
      tracked_(std::move(tracked)),
      trajectories_(ensemble.size()) {
  for_each_flight([&](std::size_t n) {
    const Vehicle& vehicle = ensemble.vehicle[n];
    trajectories_[n].realization = ensemble.number[n];
    trajectories_[n].points.push_back(point_of(vehicle));
  });
}

void TrajectoryAccumulator::append(const std::vector<Part>& parts, std::int32_t threads) {
  constexpr std::size_t flights_per_piece = 64;  // waking a thread takes longer than appending
                                                 // fewer flights
  struct Piece {
    const Part* part;
    std::size_t first;
  };
  std::vector<Piece> pieces;
  for (const Part& part : parts) {
    const std::size_t columns = part.accumulator->tracked_.size();
    for (std::size_t n = 0; n < columns; n += flights_per_piece) pieces.push_back({&part, n});
  }
  FirstError error;
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads) if (pieces.size() > 1)
  for (std::size_t p = 0; p < pieces.size(); ++p) {
    const Part& part = *pieces[p].part;
    TrajectoryAccumulator& accumulator = *part.accumulator;
    const std::size_t first = pieces[p].first;
    const std::size_t end = std::min(first + flights_per_piece, accumulator.tracked_.size());
    error.run([&] {
      for (std::size_t n = first; n < end; ++n) {
        Trajectory& trajectory = accumulator.trajectories_[accumulator.tracked_[n]];
        accumulator.append(trajectory, part.log, n, part.steps);
      }
    });
  }
  error.rethrow();
}

void TrajectoryAccumulator::append(Trajectory& trajectory, const FlightLogView& log,
                                   std::size_t column, std::size_t steps) const {
  std::size_t made_steps = 0;
  while (made_steps < steps && log.action[log.at(made_steps, column)] != no_action) ++made_steps;
  auto& points = trajectory.points;
  std::size_t place = points.size();
  points.resize(place + made_steps);
  for (std::size_t step = 0; step < made_steps; ++step, ++place) {
    const std::size_t at = log.at(step, column);
    const Action& action = actions_[static_cast<std::size_t>(log.action[at])];
    points[place - 1].heading = static_cast<float>(action.heading);
    points[place - 1].speed = static_cast<float>(action.speed);
    if (several_profiles_) {
      trajectory.profiles.push_back(static_cast<std::uint8_t>(action.profile));
    }
    points[place] = last_point(log.x[at], log.y[at], log.energy[at], log.harvested[at]);
  }
}

RolloutResult TrajectoryAccumulator::close(Ensemble<>& ensemble, RolloutMode mode,
                                           const Mission& mission) {
  for_each_flight([&](std::size_t n) {
    Trajectory& trajectory = trajectories_[n];
    const Vehicle& vehicle = ensemble.vehicle[n];
    const bool has_track = trajectory.points.size() > 1;
    if (!has_track && vehicle.steps > 0) {
      trajectory.points.push_back(point_of(vehicle));
      trajectory.skipped = vehicle.steps - 1;
    }
    trajectory.outcome = final_outcome(ensemble.state[n]);
    trajectory.total_reward = vehicle.total_reward;
    trajectory.last_step = static_cast<double>(vehicle.last_step);
    trajectory.begun = mission.begun;
  });
  return {mode, mission.departure, std::move(trajectories_)};
}

template <class Work>
void TrajectoryAccumulator::for_each_flight(const Work& work) {
  const bool in_parallel = trajectories_.size() > max_flights_of_thread;
  FirstError error;
#pragma omp parallel for schedule(static) num_threads(threads_) if (in_parallel)
  for (std::size_t n = 0; n < trajectories_.size(); ++n) {
    error.run([&] { work(n); });
  }
  error.rethrow();
}

}  // namespace tidewise

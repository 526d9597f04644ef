#pragma once

#include <cstdint>
#include <vector>

#include "model_builder/step/actions.h"
#include "solver/fly/ensemble.h"
#include "solver/fly/flight_log.h"
#include "solver/fly/trajectory.h"
#include "solver/step/mission.h"

namespace tidewise {

/// The trajectories of one rollout, extended by some steps at a time. Flights without a track get
/// only their departure and their end.
class TrajectoryAccumulator {
 public:
  /// Begins every trajectory with the point of departure. `actions` must outlive this object.
  /// `tracked`: numbers of the flights that are logged, in the order of the log's columns.
  TrajectoryAccumulator(const std::vector<Action>& actions, Ensemble<>& ensemble,
                        std::vector<std::size_t> tracked, std::int32_t threads);

  /// The first `steps` steps of a log in host memory, for one accumulator.
  struct Part {
    TrajectoryAccumulator* accumulator;
    FlightLogView log;
    std::size_t steps;
  };
  /// Appends parts to several accumulators, at most one to each. All tracks are processed in
  /// parallel.
  static void append(const std::vector<Part>& parts, std::int32_t threads);
  /// Appends the first `steps` steps of a log.
  void append(const FlightLogView& log, std::size_t steps) {
    append({{this, log, steps}}, threads_);
  }
  /// Completes the trajectories with the flights' ends.
  RolloutResult close(Ensemble<>& ensemble, RolloutMode mode, const Mission& mission);

 private:
  void append(Trajectory& trajectory, const FlightLogView& log, std::size_t column,
              std::size_t steps) const;
  template <class Work>
  void for_each_flight(const Work& work);

  const std::vector<Action>& actions_;
  bool several_profiles_;
  std::int32_t threads_;
  std::vector<std::size_t> tracked_;  // (column): number of its flight
  std::vector<Trajectory> trajectories_;
};

}  // namespace tidewise

#pragma once

#include <cstdint>
#include <vector>

#include "model_builder/step/actions.h"
#include "solver/fly/ensemble.h"
#include "solver/fly/flight_log.h"
#include "solver/fly/trajectory.h"
#include "solver/step/mission.h"

namespace tidewise {

/// The trajectories of one rollout, extended by some steps at a time.
class TrajectoryAccumulator {
 public:
  /// Begins every trajectory with the point of departure. `actions` must outlive this object.
  TrajectoryAccumulator(const std::vector<Action>& actions, Ensemble<>& ensemble,
                        std::int32_t threads);

  /// The first `steps` steps of a log in host memory, for one accumulator.
  struct Part {
    TrajectoryAccumulator* accumulator;
    FlightLogView log;
    std::size_t steps;
  };
  /// Appends parts to several accumulators, at most one to each. All flights are processed in
  /// parallel.
  static void append(const std::vector<Part>& parts, std::int32_t threads);
  /// Appends the first `steps` steps of a log.
  void append(const FlightLogView& log, std::size_t steps) {
    append({{this, log, steps}}, threads_);
  }
  /// Completes the trajectories with the flights' ends.
  RolloutResult close(Ensemble<>& ensemble, RolloutMode mode, const Mission& mission);

 private:
  void append(Trajectory& trajectory, const FlightLogView& log, std::size_t flight,
              std::size_t steps) const;
  template <class Work>
  void for_each_flight(const Work& work);

  const std::vector<Action>& actions_;
  bool several_profiles_;
  std::int32_t threads_;
  std::vector<Trajectory> trajectories_;
};

}  // namespace tidewise

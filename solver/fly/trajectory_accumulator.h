#pragma once

#include <cstdint>
#include <vector>

#include "model_builder/step/actions.h"
#include "solver/fly/ensemble.h"
#include "solver/fly/flight_log.h"
#include "solver/fly/trajectory.h"
#include "solver/step/mission.h"

namespace tidewise {

/// The trajectories of one rollout as they grow, some steps at a time.
class TrajectoryAccumulator {
 public:
  /// Begins every trajectory with the point of departure. `actions` must outlive the book.
  TrajectoryAccumulator(const std::vector<Action>& actions, Ensemble<>& ensemble,
                        std::int32_t threads);

  /// What a log in host memory has for one accumulator: its first `steps` steps.
  struct Part {
    TrajectoryAccumulator* accumulator;
    FlightLogView log;
    std::size_t steps;
  };
  /// Adds parts for several, each once, the flights of all of them side by side.
  static void append(const std::vector<Part>& parts, std::int32_t threads);
  void append(const FlightLogView& log, std::size_t steps) {
    append({{this, log, steps}}, threads_);
  }
  /// Closes the book with what the flights came to.
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

#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "bench/planner/problem.h"
#include "model_builder/paper/device_model.h"
#include "model_builder/step/cell_transitions.h"

namespace tidewise {

/// The published algorithm for levels in device memory: only the model with rewards, without a
/// solve.
class PaperLevelBuilder {
 public:
  /// `problem` must outlive this object. Errors: RunError in a build without CUDA.
  PaperLevelBuilder(const PlannerProblem& problem, const std::vector<Action>& actions,
                    const Mission& mission, std::int32_t threads);

  /// Prepares the inputs of level k other than its fields: cells to count, rewards of landings.
  void prepare(TimeLevel k);
  /// Frees the inputs of level k.
  void forget(TimeLevel k) { prepared_.erase(k.value); }
  /// Builds all actions' transitions of level k, which must have been prepared, and copies them to
  /// the host. Returns the time [s]. Reuses the memory of an earlier level.
  double build(TimeLevel k);
  /// Passes the counts of the level built last to `sink`. Errors: RunError if a mean reward differs
  /// from that of every landing.
  void feed(CountSink& sink) const;

 private:
  // Inputs of one level.
  struct Prepared {
    std::vector<CellIndex> cells;  // (place)
    SubGrid subgrid;
    DeviceArray<CellIndex> device_cells;  // (place)
    DeviceArray<float> landing_reward;    // (place, sub-grid)
  };

  const PlannerProblem& problem_;
  std::vector<Action> actions_;
  std::vector<std::uint8_t> target_;  // (y, x)
  float reward_;                      // reward of every landing: −Δt
  std::int32_t threads_;
  DevicePaperModel model_;
  DeviceStream stream_;
  std::map<std::int32_t, Prepared> prepared_;  // (level)
  const Prepared* built_ = nullptr;
  std::vector<PaperModel> models_;  // (action)
};

}  // namespace tidewise

#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "bench/planner/problem.h"
#include "model_builder/paper/device_model.h"
#include "model_builder/step/cell_transitions.h"

namespace tidewise {

/// The published algorithm on levels that lie on the device: the model alone, rewards included, and
/// no solve.
class PaperLevelBuilder {
 public:
  /// `problem` must outlive this. Errors: RunError in a build without CUDA.
  PaperLevelBuilder(const PlannerProblem& problem, const std::vector<Action>& actions,
                    const Mission& mission, std::int32_t threads);

  /// Brings over what level k takes besides its fields: cells to decide on, rewards of landings.
  void prepare(TimeLevel k);
  /// Gives that back.
  void forget(TimeLevel k) { prepared_.erase(k.value); }
  /// Builds all actions' transitions of level k, which was prepared, on the host in the end; the
  /// time that took [s]. Memory of an earlier level is used again.
  double build(TimeLevel k);
  /// Gives the counts of the level that was built last to `sink`. Errors: RunError where a mean
  /// reward is not what every landing brings.
  void feed(CountSink& sink) const;

 private:
  /// Of one level.
  struct Prepared {
    std::vector<CellIndex> cells;  // (place)
    SubGrid subgrid;
    DeviceArray<CellIndex> cells_there;  // (place)
    DeviceArray<float> landing_reward;   // (place, sub-grid)
  };

  const PlannerProblem& problem_;
  std::vector<Action> actions_;
  std::vector<std::uint8_t> target_;  // (y, x)
  float reward_;                      // of any landing: −Δt
  std::int32_t threads_;
  DevicePaperModel model_;
  DeviceStream stream_;
  std::map<std::int32_t, Prepared> prepared_;  // by level
  const Prepared* built_ = nullptr;
  std::vector<PaperModel> models_;  // (action)
};

}  // namespace tidewise

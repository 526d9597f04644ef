#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "base/memory/array.h"
#include "base/memory/stream.h"
#include "env/level_fields.h"
#include "model_builder/paper/launch.h"
#include "model_builder/paper/model.h"
#include "model_builder/step/actions.h"
#include "model_builder/step/level_bounds.h"

namespace tidewise {

class DeviceCoefficients;
struct PaperCounts;

/// One level as the published algorithm wants it: everything in device memory.
struct DevicePaperLevel {
  LevelView level;                    ///< velocity and coefficients are read, nothing else
  View<const std::uint32_t> weights;  ///< (realization), or empty where all count for 1
  View<const CellIndex> cells;        ///< (place): those wanted, each once
  SubGrid subgrid;                    ///< holds every landing of every action (subgrid_of())
  /// (place, sub-grid): r(s, a, s') of each landing, for sum_R. Where it is empty there is no
  /// sum_R, and K_COMPUTE_MEAN has nothing to do: the planner's outcome table holds the rewards, P
  /// does not depend on them, and no policy is made from these means. Benchmarks ask for them,
  /// because the published algorithm computes them.
  View<const float> landing_reward;
};

/// The published algorithm on the current device, kernels by their published names. For each
/// action: K_TRANSITION (a thread for each cell and realization, on a grid whose x runs along
/// realizations and whose y and z span the cells; velocity computed anew; global atomic adds into
/// S2_count and sum_R), K_COMPUTE_MEAN, K_COUNT (a block of Nsg threads for each cell), Thrust's
/// reduction and scan, K_REDUCE_TO_COO, and the copy to the host. S2_count, Nsg · Nc words, holds
/// each cell's sub-grid together: K_COUNT's threads read neighbouring words, and a block of
/// K_TRANSITION adds within one cell's. Used by one thread.
class DevicePaperModel {
 public:
  /// `block_size`: threads of a K_TRANSITION block. `batch`: cells taken at a time, at most; fewer
  /// where launch limits or memory ask for it. Errors: InputError for a block size that the device
  /// does not have; RunError in a build without CUDA.
  DevicePaperModel(const PositionRule& rule, const Grid& grid, const TimeAxis& time,
                   const std::vector<Action>& actions, std::int32_t block_size = 64,
                   std::int32_t batch = INT32_MAX);

  /// Appends the transitions of `level` under one action to `model`, and waits for them. Rows are
  /// numbered from 0 in each level.
  void build_action(const DevicePaperLevel& level, ActionIndex action, PaperModel& model,
                    const DeviceStream& stream);
  /// The same for every action. models: (action)
  void build_level(const DevicePaperLevel& level, std::vector<PaperModel>& models,
                   const DeviceStream& stream);

 private:
  /// Cells [first, first + count) of the level's list.
  struct Batch {
    std::size_t first;
    std::size_t count;
  };

  /// Makes the arrays that a batch needs; the cells that it takes.
  std::size_t make_room(const DevicePaperLevel& level);
  void transition(const DevicePaperLevel& level, const Batch& batch, Displacement action,
                  const DeviceStream& stream);
  /// Leaves the mean of the rewards in sum_r_.
  void compute_mean(const DevicePaperLevel& level, const Batch& batch, const DeviceStream& stream);
  /// Leaves each cell's first entry in counts_; the number of all entries.
  std::size_t count_entries(const Batch& batch, std::size_t window, const DeviceStream& stream);
  void reduce_to_coo(const Batch& batch, std::size_t window, std::size_t entries,
                     const DeviceStream& stream);
  void append(const DevicePaperLevel& level, const Batch& batch, std::size_t entries,
              PaperModel& model, const DeviceStream& stream) const;

  PositionRule rule_;
  DisplacementScale scale_;
  std::vector<Action> actions_;
  std::int32_t block_size_;
  std::size_t batch_;
  std::size_t words_;  // that S2_count may take, unless one cell needs more
  LaunchLimits limits_;
  std::shared_ptr<DeviceCoefficients> coefficients_;  // of the level at hand
  std::shared_ptr<PaperCounts> counts_;               // of a batch
  DeviceArray<float> sum_r_;                          // (place)
  DeviceArray<std::int32_t> row_;                     // (entry)
  DeviceArray<std::int32_t> offset_;                  // (entry)
  DeviceArray<std::uint32_t> count_;                  // (entry)
};

}  // namespace tidewise

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

/// One level in the form that the published algorithm needs, in device memory.
struct DevicePaperLevel {
  LevelView level;                    ///< only velocity and coefficients are read
  View<const std::uint32_t> weights;  ///< (realization); empty: all have the weight 1
  View<const CellIndex> cells;        ///< (place): the wanted cells, each once
  SubGrid subgrid;                    ///< contains every landing of every action (subgrid_of())
  /// (place, sub-grid): r(s, a, s') of each landing, for sum_R. If empty, there is no sum_R, and
  /// K_COMPUTE_MEAN does nothing: the planner's outcome table holds the rewards, P does not depend
  /// on them, and no policy uses these means. Benchmarks request them, because the published
  /// algorithm computes them.
  View<const float> landing_reward;
};

/// The published algorithm on the current device. Kernels have their published names. For each
/// action: K_TRANSITION (a thread for each cell and realization, on a grid whose x and y span the
/// cells and whose z runs along realizations; velocity computed each time; global atomic adds into
/// S2_count and sum_R), K_COMPUTE_MEAN, K_COUNT (a block of Nsg threads for each cell), Thrust's
/// reduction and scan, K_REDUCE_TO_COO, and the copy to the host. S2_count, Nsg · Nc words, stores
/// each cell's sub-grid contiguously: K_COUNT's threads read neighbouring words, and a block of
/// K_TRANSITION adds within the words of one cell. Not thread-safe.
class DevicePaperModel {
 public:
  /// `block_size`: threads of a K_TRANSITION block. `batch`: maximum number of cells at a time;
  /// launch limits or memory may reduce it. Errors: InputError for a block size that the device
  /// does not support; RunError in a build without CUDA.
  DevicePaperModel(const PositionRule& rule, const Grid& grid, const TimeAxis& time,
                   const std::vector<Action>& actions, std::int32_t block_size = 64,
                   std::int32_t batch = INT32_MAX);

  /// Appends the transitions of `level` under one action to `model`; returns when they have been
  /// copied. Rows are numbered from 0 in each level.
  void build_action(const DevicePaperLevel& level, ActionIndex action, PaperModel& model,
                    const DeviceStream& stream);
  /// As build_action(), for every action. models: (action)
  void build_level(const DevicePaperLevel& level, std::vector<PaperModel>& models,
                   const DeviceStream& stream);

 private:
  /// Cells [first, first + count) of the level's list.
  struct Batch {
    std::size_t first;
    std::size_t count;
  };

  /// Resizes the arrays for a batch; returns the number of its cells.
  std::size_t make_room(const DevicePaperLevel& level);
  void transition(const DevicePaperLevel& level, const Batch& batch, Displacement action,
                  const DeviceStream& stream);
  /// Writes the mean of the rewards to sum_r_.
  void compute_mean(const DevicePaperLevel& level, const Batch& batch, const DeviceStream& stream);
  /// Writes each cell's first entry to counts_; returns the number of all entries.
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
  std::size_t words_;  // maximum size of S2_count, unless one cell needs more
  LaunchLimits limits_;
  std::shared_ptr<DeviceCoefficients> coefficients_;  // coefficients of the current level
  std::shared_ptr<PaperCounts> counts_;               // counts of a batch
  DeviceArray<float> sum_r_;                          // (place)
  DeviceArray<std::int32_t> row_;                     // (entry)
  DeviceArray<std::int32_t> offset_;                  // (entry)
  DeviceArray<std::uint32_t> count_;                  // (entry)
};

}  // namespace tidewise

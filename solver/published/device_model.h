#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "base/memory/stream.h"
#include "model_builder/paper/launch.h"
#include "solver/published/model.h"

namespace tidewise {

/// Memory to which P and R are appended.
enum class PublishedMemory {
  host,   ///< as published: through pinned memory, during the kernels of the next action
  device  ///< compressed rows with 64-bit offsets
};

/// Implementation of products by P on the device.
enum class PublishedProduct {
  rows,     ///< a kernel with one thread per row; same bits as on the host
  cusparse  ///< equal to rounding
};

/// The published method on the current device, with the published names of kernels: for each level
/// and action K_TRANSITION, K_COMPUTE_MEAN, K_COUNT, Thrust's scan and K_REDUCE_TO_COO; then
/// P_{a,t} and R_{a,t} are appended. Used by one thread.
class DevicePublishedModel {
 public:
  /// `where`: memory of P and R. `levels`: number of levels to build. `memory`: device memory for
  /// PublishedMemory::device [B]; 0: nine tenths of the free memory. `batch`: maximum number of
  /// cells at a time. `problem` must outlive this object. Errors: InputError for a block size that
  /// the device does not have; RunError in a build without CUDA.
  DevicePublishedModel(const PublishedProblem& problem, PublishedMemory where, std::int32_t levels,
                       const PaperBlocks& blocks = {}, std::size_t memory = 0,
                       std::int32_t batch = INT32_MAX);
  ~DevicePublishedModel();

  /// Appends a level; its place is the number of levels before it. All views are of device memory.
  /// Errors: RunError if device memory does not hold P and R of all levels, extrapolated from the
  /// first level.
  void build(const PublishedLevel& level);
  /// Removes all levels.
  void clear();
  /// Waits until all levels are appended.
  void finish();

  /// Number of entries of all levels.
  std::size_t entries() const;
  /// Copies a level's matrices to the host.
  PublishedMatrices matrices(std::int32_t place) const;
  /// A level's matrices. Requires PublishedMemory::host and finish().
  const PublishedMatrices& on_host(std::int32_t place) const;

  /// Sparse value iteration of a level. Requires PublishedMemory::device. `outcome`: the level's
  /// rule; all views are of device memory. value_next, value, action: (y, x).
  void back_up(std::int32_t place, PublishedProduct product, const OutcomeRule& outcome,
               View<const float> value_next, View<float> value, View<std::int16_t> action);
  /// The stream of back_up().
  const DeviceStream& stream() const;

 private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace tidewise

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "base/kernel/for_each.cuh"
#include "base/kernel/join_block.cuh"
#include "base/memory/array.h"
#include "base/memory/cuda_check.h"
#include "base/memory/device_transfer.h"
#include "base/memory/native_stream.h"
#include "mdp/backup/ordered_code.h"
#include "mdp/divided/iterations.h"
#include "mdp/methods/functions.h"
#include "mdp/process/device_process.h"

namespace tidewise::mdp {

/// A Team of the threads of the running block (block_launch.h), on a device. All threads must make
/// the same calls.
struct ThreadsOfBlock {
  template <class Body>
  TIDEWISE_HOST_DEVICE void for_each(std::int32_t count, const Body& body) const {
#if defined(__CUDA_ARCH__)
    for (auto n = static_cast<std::int32_t>(threadIdx.x); n < count;
         n += static_cast<std::int32_t>(blockDim.x)) {
      body(n);
    }
    __syncthreads();
#else
    (void)count;
    (void)body;
#endif
  }
};

/// Adds the changes of a block's threads to `record`. All threads of the block call it.
__device__ inline void gather(ChangeSlot<double> seen, ChangeSlot<double>* record) {
  seen = join_block(seen);
  if (threadIdx.x != 0) return;
  atomicMin(&record->min, seen.min);
  atomicMax(&record->max, seen.max);
}

inline constexpr unsigned max_block_threads = 512;
inline constexpr unsigned sweep_threads = 256;

/// Runs a block of threads for each block of states. `record`: null if the change is not needed.
template <class Blocks>
__global__ void __launch_bounds__(max_block_threads)
    launch_blocks(const __grid_constant__ Blocks blocks, ChangeSlot<double>* record) {
  extern __shared__ double block_scratch[];
  const ChangeSlot<double> seen =
      blocks(ThreadsOfBlock{}, static_cast<std::int32_t>(blockIdx.x), block_scratch);
  if (record != nullptr) gather(seen, record);
}

/// Runs a thread for each call of body, which returns a change.
template <class Body>
__global__ void __launch_bounds__(sweep_threads)
    sweep_each(std::size_t count, const __grid_constant__ Body body, ChangeSlot<double>* record) {
  const std::size_t stride = static_cast<std::size_t>(gridDim.x) * blockDim.x;
  ChangeSlot<double> seen;
  for (std::size_t n = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x; n < count;
       n += stride) {
    seen.include(body(n));
  }
  if (record != nullptr) gather(seen, record);
}

/// Runs block and result divided iteration on the current device, on a stream of its own;
/// counterpart of HostExecutor.
class DeviceExecutor {
 public:
  static constexpr MemorySpace space = MemorySpace::device;
  template <class Real>
  using Held = DeviceProcess<Real>;

  DeviceExecutor() : no_change_(1, ChangeSlot<double>{}), record_(1) {}

  template <class Blocks>
  void launch(const Blocks& blocks, Look look) {
    const auto count = static_cast<unsigned>(blocks.task.division.block_count());
    const auto busy = static_cast<unsigned>(blocks.max_busy_threads());
    const unsigned threads = std::min((busy + 31) / 32 * 32, max_block_threads);
    launch_blocks<<<count, threads, blocks.scratch_bytes(), native(stream_)>>>(blocks,
                                                                               record_for(look));
    TIDEWISE_CUDA_CHECK(cudaGetLastError());
  }

  /// Requires count ≥ 1.
  template <class Body>
  void sweep(std::size_t count, const Body& body, Look look) {
    constexpr std::size_t max_blocks = std::size_t{1} << 30;
    const auto blocks =
        static_cast<unsigned>(std::min((count + sweep_threads - 1) / sweep_threads, max_blocks));
    sweep_each<<<blocks, sweep_threads, 0, native(stream_)>>>(count, body, record_for(look));
    TIDEWISE_CUDA_CHECK(cudaGetLastError());
  }

  template <class Body>
  void for_each(std::size_t count, const Body& body) {
    for_each_on_device(count, body, stream_);
  }

  /// Waits for all work so far.
  ChangeSlot<double> change() const { return fetch(record_.data(), stream_); }

 private:
  /// An empty record, or null if the change is not gathered.
  ChangeSlot<double>* record_for(Look look) {
    if (look == Look::away) return nullptr;
    copy(record_, no_change_, stream_);
    return record_.data();
  }

  DeviceStream stream_;
  PinnedArray<ChangeSlot<double>> no_change_;
  DeviceArray<ChangeSlot<double>> record_;
};

template <class Real>
ProcessSolution<Real> block_divided_on_device(const DecisionProcess<Real>& process,
                                              const SolveOptions& options, Progress& progress) {
  DeviceExecutor executor;
  return divide_blocks(process, options, progress, executor);
}

template <class Real>
ProcessSolution<Real> result_divided_on_device(const DecisionProcess<Real>& process,
                                               const SolveOptions& options, Progress& progress) {
  DeviceExecutor executor;
  return divide_results(process, options, progress, executor);
}

TIDEWISE_INSTANTIATE_METHOD(block_divided_on_device)
TIDEWISE_INSTANTIATE_METHOD(result_divided_on_device)

}  // namespace tidewise::mdp

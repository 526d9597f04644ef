#pragma once

// For .cu files: many sweeps on a device without waiting for the host after each.

#include <array>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "mdp/fused/device_sweeps.cuh"

namespace tidewise::mdp {

/// Maximum number of sweeps in a batch, and number of sweeps in a graph. It is even, so that a
/// batch ends in the array in which it began. In longer batches more launches would follow the last
/// sweep, which cost time although they do nothing.
inline constexpr std::int32_t batch_sweeps = 16;

/// Resets the slots of a batch: those of its last `count` sweeps, and their predecessor, which gets
/// the last slot of the previous batch.
template <class Real>
__global__ void begin_batch(ChangeSlot<Real>* slots, std::int32_t count) {
  const ChangeSlot<Real> last = slots[batch_sweeps];
  __syncthreads();
  const auto n = static_cast<std::int32_t>(threadIdx.x);
  slots[n] = n == batch_sweeps - count ? last : ChangeSlot<Real>::not_run();
}
/// Makes the first sweep of the next batch run in any case.
template <class Real>
__global__ void allow_next_sweep(ChangeSlot<Real>* slots) {
  slots[batch_sweeps] = ChangeSlot<Real>::go_on();
}

/// Puts batches of sweeps on a stream. All sweeps after the one at which values may be good enough
/// do nothing, so that its values and those before it are kept.
template <class Real>
class DeviceSweepBatches {
 public:
  /// Borrows all. values: two arrays of device memory, (state); sweep n, from 0, reads values[n %
  /// 2].
  DeviceSweepBatches(const DeviceFusedSweeps<Real>& sweeps, const StopCriterion<Real>& criterion,
                     std::array<Real*, 2> values, const DeviceStream& stream)
      : sweeps_(sweeps),
        criterion_(criterion),
        values_(values),
        stream_(stream),
        slots_(batch_sweeps + 1) {}
  DeviceSweepBatches(const DeviceSweepBatches&) = delete;
  DeviceSweepBatches& operator=(const DeviceSweepBatches&) = delete;
  ~DeviceSweepBatches() {
    if (graph_ != nullptr) (void)cudaGraphExecDestroy(graph_);
  }

  /// Makes the next sweep run in any case.
  void go_on() {
    allow_next_sweep<Real><<<1, 1, 0, native(stream_)>>>(slots_.data());
    TIDEWISE_CUDA_CHECK(cudaGetLastError());
  }
  /// Enqueues sweeps first … first + count − 1; at most batch_sweeps.
  void enqueue(std::int64_t first, std::int32_t count) {
    if (count == batch_sweeps && first % 2 == 0) {
      if (graph_ == nullptr) capture();
      TIDEWISE_CUDA_CHECK(cudaGraphLaunch(graph_, native(stream_)));
    } else {
      enqueue_launches(first, count);
    }
  }
  /// (batch_sweeps + 1): results of the batch's sweeps.
  const DeviceArray<ChangeSlot<Real>>& slots() const { return slots_; }
  /// Prepares the graph, which the first batch would otherwise do.
  void prepare() {
    if (graph_ == nullptr) capture();
  }

 private:
  void begin(std::int32_t count) {
    begin_batch<Real><<<1, batch_sweeps + 1, 0, native(stream_)>>>(slots_.data(), count);
    TIDEWISE_CUDA_CHECK(cudaGetLastError());
  }
  void enqueue_launches(std::int64_t first, std::int32_t count) {
    begin(count);
    sweeps_.with_lane([&](const auto& lane) {
      using Lane = std::decay_t<decltype(lane)>;
      const auto kernel = &sweep_unless_done<Lane, Real>;
      // A sweep may start while the previous one ends; it waits before it reads that one's values.
      cudaLaunchAttribute early{};
      early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
      early.val.programmaticStreamSerializationAllowed = 1;
      cudaLaunchConfig_t config{};
      config.gridDim = dim3(plan(kernel, lane));
      config.blockDim = dim3(sweep_block);
      config.stream = native(stream_);
      config.attrs = &early;
      config.numAttrs = begins_early_ ? 1 : 0;
      for (std::int32_t n = 0; n < count; ++n) {
        const auto from = static_cast<std::size_t>((first + n) % 2);
        TIDEWISE_CUDA_CHECK(cudaLaunchKernelEx(
            &config, kernel, lane, criterion_, static_cast<const Real*>(values_[from]),
            values_[1 - from], slots_.data() + batch_sweeps - count + n));
      }
    });
  }
  /// Number of blocks of the kernel; determined once, and not during a graph capture.
  template <class Kernel, class Lane>
  unsigned plan(Kernel kernel, const Lane& lane) {
    if (blocks_ == 0) {
      blocks_ = DeviceFusedSweeps<Real>::resident_blocks(kernel, lane);
      // True if the running code contains the wait.
      cudaFuncAttributes attributes{};
      TIDEWISE_CUDA_CHECK(cudaFuncGetAttributes(&attributes, kernel));
      begins_early_ = attributes.ptxVersion >= 90 && attributes.binaryVersion >= 90;
    }
    return blocks_;
  }
  void capture() {
    sweeps_.with_lane([&](const auto& lane) {
      // Loads the kernels, which may not be allowed during a capture.
      plan(&sweep_unless_done<std::decay_t<decltype(lane)>, Real>, lane);
      cudaFuncAttributes attributes{};
      TIDEWISE_CUDA_CHECK(cudaFuncGetAttributes(&attributes, &begin_batch<Real>));
    });
    TIDEWISE_CUDA_CHECK(cudaStreamBeginCapture(native(stream_), cudaStreamCaptureModeThreadLocal));
    cudaGraph_t graph = nullptr;
    try {
      enqueue_launches(0, batch_sweeps);
    } catch (...) {
      (void)cudaStreamEndCapture(native(stream_), &graph);
      if (graph != nullptr) (void)cudaGraphDestroy(graph);
      throw;
    }
    TIDEWISE_CUDA_CHECK(cudaStreamEndCapture(native(stream_), &graph));
    const cudaError_t status = cudaGraphInstantiate(&graph_, graph, 0);
    (void)cudaGraphDestroy(graph);
    TIDEWISE_CUDA_CHECK(status);
  }

  const DeviceFusedSweeps<Real>& sweeps_;
  StopCriterion<Real> criterion_;
  std::array<Real*, 2> values_;
  const DeviceStream& stream_;
  DeviceArray<ChangeSlot<Real>> slots_;
  cudaGraphExec_t graph_ = nullptr;
  unsigned blocks_ = 0;
  bool begins_early_ = false;
};

}  // namespace tidewise::mdp

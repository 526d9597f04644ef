#pragma once

// For .cu files: Jacobi sweeps over one layout of a process on the device, a thread per state and a
// warp per run of slices. All blocks are resident at once.

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <type_traits>
#include <vector>

#include "base/memory/array.h"
#include "base/memory/cuda_check.h"
#include "base/memory/device_transfer.h"
#include "base/memory/native_stream.h"
#include "base/memory/pinned_transfer.cuh"
#include "mdp/backup/ordered_code.h"
#include "mdp/fused/device_parts.h"
#include "mdp/fused/lanes.h"
#include "mdp/fused/model_sample.h"
#include "mdp/fused/packed_process.h"
#include "mdp/fused/sell_process.h"
#include "mdp/fused/slice_tasks.h"
#include "mdp/process/device_process.h"
#include "mdp/process/options.h"
#include "mdp/stop/criterion.h"

namespace tidewise::mdp {

inline constexpr unsigned sweep_block = 256;  // threads

/// The arrays of one layout in device memory.
template <class Real>
class DeviceFusedSweeps {
 public:
  /// `threads`: host threads for the layout.
  DeviceFusedSweeps(const DecisionProcess<Real>& process, FusedLayout layout, std::int32_t threads)
      : state_count_(process.state_count) {
    if (layout == FusedLayout::rows) {
      lay_out_rows(process);
    } else if (layout == FusedLayout::packed || is_to_be_packed(process, layout)) {
      lay_out_programs(process, threads);
    } else {
      lay_out_slices(process, threads);
    }
  }

  std::int32_t state_count() const { return state_count_; }
  /// Bytes of the model that a sweep reads.
  std::int64_t model_bytes() const { return model_bytes_; }
  /// Enqueues next = T value. `value`, `next`: (state), different arrays of device memory.
  /// `action`: (state), the greedy actions, or null.
  void sweep(const Real* value, Real* next, std::int32_t* action, const DeviceStream& stream) const;
  /// Number of blocks of a kernel that processes all works of the lane: as many as are resident at
  /// once.
  template <class Kernel, class Lane>
  static unsigned resident_blocks(Kernel kernel, const Lane& lane);
  /// Calls use(lane) with the layout's functor (mdp/fused/lanes.h).
  template <class Use>
  void with_lane(const Use& use) const {
    if (rows_) return use(*rows_);
    if (sell_) return use(*sell_);
    use(*packed_);
  }

 private:
  void lay_out_rows(const DecisionProcess<Real>& process) {
    process_ = std::make_unique<DeviceProcess<Real>>(process);
    rows_ = RowsLane<Real>{process_->view()};
    model_bytes_ = static_cast<std::int64_t>(process.row_begin.size() * sizeof(std::int64_t) +
                                             process.successor.size() * sizeof(std::int32_t) +
                                             (process.probability.size() + process.reward.size()) *
                                                 sizeof(Real));
  }
  void lay_out_slices(const DecisionProcess<Real>& process, std::int32_t threads) {
    const SellProcess<Real> host(process, threads);
    SellSlices<Real> slices = host.slices();
    const DeviceStream stream;
    PinnedTransfer transfer(static_cast<std::size_t>(host.model_bytes()), 2 << 20, threads);
    const auto bring = [&](auto& on_device, const auto& on_host) {
      on_device = std::decay_t<decltype(on_device)>(on_host.size());
      transfer.to_device(on_device.data(), on_host.data(), on_host.size() * sizeof(*on_host.data()),
                         stream);
    };
    bring(begin_, host.begin());
    bring(lanes_, host.lanes());
    bring(successor_, host.successor());
    bring(probability_, host.probability());
    bring(reward_, host.reward());
    slices.begin = begin_.data();
    slices.lanes = lanes_.data();
    slices.successor = successor_.data();
    slices.probability = probability_.data();
    slices.reward = reward_.data();
    sell_ = SellLane<Real>(slices);
    model_bytes_ = host.model_bytes();
  }
  static bool is_to_be_packed(const DecisionProcess<Real>& process, FusedLayout layout) {
    return layout == FusedLayout::automatic && is_packing_faster(process);
  }
  void lay_out_programs(const DecisionProcess<Real>& process, std::int32_t threads) {
    const PackedProcess<Real> host(process, threads);
    PackedSlices<Real> slices = host.slices();
    const std::vector<SliceTask> tasks = make_slice_tasks(host, threads);
    const auto& units = host.units();
    const std::vector<Real>& dictionary = host.dictionary();
    programs_ = DeviceParts(DeviceParts::room_for<SliceTask>(tasks.size()) +
                            DeviceParts::room_for<SliceUnit>(units.size()) +
                            DeviceParts::room_for<Real>(dictionary.size()));
    slices.begin = nullptr;  // tasks contain it
    const SliceTask* const device_tasks = take_programs(tasks.data(), tasks.size());
    slices.units =
        reinterpret_cast<const unsigned char*>(take_programs(units.data(), units.size()));
    slices.dictionary = take_programs(dictionary.data(), dictionary.size());
    packed_ = PackedLane<Real>(slices, device_tasks, static_cast<std::int64_t>(tasks.size()));
    model_bytes_ = static_cast<std::int64_t>(tasks.size() * sizeof(SliceTask) +
                                             units.size() * sizeof(SliceUnit) +
                                             dictionary.size() * sizeof(Real));
  }
  template <class T>
  const T* take_programs(const T* host, std::size_t count) {
    T* const part = programs_.take<T>(count);
    copy_bytes(MemorySpace::device, part, MemorySpace::host, host, count * sizeof(T));
    return part;
  }

  std::int32_t state_count_;
  std::int64_t model_bytes_ = 0;
  std::unique_ptr<DeviceProcess<Real>> process_;
  DeviceArray<std::int64_t> begin_;
  DeviceArray<std::uint32_t> lanes_;
  DeviceArray<std::int32_t> successor_;
  DeviceArray<Real> probability_;
  DeviceArray<Real> reward_;
  DeviceParts programs_;  // tasks, units, dictionary
  std::optional<RowsLane<Real>> rows_;
  std::optional<SellLane<Real>> sell_;
  std::optional<PackedLane<Real>> packed_;
};

/// Gathers a block's changes into `slot`. All threads of the block must call it.
template <class Real>
__device__ void gather_change(Real min, Real max, ChangeSlot<Real>* slot) {
  using Code = typename ChangeSlot<Real>::Code;
  constexpr unsigned all_lanes = 0xffffffffu;
  constexpr unsigned warps = sweep_block / 32;
  for (int apart = 16; apart > 0; apart /= 2) {
    const Real other_min = __shfl_xor_sync(all_lanes, min, apart);
    const Real other_max = __shfl_xor_sync(all_lanes, max, apart);
    min = other_min < min ? other_min : min;
    max = other_max > max ? other_max : max;
  }
  __shared__ Real leasts[warps];
  __shared__ Real mosts[warps];
  if (threadIdx.x % 32 == 0) {
    leasts[threadIdx.x / 32] = min;
    mosts[threadIdx.x / 32] = max;
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    for (unsigned warp = 1; warp < warps; ++warp) {
      min = leasts[warp] < min ? leasts[warp] : min;
      max = mosts[warp] > max ? mosts[warp] : max;
    }
    // Atomics at one address are serialized, but few blocks exceed the earlier extremes.
    const Code min_code = code_of(min);
    const Code max_code = code_of(max);
    const volatile ChangeSlot<Real>* known = slot;
    if (min_code < known->min) atomicMin(&slot->min, min_code);
    if (max_code > known->max) atomicMax(&slot->max, max_code);
  }
  __syncthreads();  // the shared words are free again
}

/// The present content of a slot.
template <class Real>
__device__ ChangeSlot<Real> read_slot(const ChangeSlot<Real>* slot) {
  const volatile ChangeSlot<Real>* source = slot;
  return {source->min, source->max};
}

/// True if the sweep after that of this slot is to run.
template <class Real>
__device__ bool goes_on(const ChangeSlot<Real>& slot, const StopCriterion<Real>& criterion) {
  if (slot.is(ChangeSlot<Real>::go_on())) return true;
  if (slot.is(ChangeSlot<Real>::not_run())) return false;
  return !criterion.may_be_last(static_cast<double>(number_of<Real>(slot.min)),
                                static_cast<double>(number_of<Real>(slot.max)));
}

/// The share of this thread's warp.
inline __device__ WarpShare share_of_warp(std::int64_t works) {
  constexpr std::int64_t warps = sweep_block / 32;
  return WarpShare::of(blockIdx.x * warps + threadIdx.x / 32, gridDim.x * warps, works);
}

/// Initial value of a minimum of changes.
template <class Real>
__device__ Real no_change_yet() {
  return static_cast<Real>(INFINITY);
}

/// Computes this thread's states of one sweep and gathers the change into before[1]. Returns false
/// if before[0] shows that nothing is to be done. Calls `await` before it reads values and slots.
template <class Lane, class Real, class Await>
__device__ bool sweep_unless_stopped(const Lane& lane, const StopCriterion<Real>& criterion,
                                     const Real* value, Real* next, ChangeSlot<Real>* before,
                                     const Await& await) {
  Real min = no_change_yet<Real>();
  Real max = -min;
  // The slot is loaded with the first values, and used when there is something to store.
  ChangeSlot<Real> slot;
  bool is_known = false;
  bool goes = false;
  const auto may_go = [&] {
    if (!is_known) goes = goes_on(slot, criterion);
    is_known = true;
    return goes;
  };
  lane.sweep_share(
      value, share_of_warp(lane.warp_works()), static_cast<std::int32_t>(threadIdx.x % 32),
      [&] {
        await();
        slot = read_slot(before);
      },
      [&](std::int32_t state, Real own, const BestAction<Real>& best) {
        if (!may_go()) return false;
        const Real change = best.value - own;
        next[state] = best.value;
        min = change < min ? change : min;
        max = change > max ? change : max;
        return true;
      });
  if (!may_go()) return false;
  gather_change(min, max, before + 1);
  return true;
}

/// An unconditional sweep.
template <class Lane, class Real>
__global__ void __launch_bounds__(sweep_block, blocks_at_a_time<Lane>)
    sweep_lanes(const __grid_constant__ Lane lane, const Real* value, Real* next,
                std::int32_t* action) {
  lane.sweep_share(
      value, share_of_warp(lane.warp_works()), static_cast<std::int32_t>(threadIdx.x % 32), [] {},
      [&](std::int32_t state, Real, const BestAction<Real>& best) {
        next[state] = best.value;
        if (action != nullptr) action[state] = best.action;
        return true;
      });
}

/// A sweep that does nothing if before[0] shows that the previous sweep was the last; it leaves its
/// own change in before[1]. It may start before the previous sweep has ended, and lets the next one
/// do so.
template <class Lane, class Real>
__global__ void __launch_bounds__(sweep_block, blocks_at_a_time<Lane>)
    sweep_unless_done(const __grid_constant__ Lane lane,
                      const __grid_constant__ StopCriterion<Real> criterion, const Real* value,
                      Real* next, ChangeSlot<Real>* before) {
  sweep_unless_stopped(lane, criterion, value, next, before, [] {
#if __CUDA_ARCH__ >= 900
    cudaGridDependencySynchronize();
    cudaTriggerProgrammaticLaunchCompletion();
#endif
  });
}

/// Number of blocks with one thread per state.
inline unsigned sweep_blocks(std::int32_t state_count) {
  return (static_cast<unsigned>(state_count) + sweep_block - 1) / sweep_block;
}

template <class Real>
template <class Kernel, class Lane>
unsigned DeviceFusedSweeps<Real>::resident_blocks(Kernel kernel, const Lane& lane) {
  int device = 0;
  int processors = 0;
  int of_one = 0;
  TIDEWISE_CUDA_CHECK(cudaGetDevice(&device));
  TIDEWISE_CUDA_CHECK(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device));
  TIDEWISE_CUDA_CHECK(
      cudaOccupancyMaxActiveBlocksPerMultiprocessor(&of_one, kernel, sweep_block, 0));
  constexpr std::int64_t warps = sweep_block / 32;
  const std::int64_t all = std::max(1, processors * of_one);
  return static_cast<unsigned>(
      std::clamp<std::int64_t>((lane.warp_works() + warps - 1) / warps, 1, all));
}

template <class Real>
void DeviceFusedSweeps<Real>::sweep(const Real* value, Real* next, std::int32_t* action,
                                    const DeviceStream& stream) const {
  with_lane([&](const auto& lane) {
    const auto kernel = &sweep_lanes<std::decay_t<decltype(lane)>, Real>;
    kernel<<<resident_blocks(kernel, lane), sweep_block, 0, native(stream)>>>(lane, value, next,
                                                                              action);
    TIDEWISE_CUDA_CHECK(cudaGetLastError());
  });
}

}  // namespace tidewise::mdp

#pragma once

// For .cu files: Jacobi sweeps over one layout of a process on the device, a thread to a state and
// a warp to a slice.

#include <cooperative_groups.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <type_traits>
#include <vector>

#include "base/array.h"
#include "base/cuda_check.h"
#include "base/device_transfer.h"
#include "base/native_stream.h"
#include "solver/mdp/device_process.h"
#include "solver/mdp/fused_lanes.h"
#include "solver/mdp/fused_stop.h"
#include "solver/mdp/ordered_code.h"
#include "solver/mdp/packed_process.h"
#include "solver/mdp/sliced_process.h"
#include "solver/mdp/solve_options.h"

namespace tidewise {

inline constexpr unsigned sweep_block = 256;  // threads

/// All arrays of one layout in device memory.
template <class Real>
class DeviceFusedSweeps {
 public:
  /// `threads`: of the host, which lays the model out.
  DeviceFusedSweeps(const DecisionProcess<Real>& process, FusedLayout layout, std::int32_t threads)
      : state_count_(process.state_count) {
    if (layout == FusedLayout::rows) {
      lay_out_rows(process);
    } else if (layout == FusedLayout::sliced) {
      lay_out_slices(process, threads);
    } else {
      lay_out_programs(process, threads);
    }
  }

  std::int32_t state_count() const { return state_count_; }
  /// What one sweep reads of the model.
  std::int64_t model_bytes() const { return model_bytes_; }
  /// Puts next = T value on the stream. `value`, `next`: (state), different ones, of device memory.
  /// `action`: (state), the actions that do it, or null.
  void sweep(const Real* value, Real* next, std::int32_t* action, const DeviceStream& stream) const;
  /// Calls use(lane) with the layout's functor (fused_lanes.h).
  template <class Use>
  void with_lane(const Use& use) const {
    if (rows_) return use(*rows_);
    if (sliced_) return use(*sliced_);
    use(*packed_);
  }

 private:
  template <class T>
  using DeviceArray = Array<T, MemorySpace::device>;

  void lay_out_rows(const DecisionProcess<Real>& process) {
    process_ = std::make_unique<DeviceProcess<Real>>(process);
    rows_ = RowsLane<Real>{process_->view()};
    model_bytes_ = static_cast<std::int64_t>(process.row_begin.size() * sizeof(std::int64_t) +
                                             process.successor.size() * sizeof(std::int32_t) +
                                             (process.probability.size() + process.reward.size()) *
                                                 sizeof(Real));
  }
  void lay_out_slices(const DecisionProcess<Real>& process, std::int32_t threads) {
    const SlicedProcess<Real> host(process, threads);
    SlicedSlices<Real> slices = host.slices();
    copy(begin_, host.begin());
    copy(lanes_, host.lanes());
    copy(successor_, host.successor());
    copy(probability_, host.probability());
    copy(reward_, host.reward());
    slices.begin = begin_.data();
    slices.lanes = lanes_.data();
    slices.successor = successor_.data();
    slices.probability = probability_.data();
    slices.reward = reward_.data();
    sliced_ = SlicedLane<Real>(slices);
    model_bytes_ = host.model_bytes();
  }
  void lay_out_programs(const DecisionProcess<Real>& process, std::int32_t threads) {
    const PackedProcess<Real> host(process, threads);
    PackedSlices<Real> slices = host.slices();
    copy(program_begin_, host.begin());
    copy(units_, host.units());
    dictionary_ = upload(host.dictionary());
    slices.begin = program_begin_.data();
    slices.units = units_.empty() ? nullptr : reinterpret_cast<const unsigned char*>(units_.data());
    slices.dictionary = dictionary_.data();
    packed_ = PackedLane<Real>(slices);
    model_bytes_ = host.model_bytes();
  }

  std::int32_t state_count_;
  std::int64_t model_bytes_ = 0;
  std::unique_ptr<DeviceProcess<Real>> process_;
  DeviceArray<std::int64_t> begin_;
  DeviceArray<std::uint32_t> lanes_;
  DeviceArray<std::int32_t> successor_;
  DeviceArray<Real> probability_;
  DeviceArray<Real> reward_;
  DeviceArray<std::uint32_t> program_begin_;
  DeviceArray<SliceUnit> units_;
  DeviceArray<Real> dictionary_;
  std::optional<RowsLane<Real>> rows_;
  std::optional<SlicedLane<Real>> sliced_;
  std::optional<PackedLane<Real>> packed_;
};

/// Gathers a block's changes into `slot`. Every thread of the block comes here.
template <class Real>
__device__ void gather_change(Real least, Real most, ChangeSlot<Real>* slot) {
  using Code = typename ChangeSlot<Real>::Code;
  constexpr unsigned all_lanes = 0xffffffffu;
  constexpr unsigned warps = sweep_block / 32;
  for (int apart = 16; apart > 0; apart /= 2) {
    const Real other_least = __shfl_xor_sync(all_lanes, least, apart);
    const Real other_most = __shfl_xor_sync(all_lanes, most, apart);
    least = other_least < least ? other_least : least;
    most = other_most > most ? other_most : most;
  }
  __shared__ Real leasts[warps];
  __shared__ Real mosts[warps];
  if (threadIdx.x % 32 == 0) {
    leasts[threadIdx.x / 32] = least;
    mosts[threadIdx.x / 32] = most;
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    for (unsigned warp = 1; warp < warps; ++warp) {
      least = leasts[warp] < least ? leasts[warp] : least;
      most = mosts[warp] > most ? mosts[warp] : most;
    }
    // Atomics at one address go one by one, and few blocks find more than was found before.
    const Code least_code = code_of(least);
    const Code most_code = code_of(most);
    const volatile ChangeSlot<Real>* known = slot;
    if (least_code < known->least) atomicMin(&slot->least, least_code);
    if (most_code > known->most) atomicMax(&slot->most, most_code);
  }
  __syncthreads();  // the shared words may be used again
}

/// Whether the sweep after the one of this slot is to run.
template <class Real>
__device__ bool goes_on(const ChangeSlot<Real>* before, const StopGate<Real>& gate) {
  const volatile ChangeSlot<Real>* there = before;
  const ChangeSlot<Real> slot{there->least, there->most};
  if (slot.is(ChangeSlot<Real>::go_on())) return true;
  if (slot.is(ChangeSlot<Real>::not_run())) return false;
  return !gate.may_open(static_cast<double>(number_of<Real>(slot.least)),
                        static_cast<double>(number_of<Real>(slot.most)));
}

/// The first of the states that a thread takes together; the others are a slice apart.
template <class Lane>
__device__ std::int64_t first_state(std::int64_t thread) {
  return thread / slice_states * (Lane::group * slice_states) + thread % slice_states;
}

/// The backup of all states of a thread, and how they changed.
template <class Lane, class Real>
__device__ void back_up_states(const Lane& lane, const Real* value, Real* next,
                               std::int32_t* action, std::int64_t first, std::int32_t state_count,
                               Real& least, Real& most) {
  BestAction<Real> best[Lane::group];
  lane.back_up(value, first, state_count, best);
#pragma unroll
  for (int n = 0; n < Lane::group; ++n) {
    const std::int64_t state = first + n * slice_states;
    if (state >= state_count) continue;
    const Real change = best[n].value - value[state];
    next[state] = best[n].value;
    if (action != nullptr) action[state] = best[n].action;
    least = change < least ? change : least;
    most = change > most ? change : most;
  }
}

template <class Real>
__device__ Real no_change_yet() {
  return static_cast<Real>(INFINITY);
}

/// A sweep that asks nobody.
template <class Lane, class Real>
__global__ void __launch_bounds__(sweep_block)
    sweep_lanes(const __grid_constant__ Lane lane, const Real* value, Real* next,
                std::int32_t* action, std::int32_t state_count) {
  const std::int64_t thread = static_cast<std::int64_t>(blockIdx.x) * sweep_block + threadIdx.x;
  Real least = no_change_yet<Real>();
  Real most = -least;
  back_up_states(lane, value, next, action, first_state<Lane>(thread), state_count, least, most);
}

/// A sweep that does nothing where the one before was the last, by before[0], and leaves its own
/// change in before[1].
template <class Lane, class Real>
__global__ void __launch_bounds__(sweep_block)
    sweep_unless_done(const __grid_constant__ Lane lane,
                      const __grid_constant__ StopGate<Real> gate, const Real* value, Real* next,
                      ChangeSlot<Real>* before, std::int32_t state_count) {
  if (!goes_on(before, gate)) return;
  const std::int64_t thread = static_cast<std::int64_t>(blockIdx.x) * sweep_block + threadIdx.x;
  Real least = no_change_yet<Real>();
  Real most = -least;
  back_up_states(lane, value, next, static_cast<std::int32_t*>(nullptr), first_state<Lane>(thread),
                 state_count, least, most);
  gather_change(least, most, before + 1);
}

/// `count` sweeps by one kernel whose blocks are all there at once and wait for each other. The
/// sweeps' slots follow `before`. Sweep n of the kernel reads values[n % 2].
template <class Lane, class Real>
__global__ void __launch_bounds__(sweep_block)
    sweep_many(const __grid_constant__ Lane lane, const __grid_constant__ StopGate<Real> gate,
               Real* values, Real* other_values, ChangeSlot<Real>* before, std::int32_t count,
               std::int32_t state_count) {
  const auto grid = cooperative_groups::this_grid();
  const std::int64_t stride = static_cast<std::int64_t>(gridDim.x) * sweep_block;
  for (std::int32_t sweep = 0; sweep < count; ++sweep) {
    // All blocks read the same slot, which none writes any more: all go on or none.
    if (!goes_on(before + sweep, gate)) return;
    const Real* value = sweep % 2 == 0 ? values : other_values;
    Real* next = sweep % 2 == 0 ? other_values : values;
    Real least = no_change_yet<Real>();
    Real most = -least;
    for (std::int64_t thread = static_cast<std::int64_t>(blockIdx.x) * sweep_block + threadIdx.x;
         first_state<Lane>(thread) < state_count; thread += stride) {
      back_up_states(lane, value, next, static_cast<std::int32_t*>(nullptr),
                     first_state<Lane>(thread), state_count, least, most);
    }
    gather_change(least, most, before + sweep + 1);
    grid.sync();
  }
}

/// Blocks that a sweep takes; `group` states to a thread.
inline unsigned sweep_blocks(std::int32_t state_count, int group = 1) {
  const unsigned of_block = sweep_block * static_cast<unsigned>(group);
  return (static_cast<unsigned>(state_count) + of_block - 1) / of_block;
}

template <class Real>
void DeviceFusedSweeps<Real>::sweep(const Real* value, Real* next, std::int32_t* action,
                                    const DeviceStream& stream) const {
  with_lane([&](const auto& lane) {
    constexpr int group = std::decay_t<decltype(lane)>::group;
    sweep_lanes<<<sweep_blocks(state_count_, group), sweep_block, 0, native(stream)>>>(
        lane, value, next, action, state_count_);
    TIDEWISE_CUDA_CHECK(cudaGetLastError());
  });
}

}  // namespace tidewise

#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "base/kernel/join_block.cuh"
#include "base/memory/array.h"
#include "base/memory/cuda_check.h"
#include "base/memory/device_transfer.h"
#include "base/memory/native_stream.h"
#include "mdp/backup/bellman.h"
#include "mdp/backup/ordered_code.h"
#include "mdp/process/device_process.h"
#include "mdp/process/first_values.h"

namespace tidewise::mdp {

inline constexpr unsigned sweep_block_threads = 256;

/// One Jacobi sweep, a thread a state.
template <class Real>
__global__ void sweep_states(const __grid_constant__ ProcessView<Real> process, const Real* from,
                             Real* to, std::int32_t* action, ChangeSlot<double>* slot) {
  const std::int64_t state =
      static_cast<std::int64_t>(blockIdx.x) * sweep_block_threads + threadIdx.x;
  ValueChange change;
  if (state < process.state_count) {
    const auto own = static_cast<std::int32_t>(state);
    const BestAction<Real> best = best_action(process, from, own);
    change.include(static_cast<double>(best.value) - static_cast<double>(from[own]));
    to[own] = best.value;
    action[own] = best.action;
  }
  const ValueChange whole = join_block(change);
  if (threadIdx.x == 0) {
    atomicMin(&slot->least, code_of(whole.least));
    atomicMax(&slot->most, code_of(whole.most));
  }
}

/// Jacobi sweeps over a process's rows on the device, of which one may run while the host looks at
/// what the one before changed: values are kept in three turns, actions and changes in two, so that
/// sweep n leaves alone what sweep n − 1 made.
template <class Real>
class DeviceSweeps {
 public:
  explicit DeviceSweeps(const DecisionProcess<Real>& process) : process_(process) {
    const auto states = static_cast<std::size_t>(process.state_count);
    value_[0] = upload(first_values(process));
    value_[1] = DeviceArray<Real>(states);
    value_[2] = DeviceArray<Real>(states);
    for (auto& action : action_) action = DeviceArray<std::int32_t>(states);
  }

  /// Puts sweep `n` = 0, 1, … on the stream, in order. Requires that the change of sweep n − 2 was
  /// asked for.
  void launch(std::int64_t n) {
    const auto turn = static_cast<std::size_t>(n % 2);
    const auto from = static_cast<std::size_t>(n % 3);
    const auto to = static_cast<std::size_t>((n + 1) % 3);
    copy(slot_[turn], no_change_, stream_);
    const auto states = static_cast<unsigned>(process_.view().state_count);
    const unsigned blocks = (states + sweep_block_threads - 1) / sweep_block_threads;
    sweep_states<Real><<<blocks, sweep_block_threads, 0, native(stream_)>>>(
        process_.view(), value_[from].data(), value_[to].data(), action_[turn].data(),
        slot_[turn].data());
    TIDEWISE_CUDA_CHECK(cudaGetLastError());
    copy(fetched_[turn], slot_[turn], stream_);
    done_[turn].record(stream_);
  }

  /// How sweep `n`, one of the last two, changed the values; waits for it.
  ValueChange change(std::int64_t n) {
    const auto turn = static_cast<std::size_t>(n % 2);
    done_[turn].synchronize();
    return fetched_[turn][0].change();
  }

  /// What sweep `n` made; at most one more was launched.
  void fetch_result(std::int64_t n, std::vector<Real>& value, std::vector<std::int32_t>& action) {
    const DeviceArray<Real>& values = value_[static_cast<std::size_t>((n + 1) % 3)];
    const DeviceArray<std::int32_t>& actions = action_[static_cast<std::size_t>(n % 2)];
    value.resize(values.size());
    action.resize(actions.size());
    done_[static_cast<std::size_t>(n % 2)].synchronize();
    copy_bytes(MemorySpace::host, value.data(), MemorySpace::device, values.data(),
               values.size() * sizeof(Real));
    copy_bytes(MemorySpace::host, action.data(), MemorySpace::device, actions.data(),
               actions.size() * sizeof(std::int32_t));
  }

 private:
  DeviceProcess<Real> process_;
  std::array<DeviceArray<Real>, 3> value_;           // (state) each
  std::array<DeviceArray<std::int32_t>, 2> action_;  // (state) each
  using Slot = ChangeSlot<double>;
  PinnedArray<Slot> no_change_{1, Slot{}};
  std::array<DeviceArray<Slot>, 2> slot_{DeviceArray<Slot>(1), DeviceArray<Slot>(1)};
  std::array<PinnedArray<Slot>, 2> fetched_{PinnedArray<Slot>(1), PinnedArray<Slot>(1)};
  std::array<DeviceEvent, 2> done_;
  DeviceStream stream_;
  WaitAtEnd wait_{stream_};  // the last: before anything above goes
};

}  // namespace tidewise::mdp

#pragma once

#include <cstddef>
#include <cstdint>

#include "base/host_device.h"
#include "mdp/process/options.h"

namespace tidewise::mdp {

/// States first … first + count − 1.
struct StateRange {
  std::int32_t first = 0;
  std::int32_t count = 0;
};

/// Division of the states for Block Divided Iteration: blocks of consecutive states; the last one
/// may be smaller.
struct BlockDivision {
  std::int32_t state_count = 0;   ///< ≥ 1
  std::int32_t block_states = 1;  ///< states of every block except the last; at most state_count

  TIDEWISE_HOST_DEVICE std::int32_t block_count() const {
    return 1 + (state_count - 1) / block_states;
  }
  TIDEWISE_HOST_DEVICE StateRange states_of(std::int32_t block) const {
    const std::int32_t first = block * block_states;
    const std::int32_t remaining = state_count - first;
    return {first, remaining < block_states ? remaining : block_states};
  }
};

/// Limit of a block's states: with it, a block in double precision fits max_scratch_bytes, a
/// prioritising one with at least four states per thread.
inline constexpr std::int32_t max_block_states = 2048;
/// Limit of a block's scratch memory, shared memory on a device: 48 KiB, which every device grants
/// without a special request, less 1 KiB for the reduction of changes.
inline constexpr std::size_t max_scratch_bytes = 47 * 1024;

/// Blocks of options.states, or 256: on a GPU a thread per state, and eight blocks per
/// multiprocessor. Errors: InputError for invalid options, or for too much scratch memory.
BlockDivision divide_states(std::int32_t state_count, const BlockOptions& options);

/// Number of threads of a prioritising block: each chooses from `per_thread` of its `states`.
TIDEWISE_HOST_DEVICE inline std::int32_t priority_groups(std::int32_t states,
                                                         std::int32_t per_thread) {
  return 1 + (states - 1) / per_thread;
}

/// Scratch memory of a prioritising block [B]; values and changes have `real_bytes` each.
inline std::size_t priority_bytes(std::int32_t states, std::int32_t per_thread,
                                  std::size_t real_bytes) {
  const auto groups = static_cast<std::size_t>(priority_groups(states, per_thread));
  return (real_bytes * 2 + sizeof(std::int32_t)) * static_cast<std::size_t>(states) +
         (real_bytes + sizeof(std::int32_t)) * groups;
}

}  // namespace tidewise::mdp

#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "base/host_device.h"
#include "mdp/backup/bellman.h"
#include "mdp/backup/ordered_code.h"
#include "mdp/divided/block_division.h"

namespace tidewise::mdp {

// The work of one block in a launch, in each variant of Block Divided Iteration, for host and
// device. A `Team` does the work: its for_each(count, body) calls body(0) … body(count − 1) in any
// order and returns when all are done, so that the next stage may read the results. On the host a
// team is one thread, on a device the threads of a block. Each body(n) writes only data of n and
// reads nothing that its stage writes, so every team leaves the same bits. Values of other blocks
// are those from before the launch.

/// Divides a block's scratch memory into arrays. Take arrays with larger elements first.
class Scratch {
 public:
  TIDEWISE_HOST_DEVICE explicit Scratch(void* memory) : next_(static_cast<char*>(memory)) {}
  template <class T>
  TIDEWISE_HOST_DEVICE T* take(std::int32_t count) {
    T* const taken = reinterpret_cast<T*>(next_);
    next_ += sizeof(T) * static_cast<std::size_t>(count);
    return taken;
  }

 private:
  char* next_;
};

/// Data of every variant.
template <class Real>
struct BlockTask {
  ProcessView<Real> process;
  BlockDivision division;
  std::int32_t sweeps = 1;       ///< within the block
  const Real* before = nullptr;  ///< values before the launch, (state)
  Real* after = nullptr;         ///< values after the launch, (state); another array

  /// Loads the values of the block.
  template <class Team>
  TIDEWISE_HOST_DEVICE void load(const Team& team, const StateRange& range, Real* current) const {
    const Real* const from = before + range.first;
    team.for_each(range.count, [=](std::int32_t n) { current[n] = from[n]; });
  }
  /// Stores values and returns the changes of this thread.
  template <class Team>
  TIDEWISE_HOST_DEVICE ChangeSlot<double> store(const Team& team, const StateRange& range,
                                                const Real* current) const {
    ChangeSlot<double> change;
    const Real* const from = before + range.first;
    Real* const to = after + range.first;
    team.for_each(range.count, [&](std::int32_t n) {
      to[n] = current[n];
      change.include(static_cast<double>(current[n]) - static_cast<double>(from[n]));
    });
    return change;
  }
  /// Jacobi sweeps within the block. `values_by(current)` gives the values that its states read,
  /// with `current` as the block's own. Returns the array of the result: `current` or `next`.
  template <class Team, class ValuesBy>
  TIDEWISE_HOST_DEVICE const Real* sweep(const Team& team, const StateRange& range, Real* current,
                                         Real* next, const ValuesBy& values_by) const {
    for (std::int32_t k = 0; k < sweeps; ++k) {
      const auto values = values_by(current);
      team.for_each(range.count, [&](std::int32_t n) {
        next[n] = best_action(process, values, range.first + n, current[n]).value;
      });
      Real* const spare = current;
      current = next;
      next = spare;
    }
    return current;
  }
};

/// Values by state, newest for the states of the block.
template <class Real>
struct NewestValues {
  const Real* current;  ///< (state − own.first)
  const Real* before;   ///< (state)
  StateRange range;

  TIDEWISE_HOST_DEVICE Real operator[](std::int32_t state) const {
    const auto place = static_cast<std::uint32_t>(state) - static_cast<std::uint32_t>(range.first);
    return place < static_cast<std::uint32_t>(range.count) ? current[place] : before[state];
  }
};

/// Values by BlockNeighbours::place.
template <class Real>
struct BufferedValues {
  const Real* current;  ///< (place)
  const Real* cache;    ///< (place − own_count)
  std::int32_t own_count;

  TIDEWISE_HOST_DEVICE Real operator[](std::int32_t place) const {
    return place < own_count ? current[place] : cache[place - own_count];
  }
};

/// The plain variant of Block Divided Iteration: successors outside of the block are read from the
/// global values.
template <class Real>
struct PlainBlocks {
  BlockTask<Real> task;

  std::size_t scratch_bytes() const { return block_bytes(task.division.block_states); }
  static std::size_t block_bytes(std::int32_t states) {
    return 2 * sizeof(Real) * static_cast<std::size_t>(states);
  }
  std::int32_t max_busy_threads() const { return task.division.block_states; }

  template <class Team>
  TIDEWISE_HOST_DEVICE ChangeSlot<double> operator()(const Team& team, std::int32_t block,
                                                     void* memory) const {
    const StateRange range = task.division.states_of(block);
    Scratch scratch(memory);
    Real* const current = scratch.take<Real>(task.division.block_states);
    Real* const next = scratch.take<Real>(task.division.block_states);
    task.load(team, range, current);
    const Real* const before = task.before;
    const Real* const last = task.sweep(team, range, current, next, [=](const Real* newest) {
      return NewestValues<Real>{newest, before, range};
    });
    return task.store(team, range, last);
  }
};

/// Values outside of each block, gathered once per launch, each state once (BlockNeighbours).
template <class Real>
struct BlockBuffer {
  View<const std::int64_t> begin;  ///< (block + 1)
  View<const std::int32_t> state;
  std::int32_t max = 0;   ///< largest number for a block
  Real* cache = nullptr;  ///< as `state`; null: in scratch memory

  std::size_t scratch_bytes() const {
    return cache != nullptr ? 0 : sizeof(Real) * static_cast<std::size_t>(max);
  }
  template <class Team>
  TIDEWISE_HOST_DEVICE Real* gather(const Team& team, std::int32_t block, const Real* before,
                                    Scratch& scratch) const {
    const std::int64_t first = begin[block];
    Real* const buffer = cache != nullptr ? cache + first : scratch.take<Real>(max);
    const std::int32_t* const from = state.data + first;
    team.for_each(static_cast<std::int32_t>(begin[block + 1] - first),
                  [=](std::int32_t n) { buffer[n] = before[from[n]]; });
    return buffer;
  }
};

/// The buffering variant. Successors in task.process are places (BlockNeighbours).
template <class Real>
struct BufferingBlocks {
  BlockTask<Real> task;
  BlockBuffer<Real> buffer;

  std::size_t scratch_bytes() const {
    return PlainBlocks<Real>::block_bytes(task.division.block_states) + buffer.scratch_bytes();
  }
  std::int32_t max_busy_threads() const { return task.division.block_states; }

  template <class Team>
  TIDEWISE_HOST_DEVICE ChangeSlot<double> operator()(const Team& team, std::int32_t block,
                                                     void* memory) const {
    const StateRange range = task.division.states_of(block);
    Scratch scratch(memory);
    Real* const current = scratch.take<Real>(task.division.block_states);
    Real* const next = scratch.take<Real>(task.division.block_states);
    const Real* const neighbour_value = buffer.gather(team, block, task.before, scratch);
    task.load(team, range, current);
    const Real* const last = task.sweep(team, range, current, next, [=](const Real* newest) {
      return BufferedValues<Real>{newest, neighbour_value, range.count};
    });
    return task.store(team, range, last);
  }
};

/// The prioritising variant, with or without a buffer. A thread owns states_per_thread states of
/// its block, `groups` apart, and in each step updates the one with the greatest Δ + U_c / updates.
/// Δ is the last change of the state's value, updates count from 1, and the upper-confidence term
/// U_c makes sure that no state is neglected while its neighbours change. All threads of a block
/// choose and compute from the same values, then all write. A launch has changed_states steps for
/// each sweep of the other variants.
template <class Real, bool is_buffered>
struct PrioritisingBlocks {
  BlockTask<Real> task;                  ///< with a buffer, successors are places
  std::int32_t states_per_thread = 4;    ///< ≥ 1
  std::int32_t changed_states = 4;       ///< ≥ 1
  Real exploration = 1;                  ///< U_c, [reward]
  Real* last_change = nullptr;           ///< Δ, (state)
  std::int32_t* update_count = nullptr;  ///< (state), from 1; `never` for terminal states
  BlockBuffer<Real> buffer = {};         ///< used if is_buffered

  static constexpr std::int32_t never = std::numeric_limits<std::int32_t>::max();

  TIDEWISE_HOST_DEVICE std::int32_t groups_of(std::int32_t states) const {
    return priority_groups(states, states_per_thread);
  }
  std::size_t scratch_bytes() const {
    const std::size_t priority_size =
        priority_bytes(task.division.block_states, states_per_thread, sizeof(Real));
    return is_buffered ? priority_size + buffer.scratch_bytes() : priority_size;
  }
  std::int32_t max_busy_threads() const { return groups_of(task.division.block_states); }

  /// The values that the block's states read. `neighbour_value`: the buffer, if there is one.
  TIDEWISE_HOST_DEVICE auto values_by(const Real* current, const Real* neighbour_value,
                                      const StateRange& range) const {
    if constexpr (is_buffered) {
      return BufferedValues<Real>{current, neighbour_value, range.count};
    } else {
      return NewestValues<Real>{current, task.before, range};
    }
  }

  /// The state of a group to be updated, as its place in the block; the lowest wins a tie.
  TIDEWISE_HOST_DEVICE std::int32_t choose(std::int32_t group, std::int32_t groups,
                                           std::int32_t states, const Real* change,
                                           const std::int32_t* updates) const {
    std::int32_t chosen = group;
    Real largest = change[group] + exploration / static_cast<Real>(updates[group]);
    for (std::int32_t n = group + groups; n < states; n += groups) {
      const Real priority = change[n] + exploration / static_cast<Real>(updates[n]);
      if (!(priority > largest)) continue;
      largest = priority;
      chosen = n;
    }
    return chosen;
  }

  template <class Team>
  TIDEWISE_HOST_DEVICE ChangeSlot<double> operator()(const Team& team, std::int32_t block,
                                                     void* memory) const {
    const StateRange range = task.division.states_of(block);
    const std::int32_t groups = groups_of(range.count);
    Scratch scratch(memory);
    Real* const current = scratch.take<Real>(task.division.block_states);
    Real* const change = scratch.take<Real>(task.division.block_states);
    Real* const new_value = scratch.take<Real>(groups_of(task.division.block_states));
    [[maybe_unused]] const Real* neighbour_value = nullptr;
    if constexpr (is_buffered) neighbour_value = buffer.gather(team, block, task.before, scratch);
    auto* const updates = scratch.take<std::int32_t>(task.division.block_states);
    auto* const chosen = scratch.take<std::int32_t>(groups_of(task.division.block_states));
    task.load(team, range, current);
    team.for_each(range.count, [=, this](std::int32_t n) {
      change[n] = last_change[range.first + n];
      updates[n] = update_count[range.first + n];
    });
    const auto values = values_by(current, neighbour_value, range);
    const std::int64_t steps = std::int64_t{task.sweeps} * changed_states;
    for (std::int64_t step = 0; step < steps; ++step) {
      team.for_each(groups, [&](std::int32_t group) {
        const std::int32_t n = choose(group, groups, range.count, change, updates);
        const BestAction<Real> best =
            best_action(task.process, values, range.first + n, current[n]);
        chosen[group] = n;
        new_value[group] = best.value;
        // No other group reads this count. A terminal state needs no further update.
        updates[n] = best.action < 0 || updates[n] >= never - 1 ? never : updates[n] + 1;
      });
      team.for_each(groups, [=](std::int32_t group) {
        const std::int32_t n = chosen[group];
        change[n] = std::fabs(new_value[group] - current[n]);
        current[n] = new_value[group];
      });
    }
    team.for_each(range.count, [=, this](std::int32_t n) {
      last_change[range.first + n] = change[n];
      update_count[range.first + n] = updates[n];
    });
    return task.store(team, range, current);
  }
};

}  // namespace tidewise::mdp

#pragma once

#include <algorithm>
#include <cstdint>

#include "base/host_device.h"
#include "mdp/backup/bellman.h"
#include "mdp/fused/lane_loads.h"
#include "mdp/fused/packed_lane.h"
#include "mdp/fused/slices.h"

namespace tidewise::mdp {

// The backup of states in each layout, lane by lane. A device runs it, a warp per share of the
// slices; tests run it on the host. It gives the same bits as best_action(). Each lane type has
//   warp_works(): number of work items (slices or tasks) that warps share;
//   sweep_share(value, share, lane, await, keep): processes all states of one lane in a share by
//     keep(state, present value, BestAction), which returns false to stop. Calls await() once,
//     after the first loads of the model and before it reads values.
// The lanes of a warp stay together.

/// The layout `rows`.
template <class Real>
struct RowsLane {
  ProcessView<Real> process;

  TIDEWISE_HOST_DEVICE std::int64_t warp_works() const {
    return (std::int64_t{process.state_count} + slice_states - 1) / slice_states;
  }
  template <class Await, class Keep>
  TIDEWISE_HOST_DEVICE void sweep_share(const Real* value, const WarpShare& share,
                                        std::int32_t lane, const Await& await,
                                        const Keep& keep) const {
    await();
    for (std::int64_t slice = share.first; slice < share.end; ++slice) {
      const std::int64_t state = slice * slice_states + lane;
      if (state >= process.state_count) return;
      const auto index = static_cast<std::int32_t>(state);
      if (!keep(index, value[index], best_action(process, value, index))) return;
    }
  }
};

/// The layout `sell`. All positions of a share, over its actions and slices, form one stream of
/// loads, and the next ones are in progress while the present values are awaited.
template <class Real>
class SellLane {
 public:
  explicit SellLane(const SellSlices<Real>& slices) : slices_(slices) {}

  TIDEWISE_HOST_DEVICE std::int64_t warp_works() const {
    return (std::int64_t{slices_.state_count} + slice_states - 1) / slice_states;
  }
  template <class Await, class Keep>
  TIDEWISE_HOST_DEVICE void sweep_share(const Real* value, const WarpShare& share,
                                        std::int32_t lane, const Await& await,
                                        const Keep& keep) const {
    const std::int32_t actions = slices_.action_count;
    if (share.first >= share.end || actions == 0) {
      await();
      return keep_all(value, share, lane, keep);
    }
    std::int64_t place = share.first * actions;
    const std::int64_t last_place = share.end * actions;
    std::int64_t first_position = load_kept(slices_.begin + place);
    const std::int64_t end = load_kept(slices_.begin + last_place);
    Row row[rows_ahead];
    TIDEWISE_UNROLL
    for (int n = 0; n < rows_ahead; ++n) row[n] = row_of(place + n, last_place, lane);
    Entry entry[entries_ahead];
    load(first_position, end, lane, entry);
    await();

    std::int64_t state = share.first * slice_states + lane;
    std::int32_t action = 0;
    Real present = value_of(value, state);
    BestAction<Real> best{present, -1};
    Real sum = 0;
    // Returns false to stop.
    const auto close_rows_until = [&](std::int64_t position) {
      while (place < last_place && row[0].end == position) {
        if (row[0].is_allowed) {
          take_better(best, close_row(sum, slices_.discount, row[0].reward), action);
        }
        sum = 0;
        ++place;
        TIDEWISE_UNROLL
        for (int n = 1; n < rows_ahead; ++n) row[n - 1] = row[n];
        row[rows_ahead - 1] = row_of(place + rows_ahead - 1, last_place, lane);
        if (++action < actions) continue;
        if (state < slices_.state_count && !keep(static_cast<std::int32_t>(state), present, best)) {
          return false;
        }
        action = 0;
        state += slice_states;
        present = place < last_place ? value_of(value, state) : Real(0);
        best = {present, -1};
      }
      return true;
    };
    TIDEWISE_KEEP_LOOP
    while (first_position < end) {
      Real next_value[entries_ahead];
      Real probability[entries_ahead];
      TIDEWISE_UNROLL
      for (int n = 0; n < entries_ahead; ++n) {
        probability[n] = entry[n].probability;
        next_value[n] = probability[n] >= 0 ? value[entry[n].successor] : Real(0);
      }
      load(first_position + entries_ahead, end, lane, entry);
      TIDEWISE_UNROLL
      for (int n = 0; n < entries_ahead; ++n) {
        if (!close_rows_until(first_position + n)) return;
        if (probability[n] >= 0) sum = std::fma(probability[n], next_value[n], sum);
      }
      first_position += entries_ahead;
    }
    close_rows_until(end);
  }

 private:
  static constexpr int entries_ahead = sizeof(Real) == 4 ? 8 : 4;
  static constexpr int rows_ahead = 3;
  struct Entry {
    std::int32_t successor;
    Real probability;
  };
  struct Row {
    std::int64_t end = -1;
    Real reward = 0;
    bool is_allowed = false;
  };

  TIDEWISE_HOST_DEVICE Real value_of(const Real* value, std::int64_t state) const {
    return state < slices_.state_count ? value[state] : Real(0);
  }
  /// Processes states without actions.
  template <class Keep>
  TIDEWISE_HOST_DEVICE void keep_all(const Real* value, const WarpShare& share, std::int32_t lane,
                                     const Keep& keep) const {
    for (std::int64_t slice = share.first; slice < share.end; ++slice) {
      const std::int64_t state = slice * slice_states + lane;
      if (state >= slices_.state_count) return;
      const Real present = value[state];
      if (!keep(static_cast<std::int32_t>(state), present, BestAction<Real>{present, -1})) return;
    }
  }
  TIDEWISE_HOST_DEVICE Row row_of(std::int64_t place, std::int64_t last_place,
                                  std::int32_t lane) const {
    if (place >= last_place) return {};
    return {load_kept(slices_.begin + place + 1),
            load_passing(slices_.reward + place * slice_states + lane),
            has_lane(load_kept(slices_.lanes + place), lane)};
  }
  TIDEWISE_HOST_DEVICE void load(std::int64_t position, std::int64_t end, std::int32_t lane,
                                 Entry (&entry)[entries_ahead]) const {
    const std::int64_t word = position * slice_states + lane;
    const std::int32_t* const successor = slices_.successor + word;
    const Real* const probability = slices_.probability + word;
    TIDEWISE_UNROLL
    for (int n = 0; n < entries_ahead; ++n) {
      entry[n] = {0, Real(no_entry)};
      if (position + n >= end) continue;
      entry[n] = {load_passing(successor + n * slice_states),
                  load_passing(probability + n * slice_states)};
    }
  }

  SellSlices<Real> slices_;
};

}  // namespace tidewise::mdp

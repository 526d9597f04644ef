#pragma once

#include <algorithm>
#include <cstdint>

#include "base/host_device.h"
#include "mdp/backup/bellman.h"
#include "mdp/fused/lane_loads.h"
#include "mdp/fused/slices.h"

namespace tidewise::mdp {

/// The layout `packed`. Runs each program for all slices of a task at once, so that it is read
/// once. Two actions are in progress: the values of the next are loaded while those of the present
/// one are awaited.
template <class Real>
class PackedLane {
 public:
  PackedLane(const PackedSlices<Real>& slices, const SliceTask* tasks, std::int64_t task_count)
      : slices_(slices), tasks_(tasks), task_count_(task_count) {}

  TIDEWISE_HOST_DEVICE std::int64_t warp_works() const { return task_count_; }
  template <class Await, class Keep>
  TIDEWISE_HOST_DEVICE void sweep_share(const Real* value, const WarpShare& share,
                                        std::int32_t lane, const Await& await,
                                        const Keep& keep) const {
    if (share.first >= share.end) return await();
    prefetch(load_task(share.first), lane);
    await();
    TIDEWISE_KEEP_LOOP
    for (std::int64_t n = share.first; n < share.end; ++n) {
      const SliceTask task = load_task(n);
      if (n + 1 < share.end) prefetch(load_task(n + 1), lane);
      const bool continues = task.count > 1 ? run<slices_of_task<Real>>(value, task, lane, keep)
                                            : run<1>(value, task, lane, keep);
      if (!continues) return;
    }
  }

 private:
  /// Number of terms whose values are loaded together, and of positions: limited by registers.
  static constexpr std::uint32_t terms_ahead = 4;
  template <int task_slices>
  static constexpr std::uint32_t positions_ahead = task_slices == 1 && sizeof(Real) == 4 ? 4 : 1;

  /// An action whose first values are being loaded.
  template <int task_slices>
  struct Action {
    std::uint32_t kind = 0;
    bool is_allowed = false;
    Real reward = 0;
    const unsigned char* terms = nullptr;  // or positions
    Real probability[terms_ahead];         // no_entry if the lane has no part in the term
    Real next_value[terms_ahead][task_slices];
  };

  TIDEWISE_HOST_DEVICE SliceTask load_task(std::int64_t n) const {
    const auto* const from = reinterpret_cast<const unsigned char*>(tasks_ + n);
    struct alignas(unit_bytes) Half {
      std::int32_t word[4];
    };
    const Half first = load_unit<Half>(from);
    const Half second = load_unit<Half>(from + unit_bytes);
    return {static_cast<std::uint32_t>(first.word[0]),
            first.word[1],
            first.word[2],
            first.word[3],
            {second.word[0], second.word[1], second.word[2], second.word[3]}};
  }
  /// Each lane prefetches one of the program's first units, or two if the program belongs to one
  /// slice only and is therefore not cached.
  TIDEWISE_HOST_DEVICE void prefetch([[maybe_unused]] const SliceTask& task,
                                     [[maybe_unused]] std::int32_t lane) const {
#if defined(__CUDA_ARCH__)
    const std::int32_t unit = task.count > 1 ? lane : 2 * lane;
    if (unit >= task.near_units) return;
    std::uint32_t unused;
    asm volatile("ld.global.nc.u32 %0, [%1];"
                 : "=r"(unused)
                 : "l"(slices_.units + (std::size_t{task.begin} + unit) * unit_bytes));
#endif
  }

  template <int task_slices, class Keep>
  TIDEWISE_HOST_DEVICE bool run(const Real* value, const SliceTask& task, std::int32_t lane,
                                const Keep& keep) const {
    std::int32_t state[task_slices];
    const Real* from[task_slices];
    BestAction<Real> best[task_slices];
    TIDEWISE_UNROLL
    for (int m = 0; m < task_slices; ++m) {
      state[m] = task.slice[m] * slice_states + lane;
      from[m] = value + state[m];
      best[m] = {state[m] < slices_.state_count ? *from[m] : Real(0), -1};
    }
    const unsigned char* program = slices_.units + std::size_t{task.begin} * unit_bytes;
    const std::int32_t actions = slices_.action_count;
    Action<task_slices> even;
    Action<task_slices> odd;
    if (actions > 0) begin_action(program, from, lane, even);
    TIDEWISE_KEEP_LOOP
    for (std::int32_t action = 0; action < actions; action += 2) {
      const bool has_odd = action + 1 < actions;
      if (has_odd) begin_action(program, from, lane, odd);
      end_action(even, from, lane, action, best);
      if (action + 2 < actions) begin_action(program, from, lane, even);
      if (has_odd) end_action(odd, from, lane, action + 1, best);
    }
    TIDEWISE_UNROLL
    for (int m = 0; m < task_slices; ++m) {
      if (m >= task.count || state[m] >= slices_.state_count) continue;
      if (!keep(state[m], *from[m], best[m])) return false;
    }
    return true;
  }

  template <int task_slices>
  TIDEWISE_HOST_DEVICE void load_terms(const unsigned char* terms, std::uint32_t count,
                                       const Real* const (&from)[task_slices], std::int32_t lane,
                                       Action<task_slices>& action) const {
    TIDEWISE_UNROLL
    for (std::uint32_t n = 0; n < terms_ahead; ++n) {
      action.probability[n] = Real(no_entry);
      if (n >= count) continue;
      const auto term = load_unit<SliceTerm<Real>>(terms + n * unit_bytes);
      if (!has_lane(term.lanes, lane)) continue;
      action.probability[n] = term.probability;
      TIDEWISE_UNROLL
      for (int m = 0; m < task_slices; ++m) action.next_value[n][m] = from[m][term.distance];
    }
  }
// Lanes without part in a term do not initialize its next_value.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
  template <int task_slices>
  TIDEWISE_HOST_DEVICE void add_terms(const Action<task_slices>& action,
                                      Real (&sum)[task_slices]) const {
    TIDEWISE_UNROLL
    for (std::uint32_t n = 0; n < terms_ahead; ++n) {
      if (!(action.probability[n] >= 0)) continue;
      TIDEWISE_UNROLL
      for (int m = 0; m < task_slices; ++m) {
        sum[m] = std::fma(action.probability[n], action.next_value[n][m], sum[m]);
      }
    }
  }

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif

  /// Loads the values of an action's first terms, and moves `program` past the action.
  template <int task_slices>
  TIDEWISE_HOST_DEVICE void begin_action(const unsigned char*& program,
                                         const Real* const (&from)[task_slices], std::int32_t lane,
                                         Action<task_slices>& action) const {
    const auto head = load_unit<SliceAction<Real>>(program);
    program += unit_bytes;
    action.kind = head.count_and_kind;
    action.is_allowed = has_lane(head.lanes, lane);
    action.reward = head.reward;
    if ((action.kind & slice_kind::lane_rewards) != 0) {
      action.reward = load_kept(reinterpret_cast<const Real*>(program) + lane);
      program += slice_states * sizeof(Real);
    }
    action.terms = program;
    const std::uint32_t count = action.kind & slice_kind::count_mask;
    if ((action.kind & slice_kind::lanewise) != 0) {
      program += count * position_bytes<Real>(action.kind);
    } else {
      program += count * unit_bytes;
      load_terms(action.terms, count, from, lane, action);
    }
  }
  /// Sums the action's terms and takes it if it is better.
  template <int task_slices>
  TIDEWISE_HOST_DEVICE void end_action(Action<task_slices>& action,
                                       const Real* const (&from)[task_slices], std::int32_t lane,
                                       std::int32_t number,
                                       BestAction<Real> (&best)[task_slices]) const {
    Real sum[task_slices];
    TIDEWISE_UNROLL
    for (int m = 0; m < task_slices; ++m) sum[m] = 0;
    if ((action.kind & slice_kind::lanewise) != 0) {
      add_positions(action, from, lane, sum);
    } else {
      add_terms(action, sum);
      const std::uint32_t count = action.kind & slice_kind::count_mask;
      TIDEWISE_KEEP_LOOP
      for (std::uint32_t n = terms_ahead; n < count; n += terms_ahead) {
        load_terms(action.terms + n * unit_bytes, count - n, from, lane, action);
        add_terms(action, sum);
      }
    }
    if (!action.is_allowed) return;
    TIDEWISE_UNROLL
    for (int m = 0; m < task_slices; ++m) {
      take_better(best[m], close_row(sum[m], slices_.discount, action.reward), number);
    }
  }

  template <int task_slices>
  TIDEWISE_HOST_DEVICE void add_positions(const Action<task_slices>& action,
                                          const Real* const (&from)[task_slices], std::int32_t lane,
                                          Real (&sum)[task_slices]) const {
    const std::uint32_t kind = action.kind;
    const std::size_t stride = position_bytes<Real>(kind);
    const bool narrow = (kind & slice_kind::narrow) != 0;
    const unsigned char* position = action.terms;
    const std::uint32_t count = kind & slice_kind::count_mask;
    TIDEWISE_KEEP_LOOP
    for (std::uint32_t first = 0; first < count; first += positions_ahead<task_slices>) {
      std::int32_t to[positions_ahead<task_slices>];
      Real probability[positions_ahead<task_slices>];
      TIDEWISE_UNROLL
      for (std::uint32_t n = 0; n < positions_ahead<task_slices>; ++n, position += stride) {
        to[n] = lane;
        probability[n] = Real(no_entry);
        if (first + n >= count) continue;
        to[n] = narrow ? load_passing(reinterpret_cast<const std::int16_t*>(position) + lane)
                       : load_passing(reinterpret_cast<const std::int32_t*>(position) + lane);
        const unsigned char* const probabilities = position + slice_states * (narrow ? 2 : 4);
        probability[n] = (kind & slice_kind::coded) != 0
                             ? load_kept(slices_.dictionary + load_passing(probabilities + lane))
                             : load_passing(reinterpret_cast<const Real*>(probabilities) + lane);
      }
      Real next_value[positions_ahead<task_slices>][task_slices];
      TIDEWISE_UNROLL
      for (std::uint32_t n = 0; n < positions_ahead<task_slices>; ++n) {
        TIDEWISE_UNROLL
        for (int m = 0; m < task_slices; ++m) {
          next_value[n][m] = probability[n] >= 0 ? from[m][to[n] - lane] : Real(0);
        }
      }
      TIDEWISE_UNROLL
      for (std::uint32_t n = 0; n < positions_ahead<task_slices>; ++n) {
        if (!(probability[n] >= 0)) continue;
        TIDEWISE_UNROLL
        for (int m = 0; m < task_slices; ++m)
          sum[m] = std::fma(probability[n], next_value[n][m], sum[m]);
      }
    }
  }

  PackedSlices<Real> slices_;
  const SliceTask* tasks_;
  std::int64_t task_count_;
};

template <class Real>
inline constexpr int blocks_at_a_time<PackedLane<Real>> = 2;

}  // namespace tidewise::mdp

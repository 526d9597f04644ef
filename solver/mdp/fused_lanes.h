#pragma once

#include <cstdint>

#include "base/host_device.h"
#include "solver/mdp/bellman.h"
#include "solver/mdp/fused_slices.h"

namespace tidewise {

// One state's backup in each layout, for a thread of its own: what a device runs, a warp to a
// slice, and tests run on the host too. The same bits as best_action(). Each is called with the
// values, (state), and a state; back_up() takes `group` states, each a slice behind the other.

/// Reads what no thread writes and many read; a device keeps it near.
template <class T>
TIDEWISE_HOST_DEVICE T load_kept(const T* from) {
#if defined(__CUDA_ARCH__)
  return __ldg(from);
#else
  return *from;
#endif
}
/// Reads what is read once a sweep; a device lets it pass, and keeps values instead.
template <class T>
TIDEWISE_HOST_DEVICE T load_passing(const T* from) {
#if defined(__CUDA_ARCH__)
  return __ldcs(from);
#else
  return *from;
#endif
}
/// A unit of a program, in one load.
template <class Unit>
TIDEWISE_HOST_DEVICE Unit load_unit(const unsigned char* from) {
  static_assert(sizeof(Unit) == unit_bytes);
#if defined(__CUDA_ARCH__)
  const uint4 words = __ldg(reinterpret_cast<const uint4*>(from));
  Unit unit;
  memcpy(&unit, &words, sizeof unit);
  return unit;
#else
  return *reinterpret_cast<const Unit*>(from);
#endif
}

TIDEWISE_HOST_DEVICE inline bool has_lane(std::uint32_t lanes, std::int32_t lane) {
  return (lanes >> static_cast<std::uint32_t>(lane) & 1u) != 0;
}

/// Rows as they are.
template <class Real>
struct RowsLane {
  ProcessView<Real> process;

  static constexpr int group = 1;
  TIDEWISE_HOST_DEVICE void back_up(const Real* value, std::int64_t first, std::int32_t end,
                                    BestAction<Real> (&best)[group]) const {
    if (first < end) best[0] = (*this)(value, static_cast<std::int32_t>(first));
  }
  TIDEWISE_HOST_DEVICE BestAction<Real> operator()(const Real* value, std::int32_t state) const {
    return best_action(process, value, state);
  }
};

/// Positions of all actions of a slice are one stream of loads, and the next ones are on their way
/// while the values of these are awaited.
template <class Real>
class SlicedLane {
 public:
  explicit SlicedLane(const SlicedSlices<Real>& slices) : slices_(slices) {}

  static constexpr int group = 1;
  TIDEWISE_HOST_DEVICE void back_up(const Real* value, std::int64_t first, std::int32_t end,
                                    BestAction<Real> (&best)[group]) const {
    if (first < end) best[0] = (*this)(value, static_cast<std::int32_t>(first));
  }
  TIDEWISE_HOST_DEVICE BestAction<Real> operator()(const Real* value, std::int32_t state) const {
    const std::int32_t lane = state % slice_states;
    const std::int64_t place = static_cast<std::int64_t>(state / slice_states) * actions();
    BestAction<Real> best{value[state], -1};
    std::int64_t at = load_kept(slices_.begin + place);
    const std::int64_t end = load_kept(slices_.begin + place + actions());
    std::int32_t action = 0;
    Row row = row_of(place, lane, 0);
    Row next_row = row_of(place, lane, 1);
    Real sum = 0;
    const auto close_rows_until = [&](std::int64_t position) {
      while (action < actions() && row.end == position) {
        if (row.is_there) {
          take_better(best, close_row(sum, slices_.discount, row.reward), action);
        }
        sum = 0;
        ++action;
        row = next_row;
        next_row = row_of(place, lane, action + 1);
      }
    };
    Entry entry[ahead];
    load(at, end, lane, entry);
    while (at < end) {
      Real worth[ahead];
      for (int n = 0; n < ahead; ++n) {
        worth[n] = entry[n].probability >= 0 ? value[entry[n].successor] : Real(0);
      }
      Entry now[ahead];
      for (int n = 0; n < ahead; ++n) now[n] = entry[n];
      load(at + ahead, end, lane, entry);
      for (int n = 0; n < ahead; ++n) {
        if (at + n >= end) break;
        close_rows_until(at + n);
        if (now[n].probability >= 0) sum = std::fma(now[n].probability, worth[n], sum);
      }
      at += ahead;
    }
    close_rows_until(end);
    return best;
  }

 private:
  static constexpr int ahead = 4;
  struct Entry {
    std::int32_t successor;
    Real probability;
  };
  struct Row {
    std::int64_t end = -1;
    Real reward = 0;
    bool is_there = false;
  };

  TIDEWISE_HOST_DEVICE std::int32_t actions() const { return slices_.action_count; }
  TIDEWISE_HOST_DEVICE Row row_of(std::int64_t first_place, std::int32_t lane,
                                  std::int32_t action) const {
    if (action >= actions()) return {};
    const std::int64_t place = first_place + action;
    return {load_kept(slices_.begin + place + 1),
            load_passing(slices_.reward + place * slice_states + lane),
            has_lane(load_kept(slices_.lanes + place), lane)};
  }
  TIDEWISE_HOST_DEVICE void load(std::int64_t at, std::int64_t end, std::int32_t lane,
                                 Entry (&entry)[ahead]) const {
    for (int n = 0; n < ahead; ++n) {
      entry[n] = {0, Real(no_entry)};
      if (at + n >= end) continue;
      const std::int64_t word = (at + n) * slice_states + lane;
      entry[n] = {load_passing(slices_.successor + word), load_passing(slices_.probability + word)};
    }
  }

  SlicedSlices<Real> slices_;
};

/// Runs the program of the state's slice; of several slices at once where they share it, so that it
/// is read once for all of them.
template <class Real>
class PackedLane {
 public:
  /// Slices that a warp takes at once.
  static constexpr int group = sizeof(Real) == 4 ? 4 : 2;

  explicit PackedLane(const PackedSlices<Real>& slices) : slices_(slices) {}

  TIDEWISE_HOST_DEVICE BestAction<Real> operator()(const Real* value, std::int32_t state) const {
    BestAction<Real> best[1];
    run(value, state, begin_of(state), best);
    return best[0];
  }
  /// The same of the states `first`, first + slice_states, … that are below `end`. Lanes of a slice
  /// come here together.
  TIDEWISE_HOST_DEVICE void back_up(const Real* value, std::int64_t first, std::int32_t end,
                                    BestAction<Real> (&best)[group]) const {
    const std::int64_t group_first = first - first % slice_states;
    if (group_first + group * slice_states <= end) {
      const auto state = static_cast<std::int32_t>(first);
      const std::uint32_t begin = begin_of(state);
      bool share = true;
      for (int n = 1; n < group; ++n) share = share && begin_of(state + n * slice_states) == begin;
      if (share) return run(value, state, begin, best);
    }
    for (BestAction<Real>& none : best) none = {};
    for (int n = 0; n < group; ++n) {
      const std::int64_t state = first + n * slice_states;
      if (state >= end) continue;
      const BestAction<Real> own = (*this)(value, static_cast<std::int32_t>(state));
      // Not best[n]: registers have no index.
      for (int m = 0; m < group; ++m) best[m] = m == n ? own : best[m];
    }
  }

 private:
  static constexpr std::uint32_t ahead = 4;

  TIDEWISE_HOST_DEVICE std::uint32_t begin_of(std::int32_t state) const {
    return load_kept(slices_.begin + state / slice_states);
  }

  /// Of `many` slices that share a program; `state`: of the first.
  template <int many>
  TIDEWISE_HOST_DEVICE void run(const Real* value, std::int32_t state, std::size_t begin,
                                BestAction<Real> (&best)[many]) const {
    const std::int32_t lane = state % slice_states;
    const unsigned char* at = slices_.units + begin * unit_bytes;
    for (int m = 0; m < many; ++m) best[m] = {value[state + m * slice_states], -1};
    for (std::int32_t action = 0; action < slices_.action_count; ++action) {
      const auto head = load_unit<SliceAction<Real>>(at);
      const std::uint32_t kind = head.count_and_kind;
      at += unit_bytes;
      Real reward = head.reward;
      if ((kind & slice_kind::lane_rewards) != 0) {
        reward = load_kept(reinterpret_cast<const Real*>(at) + lane);
        at += slice_states * sizeof(Real);
      }
      Real sum[many];
      for (int m = 0; m < many; ++m) sum[m] = 0;
      if ((kind & slice_kind::lanewise) != 0) {
        add_positions(at, kind, value, state, sum);
      } else {
        add_terms(at, kind, value, state, sum);
      }
      if (!has_lane(head.lanes, lane)) continue;
      for (int m = 0; m < many; ++m) {
        take_better(best[m], close_row(sum[m], slices_.discount, reward), action);
      }
    }
  }

  template <int many>
  TIDEWISE_HOST_DEVICE void add_terms(const unsigned char*& at, std::uint32_t kind,
                                      const Real* value, std::int32_t state,
                                      Real (&sum)[many]) const {
    const std::uint32_t count = kind & slice_kind::count_mask;
    const std::int32_t lane = state % slice_states;
    for (std::uint32_t first = 0; first < count; first += ahead) {
      Real probability[ahead];
      Real worth[ahead][many];
      bool takes_part[ahead];
      for (std::uint32_t n = 0; n < ahead; ++n) {
        takes_part[n] = false;
        if (first + n >= count) continue;
        const auto term = load_unit<SliceTerm<Real>>(at + (first + n) * unit_bytes);
        takes_part[n] = has_lane(term.lanes, lane);
        probability[n] = term.probability;
        if (!takes_part[n]) continue;
        const Real* const from = value + (state + term.distance);
        for (int m = 0; m < many; ++m) worth[n][m] = from[m * slice_states];
      }
      for (std::uint32_t n = 0; n < ahead; ++n) {
        if (!takes_part[n]) continue;
        for (int m = 0; m < many; ++m) sum[m] = std::fma(probability[n], worth[n][m], sum[m]);
      }
    }
    at += count * unit_bytes;
  }

  template <int many>
  TIDEWISE_HOST_DEVICE void add_positions(const unsigned char*& at, std::uint32_t kind,
                                          const Real* value, std::int32_t state,
                                          Real (&sum)[many]) const {
    const std::size_t stride = position_bytes<Real>(kind);
    const bool narrow = (kind & slice_kind::narrow) != 0;
    const std::int32_t lane = state % slice_states;
    const Real* const slice_values = value + (state - lane);
    for (std::uint32_t n = kind & slice_kind::count_mask; n > 0; --n, at += stride) {
      const std::int32_t to = narrow
                                  ? load_passing(reinterpret_cast<const std::int16_t*>(at) + lane)
                                  : load_passing(reinterpret_cast<const std::int32_t*>(at) + lane);
      const unsigned char* const probabilities = at + slice_states * (narrow ? 2 : 4);
      const Real probability =
          (kind & slice_kind::coded) != 0
              ? load_kept(slices_.dictionary + load_passing(probabilities + lane))
              : load_passing(reinterpret_cast<const Real*>(probabilities) + lane);
      if (!(probability >= 0)) continue;
      for (int m = 0; m < many; ++m) {
        sum[m] = std::fma(probability, slice_values[to + m * slice_states], sum[m]);
      }
    }
  }

  PackedSlices<Real> slices_;
};

}  // namespace tidewise

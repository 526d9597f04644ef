#pragma once

#include "mdp/fused/kernels.h"

// The one body of every kind of processor's fused kernels. `Vector` says what its vectors are:
//   Real; lanes of one, vectors a pass (lanes · vectors divides slice_states); Reals, Mask, Index;
//   load, store, set, subtract, least, most (the second where the first is no number);
//   fma(a, b, c) = a·b + c; fma_where(mask, a, b, c): c elsewhere; select(mask, yes, no);
//   lanes_of(bits), none, both, either_not(a, b) = a or not b, either, greater, at_least;
//   load_wide, load_narrow, load_codes; gather(base, index).
// A file of kernels includes this once, so everything here is its own.

namespace tidewise::mdp {
namespace {

/// The best of some actions so far, of `vectors` vectors of lanes.
template <class Vector, bool with_actions>
class BestOfLanes {
  using Reals = typename Vector::Reals;
  using Mask = typename Vector::Mask;
  using Real = typename Vector::Real;

 public:
  [[gnu::always_inline]] explicit BestOfLanes(const Real* own) {
    for (int n = 0; n < Vector::vectors; ++n) {
      own_[n] = best_[n] = Vector::load(own + n * Vector::lanes);
      some_[n] = Vector::none();
      if constexpr (with_actions) action_[n] = Vector::set(Real(-1));
    }
  }

  /// `lanes`: who has the action.
  [[gnu::always_inline]] void take(int n, Reals q, Mask lanes, std::int32_t action) {
    const Mask better =
        Vector::both(lanes, Vector::either_not(Vector::greater(q, best_[n]), some_[n]));
    best_[n] = Vector::select(better, q, best_[n]);
    some_[n] = Vector::either(some_[n], lanes);
    if constexpr (with_actions) {
      action_[n] = Vector::select(better, Vector::set(static_cast<Real>(action)), action_[n]);
    }
  }

  [[gnu::always_inline]] void keep(Real* next, std::int32_t* action, Reals& least,
                                   Reals& most) const {
    for (int n = 0; n < Vector::vectors; ++n) {
      Vector::store(next + n * Vector::lanes, best_[n]);
      const Reals change = Vector::subtract(best_[n], own_[n]);
      least = Vector::least(change, least);
      most = Vector::most(change, most);
      if constexpr (with_actions) {
        alignas(64) Real actions[Vector::lanes];
        Vector::store(actions, action_[n]);
        for (int lane = 0; lane < Vector::lanes; ++lane) {
          action[n * Vector::lanes + lane] = static_cast<std::int32_t>(actions[lane]);
        }
      }
    }
  }

 private:
  Reals own_[Vector::vectors];
  Reals best_[Vector::vectors];
  Mask some_[Vector::vectors];
  Reals action_[with_actions ? Vector::vectors : 1];
};

/// Some lanes of a slice in the packed layout: `first` is the first of them within the slice.
template <class Vector>
class PackedRows {
  using Reals = typename Vector::Reals;
  using Mask = typename Vector::Mask;
  using Index = typename Vector::Index;
  using Real = typename Vector::Real;

 public:
  PackedRows(const PackedSlices<Real>& slices, const Real* slice_values, int first)
      : dictionary_(slices.dictionary), value_(slice_values), first_(first) {}

  /// Adds up `count` terms or positions from `at`; returns where they end.
  [[gnu::always_inline]] const unsigned char* add_up(const unsigned char* at, std::uint32_t kind,
                                                     Reals (&sum)[Vector::vectors]) const {
    const std::uint32_t count = kind & slice_kind::count_mask;
    if ((kind & slice_kind::lanewise) != 0) {
      add_positions(at, kind, sum);
      return at + count * position_bytes<Real>(kind);
    }
    const auto* term = reinterpret_cast<const SliceTerm<Real>*>(at);
    const auto* const end = term + count;
    if ((kind & slice_kind::whole) != 0) {
      for (; term < end; ++term) {
        const Real* from = value_ + first_ + term->distance;
        const Reals probability = Vector::set(term->probability);
        for (int n = 0; n < Vector::vectors; ++n) {
          sum[n] = Vector::fma(probability, Vector::load(from + n * Vector::lanes), sum[n]);
        }
      }
    } else {
      for (; term < end; ++term) {
        const Real* from = value_ + first_ + term->distance;
        const Reals probability = Vector::set(term->probability);
        for (int n = 0; n < Vector::vectors; ++n) {
          sum[n] = Vector::fma_where(Vector::lanes_of(term->lanes >> (first_ + n * Vector::lanes)),
                                     probability, Vector::load(from + n * Vector::lanes), sum[n]);
        }
      }
    }
    return reinterpret_cast<const unsigned char*>(end);
  }

 private:
  [[gnu::noinline]] void add_positions(const unsigned char* at, std::uint32_t kind,
                                       Reals (&sum)[Vector::vectors]) const {
    const std::size_t stride = position_bytes<Real>(kind);
    const std::size_t successors = slice_states * ((kind & slice_kind::narrow) != 0 ? 2 : 4);
    for (std::uint32_t n = kind & slice_kind::count_mask; n > 0; --n, at += stride) {
      for (int v = 0; v < Vector::vectors; ++v) {
        const int lane = first_ + v * Vector::lanes;
        const Index to = (kind & slice_kind::narrow) != 0
                             ? Vector::load_narrow(reinterpret_cast<const std::int16_t*>(at) + lane)
                             : Vector::load_wide(reinterpret_cast<const std::int32_t*>(at) + lane);
        const Reals probability =
            (kind & slice_kind::coded) != 0
                ? Vector::gather(dictionary_, Vector::load_codes(at + successors + lane))
                : Vector::load(reinterpret_cast<const Real*>(at + successors) + lane);
        const Mask there = Vector::at_least(probability, Vector::set(Real(0)));
        sum[v] = Vector::fma_where(there, probability, Vector::gather(value_, to), sum[v]);
      }
    }
  }

  const Real* dictionary_;
  const Real* value_;
  int first_;
};

template <class Vector, bool with_actions, class Real = typename Vector::Real>
[[gnu::always_inline]] inline void back_up_packed(const PackedSlices<Real>& slices,
                                                  SliceRun<Real>& run, std::int64_t slice,
                                                  int first, typename Vector::Reals& least,
                                                  typename Vector::Reals& most) {
  using Reals = typename Vector::Reals;
  const std::int64_t state = slice * slice_states;
  const PackedRows<Vector> rows(slices, run.value + state, first);
  const Reals discount = Vector::set(slices.discount);
  BestOfLanes<Vector, with_actions> best(run.value + state + first);
  const unsigned char* at = slices.units + slices.begin[slice] * unit_bytes;
  for (std::int32_t a = 0; a < slices.action_count; ++a) {
    const auto* head = reinterpret_cast<const SliceAction<Real>*>(at);
    const std::uint32_t kind = head->count_and_kind;
    at += unit_bytes;
    const Real* lane_rewards = nullptr;
    if ((kind & slice_kind::lane_rewards) != 0) {
      lane_rewards = reinterpret_cast<const Real*>(at) + first;
      at += slice_states * sizeof(Real);
    }
    Reals sum[Vector::vectors];
    for (int n = 0; n < Vector::vectors; ++n) sum[n] = Vector::set(Real(0));
    at = rows.add_up(at, kind, sum);
    for (int n = 0; n < Vector::vectors; ++n) {
      const Reals reward = lane_rewards != nullptr ? Vector::load(lane_rewards + n * Vector::lanes)
                                                   : Vector::set(head->reward);
      best.take(n, Vector::fma(discount, sum[n], reward),
                Vector::lanes_of(head->lanes >> (first + n * Vector::lanes)), a);
    }
  }
  best.keep(run.next + state + first, with_actions ? run.action + state + first : nullptr, least,
            most);
}

template <class Vector, bool with_actions, class Real = typename Vector::Real>
[[gnu::always_inline]] inline void back_up_sell(const SellSlices<Real>& slices, SliceRun<Real>& run,
                                                std::int64_t slice, int first,
                                                typename Vector::Reals& least,
                                                typename Vector::Reals& most) {
  using Reals = typename Vector::Reals;
  const std::int64_t state = slice * slice_states;
  const Reals discount = Vector::set(slices.discount);
  BestOfLanes<Vector, with_actions> best(run.value + state + first);
  for (std::int32_t a = 0; a < slices.action_count; ++a) {
    const std::int64_t place = slice * slices.action_count + a;
    Reals sum[Vector::vectors];
    for (int n = 0; n < Vector::vectors; ++n) sum[n] = Vector::set(Real(0));
    for (std::int64_t at = slices.begin[place]; at < slices.begin[place + 1]; ++at) {
      for (int n = 0; n < Vector::vectors; ++n) {
        const std::int64_t lane = at * slice_states + first + n * Vector::lanes;
        const Reals probability = Vector::load(slices.probability + lane);
        const auto there = Vector::at_least(probability, Vector::set(Real(0)));
        const Reals worth = Vector::gather(run.value, Vector::load_wide(slices.successor + lane));
        sum[n] = Vector::fma_where(there, probability, worth, sum[n]);
      }
    }
    const Real* reward = slices.reward + place * slice_states + first;
    for (int n = 0; n < Vector::vectors; ++n) {
      best.take(n, Vector::fma(discount, sum[n], Vector::load(reward + n * Vector::lanes)),
                Vector::lanes_of(slices.lanes[place] >> (first + n * Vector::lanes)), a);
    }
  }
  best.keep(run.next + state + first, with_actions ? run.action + state + first : nullptr, least,
            most);
}

/// Calls back_up(slice, first lane, least, most) for every pass over every slice.
template <class Vector, class BackUp, class Real = typename Vector::Real>
[[gnu::always_inline]] inline void sweep_slices(SliceRun<Real>& run, const BackUp& back_up) {
  auto least = Vector::set(run.least);
  auto most = Vector::set(run.most);
  for (std::int64_t slice = run.first; slice < run.end; ++slice) {
    for (int first = 0; first < slice_states; first += Vector::lanes * Vector::vectors) {
      back_up(slice, first, least, most);
    }
  }
  alignas(64) Real leasts[Vector::lanes];
  alignas(64) Real mosts[Vector::lanes];
  Vector::store(leasts, least);
  Vector::store(mosts, most);
  for (int lane = 0; lane < Vector::lanes; ++lane) {
    run.least = leasts[lane] < run.least ? leasts[lane] : run.least;
    run.most = mosts[lane] > run.most ? mosts[lane] : run.most;
  }
}

template <class Vector, class Real = typename Vector::Real>
void sweep_packed(const PackedSlices<Real>& from, SliceRun<Real>& run) {
  const PackedSlices<Real> slices = from;  // a copy, which the stores below cannot change
  using Reals = typename Vector::Reals;
  if (run.action != nullptr) {
    sweep_slices<Vector>(run, [&](std::int64_t slice, int first, Reals& least, Reals& most) {
      back_up_packed<Vector, true>(slices, run, slice, first, least, most);
    });
  } else {
    sweep_slices<Vector>(run, [&](std::int64_t slice, int first, Reals& least, Reals& most) {
      back_up_packed<Vector, false>(slices, run, slice, first, least, most);
    });
  }
}

template <class Vector, class Real = typename Vector::Real>
void sweep_sell(const SellSlices<Real>& from, SliceRun<Real>& run) {
  const SellSlices<Real> slices = from;
  using Reals = typename Vector::Reals;
  if (run.action != nullptr) {
    sweep_slices<Vector>(run, [&](std::int64_t slice, int first, Reals& least, Reals& most) {
      back_up_sell<Vector, true>(slices, run, slice, first, least, most);
    });
  } else {
    sweep_slices<Vector>(run, [&](std::int64_t slice, int first, Reals& least, Reals& most) {
      back_up_sell<Vector, false>(slices, run, slice, first, least, most);
    });
  }
}

}  // namespace
}  // namespace tidewise::mdp

#include "mdp/fused/kernels.h"

#include <array>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "mdp/fused/kernels.cpp"
#include "base/simd/each_target.h"
#include "base/simd/vectors.h"

HWY_BEFORE_NAMESPACE();
namespace tidewise::mdp {
namespace HWY_NAMESPACE {
namespace {

using namespace simd::HWY_NAMESPACE;  // NOLINT(google-build-using-namespace)

template <class Real>
using Tag = hn::CappedTag<Real, 16>;
/// Number of vectors that are backed up together.
template <class Real>
inline constexpr int vectors_at_once = vectors_for(Tag<Real>(), slice_states, 4);

template <class Real, class Stored>
HWY_INLINE auto load_index(const Stored* from) {
  return load_as<vectors_at_once<Real>>(hn::RebindToSigned<Tag<Real>>(), from);
}
template <class Real, class V>
HWY_INLINE auto gather(const Real* base, const V& index) {
  return each([&](auto i) HWY_ATTR { return hn::GatherIndex(Tag<Real>(), base, i); }, index);
}
template <class Real>
HWY_INLINE auto load_reals(const Real* from) {
  return load<vectors_at_once<Real>>(Tag<Real>(), from);
}
template <class Real>
HWY_INLINE auto set_reals(Real value) {
  return set<vectors_at_once<Real>>(Tag<Real>(), value);
}
template <class Real>
using Reals = decltype(set_reals(Real()));

/// The bit of each lane in a slice's mask.
template <class Real>
HWY_INLINE auto bits_of_lanes(int first) {
  alignas(64) static constexpr std::array<std::uint32_t, slice_states> bits = [] {
    std::array<std::uint32_t, slice_states> result{};
    for (std::uint32_t l = 0; l < slice_states; ++l) result[l] = 1u << l;
    return result;
  }();
  return load_as<vectors_at_once<Real>>(hn::RebindToUnsigned<Tag<Real>>(), bits.data() + first);
}
template <class Real>
using Bits = decltype(bits_of_lanes<Real>(0));

/// The lanes whose bit is set in `bits`.
template <class Real>
HWY_INLINE auto lanes_of(std::uint32_t bits, const Bits<Real>& lane_bits) {
  const hn::RebindToUnsigned<Tag<Real>> d;
  return each(
      [&](auto bit)
          HWY_ATTR { return hn::RebindMask(Tag<Real>(), hn::TestBit(hn::Set(d, bits), bit)); },
      lane_bits);
}
template <class Real, class M, class V = Reals<Real>>
HWY_INLINE V fma_where(const M& mask, const V& a, const V& b, const V& c) {
  return select(Tag<Real>(), mask, fma(a, b, c), c);
}

/// Sums over positions of the kind lanewise in the packed layout.
template <class Real>
HWY_NOINLINE auto add_positions(const unsigned char* position, std::uint32_t kind,
                                const Real* value, const Real* dictionary, int first) {
  const bool narrow = (kind & slice_kind::narrow) != 0;
  const std::size_t successors = slice_states * (narrow ? 2 : 4);
  auto sum = set_reals(Real(0));
  for (std::uint32_t n = kind & slice_kind::count_mask; n > 0; --n) {
    const unsigned char* const numbers = position + successors;
    auto next_value = sum;
    if (narrow) {
      next_value =
          gather(value, load_index<Real>(reinterpret_cast<const std::int16_t*>(position) + first));
    } else {
      next_value =
          gather(value, load_index<Real>(reinterpret_cast<const std::int32_t*>(position) + first));
    }
    auto probability = sum;
    if ((kind & slice_kind::coded) != 0) {
      probability = gather(dictionary, load_index<Real>(numbers + first));
    } else {
      probability = load_reals(reinterpret_cast<const Real*>(numbers) + first);
    }
    sum = fma_where<Real>(at_least(probability, set_reals(Real(0))), probability, next_value, sum);
    position += position_bytes<Real>(kind);
  }
  return sum;
}

/// Some lanes of a slice in the packed layout, action by action.
template <class Real>
class PackedRows {
 public:
  PackedRows(const PackedSlices<Real>& slices, const Real* value, std::int64_t slice, int first)
      : slices_(slices),
        value_(value + slice * slice_states),
        next_(slices.begin[slice] * unit_bytes + slices.units),
        first_(first) {}

  std::uint32_t lanes() const { return head().lanes; }
  /// The value of the action in all lanes; advances to the next action.
  HWY_INLINE auto take(const Bits<Real>& lane_bits) {
    const SliceAction<Real>& action = head();
    const std::uint32_t kind = action.count_and_kind;
    next_ += unit_bytes;
    const Real* lane_rewards = nullptr;
    if ((kind & slice_kind::lane_rewards) != 0) {
      lane_rewards = reinterpret_cast<const Real*>(next_) + first_;
      next_ += slice_states * sizeof(Real);
    }
    auto sum = set_reals(Real(0));
    if ((kind & slice_kind::lanewise) != 0) {
      sum = add_positions(next_, kind, value_, slices_.dictionary, first_);
      next_ += (kind & slice_kind::count_mask) * position_bytes<Real>(kind);
    } else {
      const auto* term = reinterpret_cast<const SliceTerm<Real>*>(next_);
      const auto* const end = term + (kind & slice_kind::count_mask);
      if ((kind & slice_kind::whole) != 0) {
        for (; term < end; ++term) sum = fma(set_reals(term->probability), next_values(*term), sum);
      } else {
        for (; term < end; ++term) {
          sum = fma_where<Real>(lanes_of<Real>(term->lanes, lane_bits),
                                set_reals(term->probability), next_values(*term), sum);
        }
      }
      next_ = reinterpret_cast<const unsigned char*>(end);
    }
    auto reward = set_reals(action.reward);
    if (lane_rewards != nullptr) reward = load_reals(lane_rewards);
    return fma(set_reals(slices_.discount), sum, reward);
  }

 private:
  const SliceAction<Real>& head() const {
    return *reinterpret_cast<const SliceAction<Real>*>(next_);
  }
  HWY_INLINE auto next_values(const SliceTerm<Real>& term) const {
    return load_reals(value_ + first_ + term.distance);
  }

  const PackedSlices<Real>& slices_;
  const Real* value_;  // value of the slice's first state
  const unsigned char* next_;
  int first_;
};

/// Stores the best of all actions for the states from `state` on.
template <bool with_actions, class Real>
HWY_INLINE void back_up(PackedRows<Real> rows, const SliceRun<Real>& run, std::int64_t state,
                        int first, std::int32_t action_count, Reals<Real>& min, Reals<Real>& max) {
  const Tag<Real> d;
  const auto present = load_reals(run.value + state);
  const auto lane_bits = bits_of_lanes<Real>(first);
  auto best = present;
  std::uint32_t covered = 0;  // lanes with at least one action so far
  auto best_action = set_reals(Real(-1));
  for (std::int32_t a = 0; a < action_count; ++a) {
    const std::uint32_t lanes = rows.lanes();
    const auto q = rows.take(lane_bits);
    auto better = both(lanes_of<Real>(lanes, lane_bits), greater(q, best));
    const std::uint32_t newly_covered = lanes & ~covered;
    if (newly_covered != 0) better = either(better, lanes_of<Real>(newly_covered, lane_bits));
    covered |= lanes;
    best = select(d, better, q, best);
    if constexpr (with_actions) {
      best_action = select(d, better, set_reals(static_cast<Real>(a)), best_action);
    }
  }
  store(d, best, run.next + state);
  const auto change = subtract(best, present);
  min = select(d, greater(min, change), change, min);
  max = select(d, greater(change, max), change, max);
  if constexpr (with_actions) {
    const hn::Rebind<std::int32_t, Tag<Real>> di;
    store(di,
          each(
              [&](auto action) HWY_ATTR {
                if constexpr (sizeof(Real) == 4) {
                  return hn::ConvertTo(di, action);
                } else {
                  return hn::DemoteTo(di, action);
                }
              },
              best_action),
          run.action + state);
  }
}

template <bool with_actions, class Real>
void sweep_run(const PackedSlices<Real>& from, SliceRun<Real>& run) {
  const PackedSlices<Real> slices = from;  // a copy that the stores below cannot alias
  const auto pass = static_cast<int>(vectors_at_once<Real> * hn::Lanes(Tag<Real>()));
  auto min = set_reals(run.min);
  auto max = set_reals(run.max);
  for (std::int64_t slice = run.first; slice < run.end; ++slice) {
    for (int first = 0; first < slice_states; first += pass) {
      back_up<with_actions>(PackedRows<Real>(slices, run.value, slice, first), run,
                            slice * slice_states + first, first, slices.action_count, min, max);
    }
  }
  Real lane_min[slice_states];
  Real lane_max[slice_states];
  store(Tag<Real>(), min, lane_min);
  store(Tag<Real>(), max, lane_max);
  for (int lane = 0; lane < pass; ++lane) {
    run.min = lane_min[lane] < run.min ? lane_min[lane] : run.min;
    run.max = lane_max[lane] > run.max ? lane_max[lane] : run.max;
  }
}

template <class Real>
void sweep(const PackedSlices<Real>& slices, SliceRun<Real>& run) {
  run.action != nullptr ? sweep_run<true>(slices, run) : sweep_run<false>(slices, run);
}

void sweep_float(const PackedSlices<float>& slices, SliceRun<float>& run) { sweep(slices, run); }
void sweep_double(const PackedSlices<double>& slices, SliceRun<double>& run) { sweep(slices, run); }

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace tidewise::mdp
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tidewise::mdp {

HWY_EXPORT(sweep_float);
HWY_EXPORT(sweep_double);

void sweep_slices(const PackedSlices<float>& slices, SliceRun<float>& run) {
  HWY_DYNAMIC_DISPATCH(sweep_float)(slices, run);
}
void sweep_slices(const PackedSlices<double>& slices, SliceRun<double>& run) {
  HWY_DYNAMIC_DISPATCH(sweep_double)(slices, run);
}

}  // namespace tidewise::mdp
#endif

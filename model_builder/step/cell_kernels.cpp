#include "model_builder/step/cell_kernels.h"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "model_builder/step/cell_kernels.cpp"
#include "base/simd/each_target.h"
#include "base/simd/vectors.h"

HWY_BEFORE_NAMESPACE();
namespace tidewise {
namespace HWY_NAMESPACE {
namespace {

using namespace simd::HWY_NAMESPACE;  // NOLINT(google-build-using-namespace)

using Words = hn::CappedTag<std::int32_t, 16>;

/// Whether the processor adds products of halves to a sum in one instruction.
enum class Vnni { no, yes };

/// sum + lower · lower + upper · upper, with the signed halves of each word.
template <Vnni Has = Vnni::no, class V>
HWY_INLINE V add_products(const V& sum, const V& a, const V& b) {
  return each(
      [](auto s, auto x, auto y) HWY_ATTR {
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3
        // Highway 1.0.3 has no target that allows the intrinsic.
        if constexpr (Has == Vnni::yes) {
          asm("vpdpwssd %2, %1, %0" : "+v"(s.raw) : "v"(x.raw), "v"(y.raw));
          return s;
        }
#endif
#if HWY_ARCH_X86 && HWY_TARGET != HWY_SCALAR
        const hn::Repartition<std::int16_t, Words> halves;
        auto unused = s;  // on x86-64 the instruction adds both
        return hn::ReorderWidenMulAccumulate(Words(), hn::BitCast(halves, x),
                                             hn::BitCast(halves, y), s, unused);
#else
        const auto lower = [](auto v) HWY_ATTR { return hn::ShiftRight<16>(hn::ShiftLeft<16>(v)); };
        const auto lower_product = hn::Mul(lower(x), lower(y));
        return hn::Add(
            s, hn::Add(lower_product, hn::Mul(hn::ShiftRight<16>(x), hn::ShiftRight<16>(y))));
#endif
      },
      sum, a, b);
}

/// sum >> shift; pack() below combines two such values in a word.
template <class V>
HWY_INLINE V shift_right(const V& sum, std::int32_t shift) {
  return each([shift](auto s) HWY_ATTR { return hn::Shr(s, hn::Set(Words(), shift)); }, sum);
}
template <class V>
HWY_INLINE V pack(const V& x, const V& y) {
  return each(
      [](auto a, auto b)
          HWY_ATTR { return hn::Or(hn::ShiftLeft<16>(b), hn::And(a, hn::Set(Words(), 0xffff))); },
      x, y);
}

/// Minimum and maximum of the signed halves of words.
#if HWY_TARGET == HWY_SCALAR
template <class Choose>
std::int32_t choose_halves(std::int32_t a, std::int32_t b, const Choose& choose) {
  const std::int32_t lower =
      choose(static_cast<std::int16_t>(a & 0xffff), static_cast<std::int16_t>(b & 0xffff));
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(choose(a >> 16, b >> 16)) << 16 |
                                   (static_cast<std::uint32_t>(lower) & 0xffffu));
}
template <class V>
V min_halves(const V& a, const V& b) {
  return V(choose_halves(a.raw, b.raw, [](auto x, auto y) { return x < y ? x : y; }));
}
template <class V>
V max_halves(const V& a, const V& b) {
  return V(choose_halves(a.raw, b.raw, [](auto x, auto y) { return x < y ? y : x; }));
}
#else
using Halves = hn::Repartition<std::int16_t, Words>;
template <class V>
HWY_INLINE V min_halves(const V& a, const V& b) {
  const Halves d;
  return hn::BitCast(Words(), hn::Min(hn::BitCast(d, a), hn::BitCast(d, b)));
}
template <class V>
HWY_INLINE V max_halves(const V& a, const V& b) {
  const Halves d;
  return hn::BitCast(Words(), hn::Max(hn::BitCast(d, a), hn::BitCast(d, b)));
}
#endif

/// The box whose corners are the halves of words.
template <class V>
BinBox box_of(const V& min, const V& max) {
  const Words d;
  alignas(64) std::int32_t low[16];
  alignas(64) std::int32_t high[16];
  hn::StoreU(min, d, low);
  hn::StoreU(max, d, high);
  BinBox box{INT16_MAX, INT16_MIN, INT16_MAX, INT16_MIN};
  for (std::size_t n = 0; n < hn::Lanes(d); ++n) {
    box.x_min = std::min<std::int32_t>(box.x_min, static_cast<std::int16_t>(low[n] & 0xffff));
    box.x_max = std::max<std::int32_t>(box.x_max, static_cast<std::int16_t>(high[n] & 0xffff));
    box.y_min = std::min(box.y_min, low[n] >> 16);
    box.y_max = std::max(box.y_max, high[n] >> 16);
  }
  return box;
}

/// Number of vectors per cell, for each axis, that are summed at the same time for `cells` cells:
/// limited by registers.
constexpr int vectors_at_once(int cells) {
  return HWY_HAVE_SCALABLE ? 1 : (HWY_CAP_GE512 ? 4 : (cells == 2 ? 1 : 2));
}

/// Initial values of Σ c̃ · m̃ for one cell: half of 2^s, for rounding.
template <int n>
HWY_INLINE auto rounding(std::int32_t shift) {
  return set<n>(Words(), 1 << (shift - 1));
}

/// Calls take(first, x, y) with the bins of one cell's realizations from `first` on.
template <class Take>
HWY_INLINE void for_each_bins(const SpreadArguments& cell, const Take& take) {
  constexpr int n = vectors_at_once(1);
  const Words d;
  for (std::size_t first = 0; first < cell.row_length; first += n * hn::Lanes(d)) {
    auto x = rounding<n>(cell.x_shift);
    auto y = rounding<n>(cell.y_shift);
    const std::int32_t* coefficient = cell.coefficient + first;
    for (std::int32_t pair = 0; pair < cell.pair_count; ++pair, coefficient += cell.row_length) {
      const auto c = load<n>(d, coefficient);
      x = add_products(x, c, set<n>(d, cell.x_mode[pair]));
      y = add_products(y, c, set<n>(d, cell.y_mode[pair]));
    }
    take(first, shift_right(x, cell.x_shift), shift_right(y, cell.y_shift));
  }
}

void spread_bins(const SpreadArguments& cell, std::int32_t* x, std::int32_t* y) {
  for_each_bins(cell, [&](std::size_t first, const auto& x_bins, const auto& y_bins) HWY_ATTR {
    store(Words(), x_bins, x + first);
    store(Words(), y_bins, y + first);
  });
}

/// Stores vectors of packed bins and extends their range.
template <class V, class Words_>
HWY_INLINE void store_and_bound(const Words_& words, V& min, V& max, std::int32_t* packed) {
  store(Words(), words, packed);
  each(
      [&](auto word) HWY_ATTR {
        min = min_halves(min, word);
        max = max_halves(max, word);
        return word;
      },
      words);
}

constexpr std::int32_t max_of_halves = 0x7fff7fff;
constexpr std::int32_t min_of_halves = static_cast<std::int32_t>(0x80008000u);

BinBox packed_bins(const SpreadArguments& cell, std::int32_t* packed) {
  auto min = hn::Set(Words(), max_of_halves);
  auto max = hn::Set(Words(), min_of_halves);
  for_each_bins(cell, [&](std::size_t first, const auto& x, const auto& y)
                          HWY_ATTR { store_and_bound(pack(x, y), min, max, packed + first); });
  return box_of(min, max);
}

template <Vnni Has>
HWY_INLINE void packed_bins_of_two_by(const SpreadArguments* cell, std::int32_t* const* packed,
                                      BinBox* box) {
  constexpr int n = vectors_at_once(2);
  const Words d;
  const SpreadArguments a = cell[0];
  const SpreadArguments b = cell[1];
  auto a_min = hn::Set(d, max_of_halves);
  auto a_max = hn::Set(d, min_of_halves);
  auto b_min = a_min;
  auto b_max = a_max;
  for (std::size_t first = 0; first < a.row_length; first += n * hn::Lanes(d)) {
    auto a_x = rounding<n>(a.x_shift);
    auto a_y = rounding<n>(a.y_shift);
    auto b_x = rounding<n>(b.x_shift);
    auto b_y = rounding<n>(b.y_shift);
    const std::int32_t* coefficient = a.coefficient + first;
    for (std::int32_t pair = 0; pair < a.pair_count; ++pair, coefficient += a.row_length) {
      const auto c = load<n>(d, coefficient);
      a_x = add_products<Has>(a_x, c, set<n>(d, a.x_mode[pair]));
      a_y = add_products<Has>(a_y, c, set<n>(d, a.y_mode[pair]));
      b_x = add_products<Has>(b_x, c, set<n>(d, b.x_mode[pair]));
      b_y = add_products<Has>(b_y, c, set<n>(d, b.y_mode[pair]));
    }
    store_and_bound(pack(shift_right(a_x, a.x_shift), shift_right(a_y, a.y_shift)), a_min, a_max,
                    packed[0] + first);
    store_and_bound(pack(shift_right(b_x, b.x_shift), shift_right(b_y, b.y_shift)), b_min, b_max,
                    packed[1] + first);
  }
  box[0] = box_of(a_min, a_max);
  box[1] = box_of(b_min, b_max);
}

void packed_bins_of_two(const SpreadArguments* cell, std::int32_t* const* packed, BinBox* box) {
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3
  static const bool has_vnni = __builtin_cpu_supports("avx512vnni") != 0;
  if (has_vnni) return packed_bins_of_two_by<Vnni::yes>(cell, packed, box);
#endif
  packed_bins_of_two_by<Vnni::no>(cell, packed, box);
}

void count_packed_bins(const std::int32_t* packed, std::size_t count, const BinBox& box,
                       std::int32_t stride, const PartialHistograms& histograms) {
  const Words d;
  const std::size_t lanes = hn::Lanes(d);
  // y · stride + x · 1, in one multiply-add of halves if the processor has it
  const auto factors = set<1>(d, (stride << 16) | 1);
  const std::int32_t base = box.y_min * stride + box.x_min;
  const auto negative_base = set<1>(d, -base);
  // In blocks: a scalar load waits for a vector store of the same bytes.
  constexpr std::size_t block = 512;
  alignas(64) std::int32_t place[block];
  std::size_t n = 0;
  const auto [first, second, third, fourth] = histograms;
  while (lanes % 4 == 0 && n + lanes <= count) {
    const std::size_t places = std::min(block, (count - n) / lanes * lanes);
    for (std::size_t i = 0; i < places; i += lanes) {
      store(d, add_products(negative_base, load<1>(d, packed + n + i), factors), place + i);
    }
    for (std::size_t i = 0; i < places; i += 4) {
      ++first[place[i]];
      ++second[place[i + 1]];
      ++third[place[i + 2]];
      ++fourth[place[i + 3]];
    }
    n += places;
  }
  for (; n < count; ++n) {
    const std::int32_t word = packed[n];
    ++first[(word >> 16) * stride + static_cast<std::int16_t>(word & 0xffff) - base];
  }
}

const char* cell_kernels_target() { return hwy::TargetName(HWY_TARGET); }

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace tidewise
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tidewise {

HWY_EXPORT(spread_bins);
HWY_EXPORT(packed_bins);
HWY_EXPORT(packed_bins_of_two);
HWY_EXPORT(count_packed_bins);
HWY_EXPORT(cell_kernels_target);

void spread_bins(const SpreadArguments& cell, std::int32_t* x, std::int32_t* y) {
  HWY_DYNAMIC_DISPATCH(spread_bins)(cell, x, y);
}

BinBox packed_bins(const SpreadArguments& cell, std::int32_t* packed) {
  return HWY_DYNAMIC_DISPATCH(packed_bins)(cell, packed);
}

void packed_bins_of_two(const SpreadArguments* cell, std::int32_t* const* packed, BinBox* box) {
  HWY_DYNAMIC_DISPATCH(packed_bins_of_two)(cell, packed, box);
}

void count_packed_bins(const std::int32_t* packed, std::size_t count, const BinBox& box,
                       std::int32_t stride, const PartialHistograms& histograms) {
  HWY_DYNAMIC_DISPATCH(count_packed_bins)(packed, count, box, stride, histograms);
}

const char* cell_kernels_target() { return HWY_DYNAMIC_DISPATCH(cell_kernels_target)(); }

}  // namespace tidewise
#endif

#include <immintrin.h>

#include "solver/missions/lane_kernels.h"
#include "solver/missions/lane_kernels_body.h"
#include "solver/missions/lane_kernels_variants.h"

// Compiled for x86-64-v4 alone: nothing here may be called before lane_kernels() has asked the
// processor.

namespace tidewise {
namespace {

struct Avx512 {
  using Floats = __m512;
  using Actions = __m512i;
  using Mask = __mmask16;
  static constexpr std::size_t lanes = 16;
  static constexpr int vectors = 4;  // a pass; what it keeps of each fills five registers

  static Floats load(const float* from) { return _mm512_loadu_ps(from); }
  static void store(float* to, Floats value) { _mm512_storeu_ps(to, value); }
  static Floats set(float value) { return _mm512_set1_ps(value); }
  static Floats add(Floats a, Floats b) { return _mm512_add_ps(a, b); }
  static Floats multiply(Floats a, Floats b) { return _mm512_mul_ps(a, b); }
  static Floats fma(Floats a, Floats b, Floats c) { return _mm512_fmadd_ps(a, b, c); }
  static Mask greater(Floats a, Floats b) { return _mm512_cmp_ps_mask(a, b, _CMP_GT_OQ); }
  static Mask is_number(Floats a) { return _mm512_cmp_ps_mask(a, a, _CMP_ORD_Q); }
  static Floats select(Mask mask, Floats yes, Floats no) {
    return _mm512_mask_blend_ps(mask, no, yes);
  }
  static Actions select_action(Mask mask, Actions yes, Actions no) {
    return _mm512_mask_blend_epi32(mask, no, yes);
  }
  static Actions set_action(std::int32_t action) { return _mm512_set1_epi32(action); }
  static Actions load_actions(const std::int16_t* from) {
    return _mm512_cvtepi16_epi32(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(from)));
  }
  static void store_actions(std::int16_t* to, Actions action) {
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), _mm512_cvtepi32_epi16(action));
  }
};

/// Rows of up to 8 columns: the counts that are none are pressed out of one vector.
class NarrowRows {
 public:
  static constexpr std::int32_t widest = 8;
  explicit NarrowRows(std::int32_t width)
      : within_(static_cast<__mmask8>((1u << static_cast<unsigned>(width)) - 1u)) {}
  [[gnu::always_inline]] std::int32_t keep(const std::uint32_t* count, const std::int32_t* place,
                                           float* kept_count, std::int32_t* kept_place,
                                           std::int32_t landings) const {
    const __m256i counts = _mm256_maskz_loadu_epi32(within_, count);
    const __m256i places = _mm256_maskz_loadu_epi32(within_, place);
    const __mmask8 some = _mm256_test_epi32_mask(counts, counts);
    _mm256_storeu_ps(kept_count + landings,
                     _mm256_cvtepu32_ps(_mm256_maskz_compress_epi32(some, counts)));
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(kept_place + landings),
                        _mm256_maskz_compress_epi32(some, places));
    return landings + __builtin_popcount(some);
  }

 private:
  __mmask8 within_;
};

/// Rows of any width, 16 columns at a time.
class WideRows {
 public:
  explicit WideRows(std::int32_t width) : width_(width) {}
  [[gnu::always_inline]] std::int32_t keep(const std::uint32_t* count, const std::int32_t* place,
                                           float* kept_count, std::int32_t* kept_place,
                                           std::int32_t landings) const {
    for (std::int32_t column = 0; column < width_; column += 16) {
      const std::int32_t left = width_ - column;
      const auto within =
          static_cast<__mmask16>(left >= 16 ? 0xffffu : (1u << static_cast<unsigned>(left)) - 1u);
      const __m512i counts = _mm512_maskz_loadu_epi32(within, count + column);
      const __m512i places = _mm512_maskz_loadu_epi32(within, place + column);
      const __mmask16 some = _mm512_test_epi32_mask(counts, counts);
      _mm512_storeu_ps(kept_count + landings,
                       _mm512_cvtepu32_ps(_mm512_maskz_compress_epi32(some, counts)));
      _mm512_storeu_si512(kept_place + landings, _mm512_maskz_compress_epi32(some, places));
      landings += __builtin_popcount(some);
    }
    return landings;
  }

 private:
  std::int32_t width_;
};

void keep_transitions(const LandingStencils& windows, const Landings& kept) {
  if (windows.width <= NarrowRows::widest) return keep_transitions_of<NarrowRows>(windows, kept);
  keep_transitions_of<WideRows>(windows, kept);
}

}  // namespace

const LaneKernels avx512_lane_kernels{"avx512", keep_transitions, back_up<Avx512>};

}  // namespace tidewise

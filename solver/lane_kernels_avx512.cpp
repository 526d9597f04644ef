#include <immintrin.h>

#include "solver/lane_kernels.h"
#include "solver/lane_kernels_body.h"
#include "solver/lane_kernels_variants.h"

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

  /// Sixteen columns at a time, the counts that are none pressed out.
  [[gnu::always_inline]] static void keep_row(const std::uint32_t* count, const std::int32_t* place,
                                              std::int32_t width, const Landings& out,
                                              std::int32_t& landing) {
    for (std::int32_t column = 0; column < width; column += 16) {
      const std::int32_t left = width - column;
      const auto within =
          static_cast<__mmask16>(left >= 16 ? 0xffffu : (1u << static_cast<unsigned>(left)) - 1u);
      const __m512i counts = _mm512_maskz_loadu_epi32(within, count + column);
      const __mmask16 some = _mm512_test_epi32_mask(counts, counts);
      const __m512i places = _mm512_maskz_loadu_epi32(within, place + column);
      _mm512_storeu_ps(out.count + landing,
                       _mm512_cvtepu32_ps(_mm512_maskz_compress_epi32(some, counts)));
      _mm512_storeu_si512(out.place + landing, _mm512_maskz_compress_epi32(some, places));
      landing += __builtin_popcount(some);
    }
  }
};

}  // namespace

const LaneKernels avx512_lane_kernels{"avx512", keep_landings<Avx512>, back_up<Avx512>};

}  // namespace tidewise

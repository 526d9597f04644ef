#include <immintrin.h>

#include "solver/missions/lane_kernels.h"
#include "solver/missions/lane_kernels_body.h"
#include "solver/missions/lane_kernels_variants.h"

namespace tidewise {
namespace {

struct Avx2 {
  using Floats = __m256;
  using Actions = __m256i;
  using Mask = __m256;
  static constexpr std::size_t lanes = 8;
  static constexpr int vectors = 4;  // a pass

  static Floats load(const float* from) { return _mm256_loadu_ps(from); }
  static void store(float* to, Floats value) { _mm256_storeu_ps(to, value); }
  static Floats set(float value) { return _mm256_set1_ps(value); }
  static Floats add(Floats a, Floats b) { return _mm256_add_ps(a, b); }
  static Floats multiply(Floats a, Floats b) { return _mm256_mul_ps(a, b); }
  static Floats fma(Floats a, Floats b, Floats c) { return _mm256_fmadd_ps(a, b, c); }
  static Mask greater(Floats a, Floats b) { return _mm256_cmp_ps(a, b, _CMP_GT_OQ); }
  static Mask is_number(Floats a) { return _mm256_cmp_ps(a, a, _CMP_ORD_Q); }
  static Floats select(Mask mask, Floats yes, Floats no) { return _mm256_blendv_ps(no, yes, mask); }
  static Actions select_action(Mask mask, Actions yes, Actions no) {
    return _mm256_blendv_epi8(no, yes, _mm256_castps_si256(mask));
  }
  static Actions set_action(std::int32_t action) { return _mm256_set1_epi32(action); }
  static Actions load_actions(const std::int16_t* from) {
    return _mm256_cvtepi16_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(from)));
  }
  static void store_actions(std::int16_t* to, Actions action) {
    _mm_storeu_si128(
        reinterpret_cast<__m128i*>(to),
        _mm_packs_epi32(_mm256_castsi256_si128(action), _mm256_extracti128_si256(action, 1)));
  }
};

}  // namespace

const LaneKernels avx2_lane_kernels{"avx2", keep_transitions_of<PlainRows>, back_up<Avx2>};

}  // namespace tidewise

#include <immintrin.h>

#include "mdp/fused/kernels_body.h"

namespace tidewise::mdp {
namespace {

struct Floats512 {
  using Real = float;
  using Reals = __m512;
  using Mask = __mmask16;
  using Index = __m512i;
  static constexpr int lanes = 16;
  static constexpr int vectors = 2;

  static Reals load(const float* from) { return _mm512_loadu_ps(from); }
  static void store(float* to, Reals value) { _mm512_storeu_ps(to, value); }
  static Reals set(float value) { return _mm512_set1_ps(value); }
  static Reals subtract(Reals a, Reals b) { return _mm512_sub_ps(a, b); }
  static Reals least(Reals a, Reals b) { return _mm512_min_ps(a, b); }
  static Reals most(Reals a, Reals b) { return _mm512_max_ps(a, b); }
  static Reals fma(Reals a, Reals b, Reals c) { return _mm512_fmadd_ps(a, b, c); }
  static Reals fma_where(Mask mask, Reals a, Reals b, Reals c) {
    return _mm512_mask3_fmadd_ps(a, b, c, mask);
  }
  static Reals select(Mask mask, Reals yes, Reals no) {
    return _mm512_mask_blend_ps(mask, no, yes);
  }
  static Mask lanes_of(std::uint32_t bits) { return static_cast<Mask>(bits); }
  static Mask none() { return 0; }
  static Mask both(Mask a, Mask b) { return _kand_mask16(a, b); }
  static Mask either(Mask a, Mask b) { return _kor_mask16(a, b); }
  static Mask either_not(Mask a, Mask b) { return _kor_mask16(a, _knot_mask16(b)); }
  static Mask greater(Reals a, Reals b) { return _mm512_cmp_ps_mask(a, b, _CMP_GT_OQ); }
  static Mask at_least(Reals a, Reals b) { return _mm512_cmp_ps_mask(a, b, _CMP_GE_OQ); }
  static Index load_wide(const std::int32_t* from) { return _mm512_loadu_si512(from); }
  static Index load_narrow(const std::int16_t* from) {
    return _mm512_cvtepi16_epi32(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(from)));
  }
  static Index load_codes(const unsigned char* from) {
    return _mm512_cvtepu8_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(from)));
  }
  static Reals gather(const float* base, Index index) {
    return _mm512_i32gather_ps(index, base, 4);
  }
};

struct Doubles512 {
  using Real = double;
  using Reals = __m512d;
  using Mask = __mmask8;
  using Index = __m256i;
  static constexpr int lanes = 8;
  static constexpr int vectors = 4;

  static Reals load(const double* from) { return _mm512_loadu_pd(from); }
  static void store(double* to, Reals value) { _mm512_storeu_pd(to, value); }
  static Reals set(double value) { return _mm512_set1_pd(value); }
  static Reals subtract(Reals a, Reals b) { return _mm512_sub_pd(a, b); }
  static Reals least(Reals a, Reals b) { return _mm512_min_pd(a, b); }
  static Reals most(Reals a, Reals b) { return _mm512_max_pd(a, b); }
  static Reals fma(Reals a, Reals b, Reals c) { return _mm512_fmadd_pd(a, b, c); }
  static Reals fma_where(Mask mask, Reals a, Reals b, Reals c) {
    return _mm512_mask3_fmadd_pd(a, b, c, mask);
  }
  static Reals select(Mask mask, Reals yes, Reals no) {
    return _mm512_mask_blend_pd(mask, no, yes);
  }
  static Mask lanes_of(std::uint32_t bits) { return static_cast<Mask>(bits); }
  static Mask none() { return 0; }
  static Mask both(Mask a, Mask b) { return _kand_mask8(a, b); }
  static Mask either(Mask a, Mask b) { return _kor_mask8(a, b); }
  static Mask either_not(Mask a, Mask b) { return _kor_mask8(a, _knot_mask8(b)); }
  static Mask greater(Reals a, Reals b) { return _mm512_cmp_pd_mask(a, b, _CMP_GT_OQ); }
  static Mask at_least(Reals a, Reals b) { return _mm512_cmp_pd_mask(a, b, _CMP_GE_OQ); }
  static Index load_wide(const std::int32_t* from) {
    return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from));
  }
  static Index load_narrow(const std::int16_t* from) {
    return _mm256_cvtepi16_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(from)));
  }
  static Index load_codes(const unsigned char* from) {
    return _mm256_cvtepu8_epi32(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(from)));
  }
  static Reals gather(const double* base, Index index) {
    return _mm512_i32gather_pd(index, base, 8);
  }
};

}  // namespace

const FusedKernels avx512_fused_kernels{"avx512", sweep_sell<Floats512>, sweep_sell<Doubles512>,
                                        sweep_packed<Floats512>, sweep_packed<Doubles512>};

}  // namespace tidewise::mdp

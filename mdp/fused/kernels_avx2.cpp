#include <immintrin.h>

#include "mdp/fused/kernels_body.h"

namespace tidewise::mdp {
namespace {

struct Floats256 {
  using Real = float;
  using Reals = __m256;
  using Mask = __m256;
  using Index = __m256i;
  static constexpr int lanes = 8;
  static constexpr int vectors = 2;

  static Reals load(const float* from) { return _mm256_loadu_ps(from); }
  static void store(float* to, Reals value) { _mm256_storeu_ps(to, value); }
  static Reals set(float value) { return _mm256_set1_ps(value); }
  static Reals subtract(Reals a, Reals b) { return _mm256_sub_ps(a, b); }
  static Reals least(Reals a, Reals b) { return _mm256_min_ps(a, b); }
  static Reals most(Reals a, Reals b) { return _mm256_max_ps(a, b); }
  static Reals fma(Reals a, Reals b, Reals c) { return _mm256_fmadd_ps(a, b, c); }
  static Reals fma_where(Mask mask, Reals a, Reals b, Reals c) {
    return _mm256_blendv_ps(c, _mm256_fmadd_ps(a, b, c), mask);
  }
  static Reals select(Mask mask, Reals yes, Reals no) { return _mm256_blendv_ps(no, yes, mask); }
  static Mask lanes_of(std::uint32_t bits) {
    const __m256i own = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
    const __m256i all = _mm256_set1_epi32(static_cast<std::int32_t>(bits));
    return _mm256_castsi256_ps(_mm256_cmpeq_epi32(_mm256_and_si256(all, own), own));
  }
  static Mask none() { return _mm256_setzero_ps(); }
  static Mask both(Mask a, Mask b) { return _mm256_and_ps(a, b); }
  static Mask either(Mask a, Mask b) { return _mm256_or_ps(a, b); }
  static Mask either_not(Mask a, Mask b) {
    const Mask all = _mm256_castsi256_ps(_mm256_set1_epi32(-1));
    return _mm256_or_ps(a, _mm256_andnot_ps(b, all));
  }
  static Mask greater(Reals a, Reals b) { return _mm256_cmp_ps(a, b, _CMP_GT_OQ); }
  static Mask at_least(Reals a, Reals b) { return _mm256_cmp_ps(a, b, _CMP_GE_OQ); }
  static Index load_wide(const std::int32_t* from) {
    return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from));
  }
  static Index load_narrow(const std::int16_t* from) {
    return _mm256_cvtepi16_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(from)));
  }
  static Index load_codes(const unsigned char* from) {
    return _mm256_cvtepu8_epi32(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(from)));
  }
  static Reals gather(const float* base, Index index) {
    return _mm256_i32gather_ps(base, index, 4);
  }
};

struct Doubles256 {
  using Real = double;
  using Reals = __m256d;
  using Mask = __m256d;
  using Index = __m128i;
  static constexpr int lanes = 4;
  static constexpr int vectors = 2;

  static Reals load(const double* from) { return _mm256_loadu_pd(from); }
  static void store(double* to, Reals value) { _mm256_storeu_pd(to, value); }
  static Reals set(double value) { return _mm256_set1_pd(value); }
  static Reals subtract(Reals a, Reals b) { return _mm256_sub_pd(a, b); }
  static Reals least(Reals a, Reals b) { return _mm256_min_pd(a, b); }
  static Reals most(Reals a, Reals b) { return _mm256_max_pd(a, b); }
  static Reals fma(Reals a, Reals b, Reals c) { return _mm256_fmadd_pd(a, b, c); }
  static Reals fma_where(Mask mask, Reals a, Reals b, Reals c) {
    return _mm256_blendv_pd(c, _mm256_fmadd_pd(a, b, c), mask);
  }
  static Reals select(Mask mask, Reals yes, Reals no) { return _mm256_blendv_pd(no, yes, mask); }
  static Mask lanes_of(std::uint32_t bits) {
    const __m256i own = _mm256_setr_epi64x(1, 2, 4, 8);
    const __m256i all = _mm256_set1_epi64x(static_cast<std::int64_t>(bits));
    return _mm256_castsi256_pd(_mm256_cmpeq_epi64(_mm256_and_si256(all, own), own));
  }
  static Mask none() { return _mm256_setzero_pd(); }
  static Mask both(Mask a, Mask b) { return _mm256_and_pd(a, b); }
  static Mask either(Mask a, Mask b) { return _mm256_or_pd(a, b); }
  static Mask either_not(Mask a, Mask b) {
    const Mask all = _mm256_castsi256_pd(_mm256_set1_epi32(-1));
    return _mm256_or_pd(a, _mm256_andnot_pd(b, all));
  }
  static Mask greater(Reals a, Reals b) { return _mm256_cmp_pd(a, b, _CMP_GT_OQ); }
  static Mask at_least(Reals a, Reals b) { return _mm256_cmp_pd(a, b, _CMP_GE_OQ); }
  static Index load_wide(const std::int32_t* from) {
    return _mm_loadu_si128(reinterpret_cast<const __m128i*>(from));
  }
  static Index load_narrow(const std::int16_t* from) {
    return _mm_cvtepi16_epi32(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(from)));
  }
  static Index load_codes(const unsigned char* from) {
    return _mm_setr_epi32(from[0], from[1], from[2], from[3]);
  }
  static Reals gather(const double* base, Index index) {
    return _mm256_i32gather_pd(base, index, 8);
  }
};

}  // namespace

const FusedKernels avx2_fused_kernels{"avx2", sweep_sell<Floats256>, sweep_sell<Doubles256>,
                                      sweep_packed<Floats256>, sweep_packed<Doubles256>};

}  // namespace tidewise::mdp

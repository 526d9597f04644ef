#include "mdp/fused/kernels_body.h"

// Plain loops that compilers turn into vectors of any width. They are the meaning of the kernels;
// the hand-written ones are held to them by tests.

namespace tidewise::mdp {
namespace {

inline float fused(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
inline double fused(double a, double b, double c) { return __builtin_fma(a, b, c); }

template <class Number>
struct Portable {
  static constexpr int lanes = 16;
  static constexpr int vectors = 1;

  template <class T>
  struct Lanes {
    T of[lanes];
  };
  using Real = Number;
  using Reals = Lanes<Real>;
  using Mask = Lanes<std::int32_t>;
  using Index = Lanes<std::int32_t>;

  template <class T, class Rule>
  [[gnu::always_inline]] static Lanes<T> each(const Rule& rule) {
    Lanes<T> result;
    for (int n = 0; n < lanes; ++n) result.of[n] = static_cast<T>(rule(n));
    return result;
  }
  static Reals load(const Real* from) {
    return each<Real>([&](int n) { return from[n]; });
  }
  static void store(Real* to, const Reals& value) {
    for (int n = 0; n < lanes; ++n) to[n] = value.of[n];
  }
  static Reals set(Real value) {
    return each<Real>([&](int) { return value; });
  }
  static Reals subtract(const Reals& a, const Reals& b) {
    return each<Real>([&](int n) { return a.of[n] - b.of[n]; });
  }
  static Reals least(const Reals& a, const Reals& b) {
    return each<Real>([&](int n) { return a.of[n] < b.of[n] ? a.of[n] : b.of[n]; });
  }
  static Reals most(const Reals& a, const Reals& b) {
    return each<Real>([&](int n) { return a.of[n] > b.of[n] ? a.of[n] : b.of[n]; });
  }
  static Reals fma(const Reals& a, const Reals& b, const Reals& c) {
    return each<Real>([&](int n) { return fused(a.of[n], b.of[n], c.of[n]); });
  }
  static Reals fma_where(const Mask& mask, const Reals& a, const Reals& b, const Reals& c) {
    return select(mask, fma(a, b, c), c);  // in two steps: no branch within
  }
  static Reals select(const Mask& mask, const Reals& yes, const Reals& no) {
    return each<Real>([&](int n) { return mask.of[n] != 0 ? yes.of[n] : no.of[n]; });
  }
  static Mask lanes_of(std::uint32_t bits) {
    return each<std::int32_t>([&](int n) { return (bits >> n) & 1u; });
  }
  static Mask none() {
    return each<std::int32_t>([](int) { return 0; });
  }
  static Mask both(const Mask& a, const Mask& b) {
    return each<std::int32_t>([&](int n) { return a.of[n] & b.of[n]; });
  }
  static Mask either(const Mask& a, const Mask& b) {
    return each<std::int32_t>([&](int n) { return a.of[n] | b.of[n]; });
  }
  static Mask either_not(const Mask& a, const Mask& b) {
    return each<std::int32_t>([&](int n) { return a.of[n] | (b.of[n] ^ 1); });
  }
  static Mask greater(const Reals& a, const Reals& b) {
    return each<std::int32_t>([&](int n) { return a.of[n] > b.of[n] ? 1 : 0; });
  }
  static Mask at_least(const Reals& a, const Reals& b) {
    return each<std::int32_t>([&](int n) { return a.of[n] >= b.of[n] ? 1 : 0; });
  }
  static Index load_wide(const std::int32_t* from) {
    return each<std::int32_t>([&](int n) { return from[n]; });
  }
  static Index load_narrow(const std::int16_t* from) {
    return each<std::int32_t>([&](int n) { return from[n]; });
  }
  static Index load_codes(const unsigned char* from) {
    return each<std::int32_t>([&](int n) { return from[n]; });
  }
  static Reals gather(const Real* base, const Index& index) {
    return each<Real>([&](int n) { return base[index.of[n]]; });
  }
};

}  // namespace

const FusedKernels portable_fused_kernels{
    "portable", sweep_sell<Portable<float>>, sweep_sell<Portable<double>>,
    sweep_packed<Portable<float>>, sweep_packed<Portable<double>>};

}  // namespace tidewise::mdp

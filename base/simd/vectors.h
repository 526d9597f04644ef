// Several vectors used as one, for any target (base/simd/each_target.h). `n` vectors keep n sums in
// progress, which hides the latency of a multiply-add. `d` is Highway's tag of one vector. Lanes
// are independent of each other.

#include <cmath>
#include <cstddef>
#include <cstdint>

#include "hwy/highway.h"

// Each target includes this file once, so Highway's switch replaces '#pragma once'.
#if defined(TIDEWISE_BASE_SIMD_VECTORS_H) == defined(HWY_TARGET_TOGGLE)
#ifdef TIDEWISE_BASE_SIMD_VECTORS_H
#undef TIDEWISE_BASE_SIMD_VECTORS_H
#else
#define TIDEWISE_BASE_SIMD_VECTORS_H
#endif

HWY_BEFORE_NAMESPACE();
namespace tidewise::simd::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if HWY_HAVE_SCALABLE
// A vector whose length is known only at run time cannot be a member, so there is always one.
template <int n, class D, class Make>
HWY_INLINE auto make_vectors(D, const Make& make) {
  static_assert(n == 1);
  return make(std::size_t{0});
}
template <class Rule, class... V>
HWY_INLINE auto each(const Rule& rule, const V&... v) {
  return rule(v...);
}
template <class D, class V>
HWY_INLINE void store(D d, const V& v, hn::TFromD<D>* to) {
  hn::StoreU(v, d, to);
}
#else
template <class V, int n>
struct Vectors {
  HWY_INLINE Vectors() {}  // the implicit one would not be compiled for the target
  V of[n];
};
/// Calls `make(at)` for every vector; `at`: its first lane.
template <int n, class D, class Make>
HWY_INLINE auto make_vectors(D d, const Make& make) {
  Vectors<decltype(make(std::size_t{0})), n> result;
  for (int v = 0; v < n; ++v) result.of[v] = make(static_cast<std::size_t>(v) * hn::Lanes(d));
  return result;
}
/// Applies `rule` to every vector.
template <class Rule, int n, class... V>
HWY_INLINE auto each(const Rule& rule, const Vectors<V, n>&... vectors) {
  Vectors<decltype(rule(vectors.of[0]...)), n> result;
  for (int v = 0; v < n; ++v) result.of[v] = rule(vectors.of[v]...);
  return result;
}
template <class D, class V, int n>
HWY_INLINE void store(D d, const Vectors<V, n>& vectors, hn::TFromD<D>* to) {
  for (int v = 0; v < n; ++v) hn::StoreU(vectors.of[v], d, to + std::size_t(v) * hn::Lanes(d));
}
#endif

/// Number of vectors for `lanes` lanes, at most `max_vectors`; one if their length is known only at
/// run time.
template <class D>
constexpr int vectors_for(D d, std::size_t lanes, std::size_t max_vectors) {
  return HWY_HAVE_SCALABLE ? 1 : static_cast<int>(HWY_MIN(lanes / hn::MaxLanes(d), max_vectors));
}

template <int n, class D>
HWY_INLINE auto set(D d, hn::TFromD<D> value) {
  return make_vectors<n>(d, [&](std::size_t) HWY_ATTR { return hn::Set(d, value); });
}
template <int n, class D>
HWY_INLINE auto load(D d, const hn::TFromD<D>* from) {
  return make_vectors<n>(d, [&](std::size_t at) HWY_ATTR { return hn::LoadU(d, from + at); });
}
/// Loads integers of 4 or 8 bytes that are stored with as many or fewer bytes.
template <int n, class D, class T>
HWY_INLINE auto load_as(D d, const T* from) {
  constexpr std::size_t size = sizeof(hn::TFromD<D>);
  return make_vectors<n>(d, [&](std::size_t at) HWY_ATTR {
    const auto stored = hn::LoadU(hn::Rebind<T, D>(), from + at);
    if constexpr (sizeof(T) == size) {
      return stored;
    } else if constexpr (sizeof(T) == 4 || size == 4) {
      return hn::PromoteTo(d, stored);
    } else {
      return hn::PromoteTo(d, hn::PromoteTo(hn::Rebind<std::int32_t, D>(), stored));
    }
  });
}

template <class V>
HWY_INLINE V add(const V& a, const V& b) {
  return each([](auto x, auto y) HWY_ATTR { return hn::Add(x, y); }, a, b);
}
template <class V>
HWY_INLINE V subtract(const V& a, const V& b) {
  return each([](auto x, auto y) HWY_ATTR { return hn::Sub(x, y); }, a, b);
}
template <class V>
HWY_INLINE V multiply(const V& a, const V& b) {
  return each([](auto x, auto y) HWY_ATTR { return hn::Mul(x, y); }, a, b);
}
/// a·b + c, rounded once.
template <class V>
HWY_INLINE V fma(const V& a, const V& b, const V& c) {
  return each(
      [](auto x, auto y, auto z) HWY_ATTR {
#if HWY_TARGET == HWY_SCALAR
        return decltype(x)(std::fma(x.raw, y.raw, z.raw));
#else
        static_assert(HWY_NATIVE_FMA, "every target must round as std::fma does");
        return hn::MulAdd(x, y, z);
#endif
      },
      a, b, c);
}
template <class V>
HWY_INLINE auto greater(const V& a, const V& b) {
  return each([](auto x, auto y) HWY_ATTR { return hn::Gt(x, y); }, a, b);
}
template <class V>
HWY_INLINE auto at_least(const V& a, const V& b) {
  return each([](auto x, auto y) HWY_ATTR { return hn::Ge(x, y); }, a, b);
}
template <class V>
HWY_INLINE auto is_number(const V& a) {
  return each([](auto x) HWY_ATTR { return hn::Eq(x, x); }, a);
}
template <class M>
HWY_INLINE M both(const M& a, const M& b) {
  return each([](auto x, auto y) HWY_ATTR { return hn::And(x, y); }, a, b);
}
template <class M>
HWY_INLINE M either(const M& a, const M& b) {
  return each([](auto x, auto y) HWY_ATTR { return hn::Or(x, y); }, a, b);
}
/// Selects values of `d` by a mask for values of the same width.
template <class D, class M, class V>
HWY_INLINE V select(D d, const M& mask, const V& yes, const V& no) {
  return each([&](auto m, auto y, auto z)
                  HWY_ATTR { return hn::IfThenElse(hn::RebindMask(d, m), y, z); },
              mask, yes, no);
}

}  // namespace tidewise::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif

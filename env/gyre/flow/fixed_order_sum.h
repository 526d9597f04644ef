#pragma once

#include <cmath>
#include <cstddef>

namespace tidewise::gyre {

// The order of these sums is fixed, with eight partial sums that compilers can map to vectors of
// any width. The results have the same bits on every processor and for any number of threads.

/// Returns Σ a.
inline double fixed_order_sum(const double* a, std::size_t count) {
  constexpr std::size_t lanes = 8;
  double partial[lanes] = {};
  std::size_t n = 0;
  for (; n + lanes <= count; n += lanes) {
    for (std::size_t lane = 0; lane < lanes; ++lane) partial[lane] += a[n + lane];
  }
  double sum = 0;
  for (; n < count; ++n) sum += a[n];
  for (const double part : partial) sum += part;
  return sum;
}

/// Returns Σ a b.
inline double fixed_order_product(const double* a, const double* b, std::size_t count) {
  constexpr std::size_t lanes = 8;
  double partial[lanes] = {};
  std::size_t n = 0;
  for (; n + lanes <= count; n += lanes) {
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      partial[lane] = std::fma(a[n + lane], b[n + lane], partial[lane]);
    }
  }
  double sum = 0;
  for (; n < count; ++n) sum = std::fma(a[n], b[n], sum);
  for (const double part : partial) sum += part;
  return sum;
}

/// to += factor · from
inline void add_multiple(double* to, double factor, const double* from, std::size_t count) {
  for (std::size_t n = 0; n < count; ++n) to[n] = std::fma(factor, from[n], to[n]);
}

}  // namespace tidewise::gyre

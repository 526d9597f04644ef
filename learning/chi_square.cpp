#include "learning/chi_square.h"

#include <cmath>
#include <limits>

namespace tidewise {
namespace {

constexpr double precision = std::numeric_limits<double>::epsilon();
constexpr int most_terms = 100'000;

/// P(a, x), the lower regularised incomplete gamma function, for x < a + 1: its power series.
/// Source: Abramowitz & Stegun (1964), 6.5.29.
double lower_series(double a, double x, double factor) {
  double term = 1 / a;
  double sum = term;
  for (int n = 1; n < most_terms && term > sum * precision; ++n) {
    term *= x / (a + n);
    sum += term;
  }
  return sum * factor;
}

/// Q(a, x), the upper one, for x ≥ a + 1: its continued fraction, by the method of Lentz (1976).
/// Source: Abramowitz & Stegun (1964), 6.5.31, its even part.
double upper_fraction(double a, double x, double factor) {
  constexpr double tiny = 1e-300;
  double b = x + 1 - a;
  double c = 1 / tiny;
  double d = 1 / b;
  double fraction = d;
  for (int n = 1; n < most_terms; ++n) {
    const double step = -n * (n - a);
    b += 2;
    d = step * d + b;
    c = b + step / c;
    if (std::abs(d) < tiny) d = tiny;
    if (std::abs(c) < tiny) c = tiny;
    d = 1 / d;
    fraction *= d * c;
    if (std::abs(d * c - 1) < precision) break;
  }
  return fraction * factor;
}

}  // namespace

double chi_square_tail(double chi_square, std::int32_t degrees_of_freedom) {
  if (degrees_of_freedom <= 0 || !(chi_square > 0)) return 1;
  const double a = 0.5 * degrees_of_freedom;
  const double x = 0.5 * chi_square;
  const double factor = std::exp(a * std::log(x) - x - std::lgamma(a));
  return x < a + 1 ? 1 - lower_series(a, x, factor) : upper_fraction(a, x, factor);
}

}  // namespace tidewise

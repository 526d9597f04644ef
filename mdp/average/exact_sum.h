#pragma once

#include <cmath>
#include <cstddef>
#include <optional>
#include <vector>

namespace tidewise::mdp {

/// The exact sign of a sum of products of doubles. Stores non-overlapping parts of the sum,
/// smallest first. Source: Shewchuk, "Adaptive precision floating-point arithmetic and fast robust
/// geometric predicates", Discrete & Computational Geometry 18, 1997.
class ExactSum {
 public:
  void add(double number) {
    std::size_t count = 0;
    for (const double part : parts_) {
      const auto [sum, rest] = two_sum(number, part);
      number = sum;
      if (rest != 0) parts_[count++] = rest;
    }
    parts_.resize(count);
    if (number != 0) parts_.push_back(number);
  }
  /// Adds `a` · `b`. If two doubles cannot hold the product because it is too near 0, the
  /// sign becomes unknown.
  void add_product(double a, double b) {
    const double product = a * b;
    const bool is_zero = a == 0 || b == 0;
    if (!is_zero && !(std::abs(product) > min_product && std::isfinite(product))) {
      is_known_ = false;
    }
    add(std::fma(a, b, -product));
    add(product);
  }
  /// Adds `a` · `b` · `c`.
  void add_product(double a, double b, double c) {
    const double product = b * c;
    add_product(a, product);
    add_product(a, std::fma(b, c, -product));
  }

  /// −1, 0 or 1; nullopt if a number left the range of doubles.
  std::optional<int> sign() const {
    if (!is_known_) return std::nullopt;
    if (parts_.empty()) return 0;
    if (!std::isfinite(parts_.back())) return std::nullopt;
    return parts_.back() > 0 ? 1 : -1;
  }

 private:
  struct Pair {
    double sum;
    double rest;
  };
  static Pair two_sum(double a, double b) {
    const double sum = a + b;
    const double moved = sum - a;
    return {sum, (a - (sum - moved)) + (b - moved)};
  }

  static constexpr double min_product = 1e-280;

  std::vector<double> parts_;
  bool is_known_ = true;
};

}  // namespace tidewise::mdp

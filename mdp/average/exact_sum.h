#pragma once

#include <cmath>
#include <cstddef>
#include <optional>
#include <vector>

namespace tidewise::mdp {

/// The sign of a sum of products of doubles, exact: stores non-overlapping parts, smallest first.
/// Source: Shewchuk, "Adaptive precision floating-point arithmetic and fast robust geometric
/// predicates", Discrete & Computational Geometry 18, 1997.
class ExactSum {
 public:
  void add(double number) {
    std::size_t kept = 0;
    for (const double part : parts_) {
      const auto [sum, rest] = two_sum(number, part);
      number = sum;
      if (rest != 0) parts_[kept++] = rest;
    }
    parts_.resize(kept);
    if (number != 0) parts_.push_back(number);
  }
  /// Adds `one` · `other`. If two doubles cannot hold the product because it is too near 0, the
  /// sign becomes unknown.
  void add_product(double one, double other) {
    const double product = one * other;
    const bool is_nothing = one == 0 || other == 0;
    if (!is_nothing && !(std::abs(product) > min_product && std::isfinite(product))) {
      is_known_ = false;
    }
    add(std::fma(one, other, -product));
    add(product);
  }
  /// Adds `one` · `other` · `third`.
  void add_product(double one, double other, double third) {
    const double product = other * third;
    add_product(one, product);
    add_product(one, std::fma(other, third, -product));
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
  static Pair two_sum(double one, double other) {
    const double sum = one + other;
    const double moved = sum - one;
    return {sum, (one - (sum - moved)) + (other - moved)};
  }

  static constexpr double min_product = 1e-280;

  std::vector<double> parts_;
  bool is_known_ = true;
};

}  // namespace tidewise::mdp

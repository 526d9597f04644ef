#pragma once

#include <algorithm>
#include <cstdint>

namespace tidewise {

/// Lanes for refine_state.h on the host: one thread that adds in the order of the 32 lanes of a
/// warp, with the same bits.
class HostLanes {
 public:
  static constexpr std::int32_t lanes = 32;

  /// Calls body(n) for all n < count.
  template <class Body>
  void for_each(std::int32_t count, const Body& body) const {
    for (std::int32_t n = 0; n < count; ++n) body(n);
  }
  /// Σ term(n) for n < count. Lane l adds terms l, l + 32, …; then lanes 16 apart, 8 apart, … are
  /// added.
  template <class Term>
  double sum(std::int32_t count, const Term& term) const {
    double part[lanes] = {};
    for (std::int32_t first = 0; first < count; first += lanes) {
      const std::int32_t end = std::min(lanes, count - first);
      for (std::int32_t lane = 0; lane < end; ++lane) part[lane] += term(first + lane);
    }
    for (std::int32_t distance = lanes / 2; distance > 0; distance /= 2) {
      for (std::int32_t lane = 0; lane < distance; ++lane) part[lane] += part[lane + distance];
    }
    return part[0];
  }
  /// Maximum of 0 and term(n), n < count.
  template <class Term>
  double greatest(std::int32_t count, const Term& term) const {
    double maximum = 0;
    for (std::int32_t n = 0; n < count; ++n) {
      const double value = term(n);
      if (value > maximum) maximum = value;
    }
    return maximum;
  }
};

}  // namespace tidewise

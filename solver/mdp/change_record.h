#pragma once

#include <cstdint>
#include <cstring>

#include "base/host_device.h"
#include "solver/mdp/value_bounds.h"

namespace tidewise {

/// A number as an integer that is ordered as the number is, so that integer maxima (and a device's
/// atomic ones) find the greatest number. NaN comes above +∞ or below −∞ and so is not lost.
TIDEWISE_HOST_DEVICE inline std::uint64_t ordered_word(double number) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, &number, sizeof bits);
  constexpr std::uint64_t sign = std::uint64_t{1} << 63;
  return (bits & sign) != 0 ? ~bits : bits | sign;
}
inline double number_of_word(std::uint64_t ordered) {
  constexpr std::uint64_t sign = std::uint64_t{1} << 63;
  const std::uint64_t bits = (ordered & sign) != 0 ? ordered & ~sign : ~ordered;
  double number = 0;
  std::memcpy(&number, &bits, sizeof number);
  return number;
}

/// The ValueChange of a sweep while many threads gather it: both members only grow, from 0, so any
/// order of gathering gives the same.
struct ChangeRecord {
  std::uint64_t most = 0;       ///< ordered_word() of the greatest change
  std::uint64_t not_least = 0;  ///< ~ordered_word() of the least one

  TIDEWISE_HOST_DEVICE void include(double change) {
    const std::uint64_t ordered = ordered_word(change);
    include(ChangeRecord{ordered, ~ordered});
  }
  TIDEWISE_HOST_DEVICE void include(const ChangeRecord& other) {
    most = other.most > most ? other.most : most;
    not_least = other.not_least > not_least ? other.not_least : not_least;
  }
  /// Requires that something was included.
  ValueChange change() const { return {number_of_word(~not_least), number_of_word(most)}; }
};

/// Whether the change that a launch makes is gathered.
enum class Look { away, at_change };

}  // namespace tidewise

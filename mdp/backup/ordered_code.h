#pragma once

#include <cstdint>
#include <cstring>

#include "base/host_device.h"
#include "mdp/process/value_bounds.h"

namespace tidewise::mdp {

/// Unsigned integers with the order of floating-point numbers, for atomic minima and maxima: all
/// bits are inverted for negative numbers, only the sign bit for others. NaN is above +∞ or below
/// −∞, so it is not lost; no number has the code 0 or all ones.
template <class Real>
struct OrderedCode;

template <>
struct OrderedCode<float> {
  using Code = unsigned int;
  static constexpr Code sign = 0x80000000u;
};
template <>
struct OrderedCode<double> {
  using Code = unsigned long long;
  static constexpr Code sign = 0x8000000000000000u;
};

/// The code of a number.
template <class Real>
TIDEWISE_HOST_DEVICE typename OrderedCode<Real>::Code code_of(Real number) {
  using Code = typename OrderedCode<Real>::Code;
  constexpr Code sign = OrderedCode<Real>::sign;
  Code bits;
  memcpy(&bits, &number, sizeof bits);
  return (bits & sign) != 0 ? ~bits : bits | sign;
}
/// The number of a code.
template <class Real>
TIDEWISE_HOST_DEVICE Real number_of(typename OrderedCode<Real>::Code code) {
  using Code = typename OrderedCode<Real>::Code;
  constexpr Code sign = OrderedCode<Real>::sign;
  const Code bits = (code & sign) != 0 ? code & ~sign : ~code;
  Real number;
  memcpy(&number, &bits, sizeof number);
  return number;
}

/// Minimum and maximum change of one sweep, gathered by many threads in any order. Initially the
/// change of no states.
template <class Real>
struct ChangeSlot {
  using Code = typename OrderedCode<Real>::Code;
  Code min = ~Code{0};
  Code max = 0;

  TIDEWISE_HOST_DEVICE void include(Real change) {
    const Code code = code_of(change);
    include(ChangeSlot{code, code});
  }
  TIDEWISE_HOST_DEVICE void include(const ChangeSlot& other) {
    min = other.min < min ? other.min : min;
    max = other.max > max ? other.max : max;
  }
  /// Requires a previous include().
  ValueChange change() const {
    return {static_cast<double>(number_of<Real>(min)), static_cast<double>(number_of<Real>(max))};
  }
  /// Initial value of a sweep that has not run; a later sweep that finds it does nothing.
  static constexpr TIDEWISE_HOST_DEVICE ChangeSlot not_run() { return {~Code{0}, Code{0}}; }
  /// Stands for the predecessor of a sweep that must run.
  static constexpr TIDEWISE_HOST_DEVICE ChangeSlot go_on() { return {Code{0}, ~Code{0}}; }
  TIDEWISE_HOST_DEVICE bool is(const ChangeSlot& other) const {
    return min == other.min && max == other.max;
  }
};

/// Selects whether the change of a sweep or launch is gathered (`at_change`).
enum class Look { away, at_change };

}  // namespace tidewise::mdp

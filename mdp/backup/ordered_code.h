#pragma once

#include <cstdint>
#include <cstring>

#include "base/host_device.h"
#include "mdp/process/value_bounds.h"

namespace tidewise::mdp {

/// Unsigned integers that are ordered as the floating-point numbers they stand for, for atomic
/// minima and maxima: the bits, with all of them turned for negative numbers, and the sign's alone
/// for others. NaN comes above +∞ or below −∞, and so is not lost; no number's code is 0 or all
/// ones.
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

template <class Real>
TIDEWISE_HOST_DEVICE typename OrderedCode<Real>::Code code_of(Real number) {
  using Code = typename OrderedCode<Real>::Code;
  constexpr Code sign = OrderedCode<Real>::sign;
  Code bits;
  memcpy(&bits, &number, sizeof bits);
  return (bits & sign) != 0 ? ~bits : bits | sign;
}
template <class Real>
TIDEWISE_HOST_DEVICE Real number_of(typename OrderedCode<Real>::Code code) {
  using Code = typename OrderedCode<Real>::Code;
  constexpr Code sign = OrderedCode<Real>::sign;
  const Code bits = (code & sign) != 0 ? code & ~sign : ~code;
  Real number;
  memcpy(&number, &bits, sizeof number);
  return number;
}

/// The least and greatest change of one sweep, as many threads gather it: in any order the same.
/// Begins as that of no states.
template <class Real>
struct ChangeSlot {
  using Code = typename OrderedCode<Real>::Code;
  Code least = ~Code{0};
  Code most = 0;

  TIDEWISE_HOST_DEVICE void include(Real change) {
    const Code code = code_of(change);
    include(ChangeSlot{code, code});
  }
  TIDEWISE_HOST_DEVICE void include(const ChangeSlot& other) {
    least = other.least < least ? other.least : least;
    most = other.most > most ? other.most : most;
  }
  /// Requires that something was included.
  ValueChange change() const {
    return {static_cast<double>(number_of<Real>(least)),
            static_cast<double>(number_of<Real>(most))};
  }
  /// Before anything is gathered: a sweep that finds its predecessor's slot so does nothing.
  static constexpr TIDEWISE_HOST_DEVICE ChangeSlot not_run() { return {~Code{0}, Code{0}}; }
  /// In place of a predecessor, for a sweep that is to run in any case.
  static constexpr TIDEWISE_HOST_DEVICE ChangeSlot go_on() { return {Code{0}, ~Code{0}}; }
  TIDEWISE_HOST_DEVICE bool is(const ChangeSlot& other) const {
    return least == other.least && most == other.most;
  }
};

/// Whether what a sweep or launch changes is gathered.
enum class Look { away, at_change };

}  // namespace tidewise::mdp

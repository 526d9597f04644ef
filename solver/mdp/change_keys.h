#pragma once

#include <cstdint>
#include <cstring>

#include "base/host_device.h"
#include "solver/mdp/value_bounds.h"

namespace tidewise {

/// A double as an integer of the same order, for atomic minima and maxima: the bits, with all of
/// them turned for negative numbers, and the sign's alone for others.
TIDEWISE_HOST_DEVICE inline unsigned long long ordered_key(double number) {
  unsigned long long bits = 0;
  memcpy(&bits, &number, sizeof(bits));
  constexpr unsigned long long sign = 1ull << 63;
  return (bits & sign) != 0 ? ~bits : bits | sign;
}

TIDEWISE_HOST_DEVICE inline double number_of(unsigned long long key) {
  constexpr unsigned long long sign = 1ull << 63;
  const unsigned long long bits = (key & sign) != 0 ? key & ~sign : ~key;
  double number = 0;
  memcpy(&number, &bits, sizeof(number));
  return number;
}

/// A ValueChange that many threads lower and raise; starts as that of no states.
struct ChangeKeys {
  unsigned long long least = 0;
  unsigned long long most = 0;
};

inline ChangeKeys keys_of(const ValueChange& change) {
  return {ordered_key(change.least), ordered_key(change.most)};
}
inline ValueChange change_of(const ChangeKeys& keys) {
  return {number_of(keys.least), number_of(keys.most)};
}

}  // namespace tidewise

#pragma once

#include <bit>
#include <cstdint>
#include <vector>

namespace tidewise {

// Appends numbers as little-endian bytes, on every machine.

inline void append(std::vector<std::uint8_t>& bytes, std::uint16_t value) {
  for (int shift = 0; shift < 16; shift += 8) {
    bytes.push_back(static_cast<std::uint8_t>(value >> shift & 255));
  }
}
inline void append(std::vector<std::uint8_t>& bytes, std::uint32_t value) {
  for (int shift = 0; shift < 32; shift += 8) {
    bytes.push_back(static_cast<std::uint8_t>(value >> shift & 255));
  }
}
inline void append(std::vector<std::uint8_t>& bytes, std::uint64_t value) {
  append(bytes, static_cast<std::uint32_t>(value));
  append(bytes, static_cast<std::uint32_t>(value >> 32));
}
inline void append(std::vector<std::uint8_t>& bytes, double value) {
  append(bytes, std::bit_cast<std::uint64_t>(value));
}

/// Bits of the nearest IEEE 754 binary16 number, in ties of the even one; infinity beyond its
/// range, NaN for NaN.
inline std::uint16_t to_half(double value) {
  const std::uint64_t bits = std::bit_cast<std::uint64_t>(value);
  const auto sign = static_cast<std::uint16_t>(bits >> 48 & 0x8000);
  const double magnitude = std::bit_cast<double>(bits & 0x7fffffffffffffff);
  if (!(magnitude < 65520))
    return static_cast<std::uint16_t>(sign | (magnitude >= 65520 ? 0x7c00 : 0x7e00));
  // The unit in the last place is 2^-24 below 2^-14, and 2^-10 of the leading bit above.
  int exponent = 0;
  std::uint64_t unit_bits = std::uint64_t{1023 - 24} << 52;
  if (const int leading = static_cast<int>(bits >> 52 & 2047) - 1023; leading >= -14) {
    exponent = leading + 15;
    unit_bits = static_cast<std::uint64_t>(1023 + leading - 10) << 52;
  }
  // Adding 2^52 leaves no bits for fractions: the sum is rounded as the processor does, to even.
  constexpr double whole = 4503599627370496;  // 2^52
  const double units = (magnitude / std::bit_cast<double>(unit_bits) + whole) - whole;
  auto fraction = static_cast<std::uint32_t>(units);
  if (exponent > 0) fraction += static_cast<std::uint32_t>(exponent - 1) << 10;  // 1024 carries one
  return static_cast<std::uint16_t>(sign | fraction);
}

}  // namespace tidewise

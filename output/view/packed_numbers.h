#pragma once

#include <cstdint>
#include <vector>

#include "base/memory/view.h"

namespace tidewise {

/// Whole numbers n that stand for offset + step · n.
struct Quantisation {
  double step = 1;
  double offset = 0;
};

/// The finest quantisation for which numbers from `min` to `max` fit 16 bits, but none finer than
/// `finest`. Its error is half a step. Requires finite bounds.
Quantisation quantise_range(double min, double max, double finest = 0);

/// The nearest whole number for each value. Requires that they fit 32 bits.
template <class Number>
std::vector<std::int32_t> quantise(const std::vector<Number>& values,
                                   const Quantisation& quantisation);

/// Bytes of an element: unsigned for `one`, else in two's complement.
enum class ElementBytes { one = 1, two = 2, four = 4 };

/// An array of whole numbers, compressed for a page. Differences along some axes, which wrap
/// around, are stored as the lowest bytes of all numbers, then their next bytes; zlib packs these
/// (RFC 1950).
struct PackedNumbers {
  std::vector<std::size_t> shape;  ///< outermost first
  ElementBytes element = ElementBytes::two;
  std::vector<std::size_t> axes;  ///< along which differences were taken, in any order
  Quantisation quantisation;
  std::vector<std::uint8_t> stream;
};

/// Packs numbers of this shape, with differences along those of the three innermost axes that make
/// a sample smallest. Numbers that do not fit the element wrap around. Errors: RunError without
/// memory.
PackedNumbers pack_numbers(std::vector<std::int32_t> numbers, const std::vector<std::size_t>& shape,
                           ElementBytes element, const Quantisation& quantisation = {});

}  // namespace tidewise

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

/// The finest one with which numbers from `min` to `max` fit 16 bits, but none finer than
/// `finest`. A number comes back within half a step. Requires finite bounds.
Quantisation quantise_range(double min, double max, double finest = 0);

/// The nearest whole number for each value. Requires that they fit 32 bits.
template <class Number>
std::vector<std::int32_t> quantise(const std::vector<Number>& values, const Quantisation& by);

/// Bytes that an element takes, as two's complement but for `one`, which is unsigned.
enum class ElementBytes { one = 1, two = 2, four = 4 };

/// An array of whole numbers, made small for a page: differences along some of its axes, which wrap
/// around; of those first all lowest bytes, then all next ones; of these zlib's stream (RFC 1950).
struct PackedNumbers {
  std::vector<std::size_t> shape;  ///< outermost first
  ElementBytes element = ElementBytes::two;
  std::vector<std::size_t> axes;  ///< along which differences were taken, in any order
  Quantisation quantisation;
  std::vector<std::uint8_t> stream;
};

/// Packs numbers of that shape, by those of up to three innermost axes that make a part of them the
/// smallest; what does not fit the element wraps around, too. Errors: RunError without memory.
PackedNumbers pack_numbers(std::vector<std::int32_t> numbers, const std::vector<std::size_t>& shape,
                           ElementBytes element, const Quantisation& quantisation = {});

}  // namespace tidewise

#include "output/view/packed_numbers.h"

#include <zlib.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "base/error.h"

namespace tidewise {
namespace {

constexpr double max_two_bytes = 32767;

/// Replaces each number by its difference from the previous one along an axis.
void take_differences(std::vector<std::int32_t>& numbers, const std::vector<std::size_t>& shape,
                      std::size_t axis) {
  const std::size_t stride = std::accumulate(shape.begin() + static_cast<std::ptrdiff_t>(axis) + 1,
                                             shape.end(), std::size_t{1}, std::multiplies<>());
  const std::size_t block = stride * shape[axis];
  for (std::size_t begin = 0; begin < numbers.size(); begin += block) {
    for (std::size_t n = begin + block; n-- > begin + stride;) {
      numbers[n] = static_cast<std::int32_t>(static_cast<std::uint32_t>(numbers[n]) -
                                             static_cast<std::uint32_t>(numbers[n - stride]));
    }
  }
}

std::vector<std::uint8_t> split_bytes(const std::vector<std::int32_t>& numbers,
                                      ElementBytes element) {
  const auto bytes_each = static_cast<std::size_t>(element);
  std::vector<std::uint8_t> bytes(numbers.size() * bytes_each);
  for (std::size_t b = 0; b < bytes_each; ++b) {
    for (std::size_t n = 0; n < numbers.size(); ++n) {
      bytes[b * numbers.size() + n] =
          static_cast<std::uint8_t>(static_cast<std::uint32_t>(numbers[n]) >> 8 * b);
    }
  }
  return bytes;
}

std::vector<std::uint8_t> deflate_bytes(const std::vector<std::uint8_t>& bytes, int level) {
  uLongf size = compressBound(bytes.size());
  std::vector<std::uint8_t> stream(size);
  if (compress2(stream.data(), &size, bytes.data(), bytes.size(), level) != Z_OK) {
    throw RunError("the page's data could not be compressed; free some memory and run again");
  }
  stream.resize(size);
  return stream;
}

std::vector<std::uint8_t> packed_bytes(std::vector<std::int32_t> numbers,
                                       const std::vector<std::size_t>& shape,
                                       const std::vector<std::size_t>& axes, ElementBytes element,
                                       int level) {
  for (const std::size_t axis : axes) take_differences(numbers, shape, axis);
  return deflate_bytes(split_bytes(numbers, element), level);
}

/// The middle slices of the outermost axis, some ten thousand numbers. Sets their shape.
std::vector<std::int32_t> choose_sample(const std::vector<std::int32_t>& numbers,
                                        std::vector<std::size_t>& shape) {
  constexpr std::size_t max_numbers = 50'000;
  if (numbers.size() <= max_numbers) return numbers;
  const std::size_t slice = numbers.size() / shape[0];
  const std::size_t count =
      std::clamp<std::size_t>(max_numbers / slice, std::min<std::size_t>(shape[0], 3), shape[0]);
  const std::size_t begin = (shape[0] - count) / 2 * slice;
  shape[0] = count;
  const auto first = numbers.begin() + static_cast<std::ptrdiff_t>(begin);
  return {first, first + static_cast<std::ptrdiff_t>(count * slice)};
}

/// Chooses the subset of the three innermost axes for which a sample becomes smallest.
std::vector<std::size_t> choose_axes(const std::vector<std::int32_t>& numbers,
                                     const std::vector<std::size_t>& shape, ElementBytes element) {
  std::vector<std::size_t> sample_shape = shape;
  const std::vector<std::int32_t> sample = choose_sample(numbers, sample_shape);
  const std::size_t first = shape.size() > 3 ? shape.size() - 3 : 0;
  std::vector<std::size_t> best;
  std::size_t min = SIZE_MAX;
  for (unsigned subset = 0; subset < 1U << (shape.size() - first); ++subset) {
    std::vector<std::size_t> axes;
    for (std::size_t axis = first; axis < shape.size(); ++axis) {
      if ((subset >> (axis - first) & 1U) != 0) axes.push_back(axis);
    }
    const std::size_t size = packed_bytes(sample, sample_shape, axes, element, 1).size();
    if (size >= min) continue;
    min = size;
    best = axes;
  }
  return best;
}

}  // namespace

Quantisation quantise_range(double min, double max, double finest) {
  Quantisation quantisation;
  quantisation.offset = min + (max - min) / 2;
  quantisation.step = std::max((max - min) / (2 * max_two_bytes), finest);
  if (!(quantisation.step > 0)) quantisation.step = 1;  // a single value
  return quantisation;
}

template <class Number>
std::vector<std::int32_t> quantise(const std::vector<Number>& values,
                                   const Quantisation& quantisation) {
  std::vector<std::int32_t> numbers(values.size());
  for (std::size_t n = 0; n < values.size(); ++n) {
    numbers[n] = static_cast<std::int32_t>(
        std::lround((static_cast<double>(values[n]) - quantisation.offset) / quantisation.step));
  }
  return numbers;
}

template std::vector<std::int32_t> quantise(const std::vector<float>&, const Quantisation&);
template std::vector<std::int32_t> quantise(const std::vector<double>&, const Quantisation&);

PackedNumbers pack_numbers(std::vector<std::int32_t> numbers, const std::vector<std::size_t>& shape,
                           ElementBytes element, const Quantisation& quantisation) {
  constexpr int thorough = 6;  // 8 takes five times as long for some percent
  PackedNumbers packed;
  packed.shape = shape;
  packed.element = element;
  packed.quantisation = quantisation;
  if (numbers.empty()) return packed;
  packed.axes = choose_axes(numbers, shape, element);
  packed.stream = packed_bytes(std::move(numbers), shape, packed.axes, element, thorough);
  return packed;
}

}  // namespace tidewise

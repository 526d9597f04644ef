#include "base/hdf5/fletcher32.h"

#include <bit>
#include <cstring>

namespace tidewise {
namespace {

std::uint32_t fold(std::uint32_t sum) { return (sum & 0xffff) + (sum >> 16); }

/// Converts a sum of words in the processor's byte order to the sum of words in the file's order
/// (high byte first): sums are modulo 2^16 - 1, where a factor of 2^8 swaps the two bytes.
std::uint32_t in_file_order(std::uint32_t sum) {
  if constexpr (std::endian::native == std::endian::big) return sum;
  sum = fold(fold(sum));
  return ((sum & 0xff) << 8) | (sum >> 8);
}

}  // namespace

std::uint32_t fletcher32(View<const std::uint8_t> bytes) {
  // Largest block whose sum of sums fits 32 bits, in a loop that compilers vectorize.
  constexpr std::uint32_t block = 128;
  std::uint32_t sum = 0;
  std::uint32_t sum_of_sums = 0;
  const std::uint8_t* next = bytes.data;
  const auto add = [&](std::uint32_t words) {
    std::uint32_t added = 0;
    std::uint32_t weighted = 0;  // each word counts once for each partial sum that holds it
    for (std::uint32_t n = 0; n < words; ++n) {
      std::uint16_t word = 0;
      std::memcpy(&word, next + std::size_t{2} * n, sizeof(word));
      added += word;
      weighted += (words - n) * word;
    }
    sum_of_sums = fold(fold(sum_of_sums + fold(words * sum)) + fold(weighted));
    sum = fold(fold(sum + added));
    next += std::size_t{2} * words;
  };
  std::size_t words = bytes.size / 2;
  for (; words >= block; words -= block) add(block);
  add(static_cast<std::uint32_t>(words));
  sum = in_file_order(sum);
  sum_of_sums = in_file_order(sum_of_sums);
  if (bytes.size % 2 != 0) {
    sum = fold(sum + (std::uint32_t{*next} << 8));
    sum_of_sums = fold(sum_of_sums + sum);
  }
  return (fold(sum_of_sums) << 16) | fold(sum);
}

}  // namespace tidewise

#include "base/fletcher32.h"

#include <algorithm>

namespace tidewise {
namespace {

std::uint32_t fold(std::uint32_t sum) { return (sum & 0xffff) + (sum >> 16); }

}  // namespace

std::uint32_t fletcher32(View<const std::uint8_t> bytes) {
  // As many as 32 bits hold the sum of sums of, and a loop that compilers make vectors of.
  constexpr std::uint32_t block = 128;
  std::uint32_t sum = 0;
  std::uint32_t sum_of_sums = 0;
  const std::uint8_t* at = bytes.data;
  std::size_t words = bytes.size / 2;
  while (words > 0) {
    const auto some = static_cast<std::uint32_t>(std::min<std::size_t>(words, block));
    std::uint32_t added = 0;
    std::uint32_t weighted = 0;  // each as often as sums hold it from its turn on
    for (std::uint32_t n = 0; n < some; ++n) {
      const std::uint32_t word = (std::uint32_t{at[2 * n]} << 8) | at[2 * n + 1];
      added += word;
      weighted += (some - n) * word;
    }
    sum_of_sums = fold(fold(sum_of_sums + fold(some * sum)) + fold(weighted));
    sum = fold(fold(sum + added));
    at += 2 * some;
    words -= some;
  }
  if (bytes.size % 2 != 0) {
    sum = fold(sum + (std::uint32_t{*at} << 8));
    sum_of_sums = fold(sum_of_sums + sum);
  }
  return (fold(sum_of_sums) << 16) | fold(sum);
}

}  // namespace tidewise

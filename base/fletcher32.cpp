#include "base/fletcher32.h"

#include <algorithm>

namespace tidewise {
namespace {

std::uint32_t fold(std::uint32_t sum) { return (sum & 0xffff) + (sum >> 16); }

}  // namespace

std::uint32_t fletcher32(View<const std::uint8_t> bytes) {
  constexpr std::size_t words_a_fold = 360;  // as many as 32 bits hold the sum of sums of
  std::uint32_t sum = 0;
  std::uint32_t sum_of_sums = 0;
  std::size_t at = 0;
  for (std::size_t words = bytes.size / 2; words > 0;) {
    const std::size_t some = std::min(words, words_a_fold);
    words -= some;
    for (std::size_t n = 0; n < some; ++n, at += 2) {
      sum += (std::uint32_t{bytes[at]} << 8) | bytes[at + 1];
      sum_of_sums += sum;
    }
    sum = fold(sum);
    sum_of_sums = fold(sum_of_sums);
  }
  if (bytes.size % 2 != 0) {
    sum += std::uint32_t{bytes[at]} << 8;
    sum_of_sums = fold(sum_of_sums + sum);
    sum = fold(sum);
  }
  return (fold(sum_of_sums) << 16) | fold(sum);
}

}  // namespace tidewise

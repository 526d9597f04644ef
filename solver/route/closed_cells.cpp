#include "solver/route/closed_cells.h"

#include <algorithm>

namespace tidewise {

ClosedCells::ClosedCells(const EnvironmentReader& environment, TimeLevel first, TimeLevel last)
    : grid_(environment.info().grid),
      first_(first),
      last_(last),
      is_fixed_(environment.info().obstacles != Obstacles::moving) {
  const auto levels =
      is_fixed_ ? std::size_t{1} : static_cast<std::size_t>(last.value - first.value + 1);
  words_ = (levels + word_bits - 1) / word_bits;
  const auto cells = static_cast<std::size_t>(grid_.cell_count());
  bits_.assign(cells * words_, 0);
  if (environment.info().obstacles == Obstacles::none) return;
  for (std::size_t n = 0; n < levels; ++n) {
    const auto masked =
        environment.read_masked(TimeLevel(first.value + static_cast<std::int32_t>(n)));
    for (std::size_t cell = 0; cell < cells; ++cell) {
      if (masked[cell] == 0) continue;
      bits_[cell * words_ + n / word_bits] |= Word{1} << (n % word_bits);
    }
  }
}

bool ClosedCells::any(std::int32_t column, std::int32_t row, TimeLevel from, TimeLevel to) const {
  if (!grid_.contains(column, row)) return false;
  const Word* cell_words =
      bits_.data() + static_cast<std::size_t>(grid_.cell(column, row).value) * words_;
  if (is_fixed_) return cell_words[0] != 0;
  const std::int32_t begin = std::max(from.value, first_.value) - first_.value;
  const std::int32_t end = std::min(to.value, last_.value) - first_.value;
  if (begin > end) return false;
  const auto low = static_cast<std::size_t>(begin);
  const auto high = static_cast<std::size_t>(end);
  for (std::size_t word = low / word_bits; word <= high / word_bits; ++word) {
    Word mask = ~Word{0};
    if (word == low / word_bits) mask &= ~Word{0} << (low % word_bits);
    if (word == high / word_bits) mask &= ~Word{0} >> (word_bits - 1 - high % word_bits);
    if ((cell_words[word] & mask) != 0) return true;
  }
  return false;
}

}  // namespace tidewise

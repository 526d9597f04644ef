#pragma once

#include <cstdint>
#include <vector>

#include "env/file/reader.h"

namespace tidewise {

/// Closed cells of some levels of an environment: one bit for each cell and level.
class ClosedCells {
 public:
  /// Errors: those of reading. Requires first ≤ last.
  ClosedCells(const EnvironmentReader& environment, TimeLevel first, TimeLevel last);

  const Grid& grid() const { return grid_; }
  /// True if a cell is closed at any stored level between `from` and `to`; false outside the grid.
  bool any(std::int32_t column, std::int32_t row, TimeLevel from, TimeLevel to) const;
  TimeLevel first() const { return first_; }
  TimeLevel last() const { return last_; }

 private:
  using Word = std::uint64_t;
  static constexpr std::size_t word_bits = 64;

  Grid grid_;
  TimeLevel first_;
  TimeLevel last_;
  bool is_fixed_;           // true if obstacles do not move
  std::size_t words_;       // per cell
  std::vector<Word> bits_;  // (cell, word); bit n of a cell: level first + n
};

}  // namespace tidewise

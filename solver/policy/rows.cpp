#include "solver/policy/rows.h"

#include <omp.h>

#include <algorithm>
#include <iterator>
#include <limits>

#include "base/parallel/first_error.h"

namespace tidewise {
namespace {

constexpr std::uint32_t no_row = std::numeric_limits<std::uint32_t>::max();

// The words at the start of a row; its counts follow, rows of the window from the south.
enum Word : std::size_t {
  cell_word,
  action_word,
  width_word,
  height_word,
  dx_word,
  dy_word,
  words
};

std::uint32_t word(std::int32_t number) { return static_cast<std::uint32_t>(number); }
std::int32_t number(std::uint32_t word) { return static_cast<std::int32_t>(word); }

// The part of an action's window with landings.
struct Window {
  std::int32_t west, east, south, north;  // columns and rows of the counts, the last ones included
  std::int32_t width() const { return east - west + 1; }
  std::int32_t height() const { return north - south + 1; }
};

Window window_of(const CellTransitions& counts, std::int32_t a) {
  Window window{counts.width, -1, counts.height, -1};
  for (std::int32_t r = 0; r < counts.height; ++r) {
    const std::uint32_t* row = counts.row(a, r);
    for (std::int32_t c = 0; c < counts.width; ++c) {
      if (row[c] == 0) continue;
      window.west = std::min(window.west, c);
      window.east = std::max(window.east, c);
      window.south = std::min(window.south, r);
      window.north = r;
    }
  }
  return window;
}

}  // namespace

void PolicyRows::begin_level(std::int32_t threads) {
  by_thread_.resize(static_cast<std::size_t>(threads));
  for (auto& rows : by_thread_) rows.clear();
}

void PolicyRows::keep(std::int32_t thread, CellIndex cell, const CellTransitions& counts,
                      std::int32_t a) {
  const Window window = window_of(counts, a);
  if (window.north < 0) return;
  auto& rows = by_thread_[static_cast<std::size_t>(thread)];
  const Offset origin = counts.origin[a];
  rows.insert(rows.end(), {word(cell.value), word(counts.first_action + a), word(window.width()),
                           word(window.height()), word(origin.dx + window.west),
                           word(origin.dy + window.south)});
  for (std::int32_t r = window.south; r <= window.north; ++r) {
    const std::uint32_t* row = counts.row(a, r);
    rows.insert(rows.end(), row + window.west, row + window.east + 1);
  }
}

void PolicyRows::end_level(TimeLevel k, View<const std::int16_t> action) {
  std::size_t size = 0;
  for (const auto& rows : by_thread_) size += rows.size();
  if (size >= no_row) return;
  Level result;
  result.begin.assign(action.size, no_row);
  result.words.reserve(size);
  for (const auto& rows : by_thread_) {
    for (std::size_t at = 0; at < rows.size();) {
      const std::size_t length =
          words + static_cast<std::size_t>(rows[at + width_word]) * rows[at + height_word];
      // Skips rows of actions that were the best only until a later action.
      if (number(rows[at + action_word]) == action[rows[at + cell_word]]) {
        result.begin[rows[at + cell_word]] = static_cast<std::uint32_t>(result.words.size());
        result.words.insert(result.words.end(), rows.begin() + static_cast<std::ptrdiff_t>(at),
                            rows.begin() + static_cast<std::ptrdiff_t>(at + length));
      }
      at += length;
    }
  }
  const auto place = static_cast<std::size_t>(k.value);
  if (levels_.size() <= place) levels_.resize(place + 1);
  bytes_ += result.bytes() - levels_[place].bytes();
  levels_[place] = std::move(result);
  while (bytes_ > memory_) {
    bytes_ -= levels_.back().bytes();
    levels_.pop_back();
  }
}

const PolicyRows::Level* PolicyRows::level(TimeLevel k) const {
  const auto place = static_cast<std::size_t>(k.value);
  return place < levels_.size() && !levels_[place].begin.empty() ? &levels_[place] : nullptr;
}

std::vector<CellIndex> PolicyRows::give(TimeLevel k, View<const CellIndex> cells,
                                        View<const std::int16_t> action, std::int32_t threads,
                                        CountSink& sink) const {
  const Level* const stored = level(k);
  if (stored == nullptr) return {cells.begin(), cells.end()};
  const auto row_of = [&](CellIndex cell) -> const std::uint32_t* {
    const auto at = static_cast<std::size_t>(cell.value);
    const std::uint32_t begin = stored->begin[at];
    if (begin == no_row) return nullptr;
    const std::uint32_t* row = stored->words.data() + begin;
    return number(row[action_word]) == action[at] ? row : nullptr;
  };
  FirstError error;
#pragma omp parallel for schedule(static) num_threads(threads)
  for (std::size_t n = 0; n < cells.size; ++n) {
    const std::uint32_t* row = row_of(cells[n]);
    if (row == nullptr) continue;
    const Offset origin{number(row[dx_word]), number(row[dy_word])};
    error.run([&] {
      sink.accept(omp_get_thread_num(), cells[n],
                  {number(row[action_word]), 1, number(row[width_word]), number(row[height_word]),
                   &origin, row + words});
    });
  }
  error.rethrow();
  std::vector<CellIndex> missing;
  std::copy_if(cells.begin(), cells.end(), std::back_inserter(missing),
               [&](CellIndex cell) { return row_of(cell) == nullptr; });
  return missing;
}

}  // namespace tidewise

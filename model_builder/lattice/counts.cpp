#include "model_builder/lattice/counts.h"

#include <algorithm>

namespace tidewise {

LatticeCounts::LatticeCounts(const std::vector<Action>& actions, const PositionRule& rule)
    : actions_(actions),
      rule_(rule),
      x_(actions.size()),
      y_(actions.size()),
      origin_(actions.size()) {}

/// Columns and rows that the table has beyond the box: by area the ramps that end in the last cell
/// touched are read up to one cell, and one bin, beyond it.
std::int32_t LatticeCounts::table_growth() const {
  return rule_.landing == LandingBy::area ? (1 << rule_.bin_bits) + 1 : 1;
}

bool LatticeCounts::fits(const BinBox& box) const {
  constexpr std::int64_t most_bins = 1 << 18;  // a megabyte: beyond it the table leaves the cache
  const std::int64_t columns = std::int64_t{box.x_max} - box.x_min + 1 + table_growth();
  const std::int64_t rows = std::int64_t{box.y_max} - box.y_min + 1 + table_growth();
  // The columns of the histogram go into a signed half word of its kernel.
  return columns < INT16_MAX && columns * rows <= most_bins;
}

bool LatticeCounts::pays(const BinBox& box, std::size_t realizations) const {
  const std::int64_t columns = std::int64_t{box.x_max} - box.x_min + 1 + table_growth();
  const std::int64_t rows = std::int64_t{box.y_max} - box.y_min + 1 + table_growth();
  // An entry of the table costs about as much as landing a realization in one cell.
  const auto landings = static_cast<std::int64_t>(realizations * actions_.size()) *
                        rule_.cells_touched() * rule_.cells_touched();
  return columns * rows <= landings;
}

CellTransitions LatticeCounts::count(View<const std::int32_t> packed, const BinBox& box,
                                     Displacement mean, View<const std::uint32_t> weights) {
  columns_ = box.x_max - box.x_min + 1;
  rows_ = box.y_max - box.y_min + 1;
  fill_histogram(packed, box, weights);
  place_actions(box, mean);
  const bool by_area = rule_.landing == LandingBy::area;
  by_area ? sum_twice() : sum_once();
  line_.resize(static_cast<std::size_t>(width_) + 1);
  below_.resize(line_.size());
  slope_.resize(line_.size());
  count_.resize(actions_.size() * static_cast<std::size_t>(width_) *
                static_cast<std::size_t>(height_));
  for (std::size_t action = 0; action < actions_.size(); ++action) {
    by_area ? read_areas(action) : read_cells(action);
  }
  return {0,
          static_cast<std::int32_t>(actions_.size()),
          width_,
          height_,
          origin_.data(),
          count_.data()};
}

void LatticeCounts::fill_histogram(View<const std::int32_t> packed, const BinBox& box,
                                   View<const std::uint32_t> weights) {
  const auto columns = static_cast<std::size_t>(columns_);
  const std::size_t size = columns * static_cast<std::size_t>(rows_);
  even_.assign(size, 0);
  if (weights.empty()) {
    odd_.assign(size, 0);
    count_packed_bins(packed.data, packed.size, box, columns_, even_.data(), odd_.data());
    for (std::size_t n = 0; n < size; ++n) even_[n] += odd_[n];
    return;
  }
  for (std::size_t r = 0; r < packed.size; ++r) {
    const std::int32_t column = static_cast<std::int16_t>(packed[r] & 0xffff) - box.x_min;
    const std::int32_t row = (packed[r] >> 16) - box.y_min;
    even_[static_cast<std::size_t>(row) * columns + static_cast<std::size_t>(column)] += weights[r];
  }
}

/// Along one axis, for a cloud from bin `least` to bin `greatest`.
LatticeCounts::Reach LatticeCounts::reach(std::int32_t least, std::int32_t greatest,
                                          std::int32_t certain) const {
  const std::int32_t first = rule_.first_cell(position_of(least, certain, rule_));
  const std::int32_t last =
      rule_.first_cell(position_of(greatest, certain, rule_)) + rule_.cells_touched() - 1;
  // By area the ramp that begins west of the second cell; by cell the edge east of the first.
  const std::int32_t edge = rule_.landing == LandingBy::area
                                ? (first + 1) * positions_a_cell
                                : first * positions_a_cell + positions_a_cell / 2;
  return {first, last - first + 1, edge - position_of(least, certain, rule_)};
}

void LatticeCounts::place_actions(const BinBox& box, Displacement mean) {
  width_ = 0;
  height_ = 0;
  for (std::size_t a = 0; a < actions_.size(); ++a) {
    const StepPosition certain = certain_position(mean, actions_[a].displacement);
    x_[a] = reach(box.x_min, box.x_max, certain.x);
    y_[a] = reach(box.y_min, box.y_max, certain.y);
    origin_[a] = {x_[a].first, y_[a].first};
    width_ = std::max(width_, x_[a].cells);
    height_ = std::max(height_, y_[a].cells);
  }
}

/// Entry (r, c): all bins of rows below r and columns left of c.
void LatticeCounts::sum_once() {
  const auto columns = static_cast<std::size_t>(columns_);
  const auto rows = static_cast<std::size_t>(rows_);
  stride_ = columns + 1;
  height_of_table_ = rows + 1;
  if (table_.size() < stride_ * height_of_table_) table_.resize(stride_ * height_of_table_);
  std::fill_n(table_.begin(), stride_, 0u);
  for (std::size_t row = 0; row < rows; ++row) {
    const std::uint32_t* from = even_.data() + row * columns;
    const std::uint32_t* below = table_.data() + row * stride_;
    std::uint32_t* to = table_.data() + (row + 1) * stride_;
    std::uint32_t sum = 0;
    to[0] = 0;
    for (std::size_t column = 0; column < columns; ++column) {
      sum += from[column];
      to[column + 1] = sum + below[column + 1];
    }
  }
}

/// Entry (r, c): Σ count · max(0, r − row) · max(0, c − column) over all bins.
void LatticeCounts::sum_twice() {
  const auto columns = static_cast<std::size_t>(columns_);
  const auto rows = static_cast<std::size_t>(rows_);
  stride_ = columns + static_cast<std::size_t>(table_growth());
  height_of_table_ = rows + static_cast<std::size_t>(table_growth());
  if (table_.size() < stride_ * height_of_table_) table_.resize(stride_ * height_of_table_);
  line_.resize(stride_);
  sum_.assign(stride_, 0);
  std::fill_n(table_.begin(), stride_, 0u);
  for (std::size_t row = 0; row + 1 < height_of_table_; ++row) {
    if (row < rows) {
      const std::uint32_t* from = even_.data() + row * columns;
      std::uint32_t once = 0;
      std::uint32_t twice = 0;
      for (std::size_t column = 0; column < columns; ++column) {
        line_[column] = twice;
        once += from[column];
        twice += once;
      }
      for (std::size_t column = columns; column < stride_; ++column) {
        line_[column] = twice;
        twice += once;
      }
      for (std::size_t column = 0; column < stride_; ++column) sum_[column] += line_[column];
    }
    const std::uint32_t* below = table_.data() + row * stride_;
    std::uint32_t* to = table_.data() + (row + 1) * stride_;
    for (std::size_t column = 0; column < stride_; ++column)
      to[column] = below[column] + sum_[column];
  }
}

void LatticeCounts::read_cells(std::size_t action) {
  const Reach& x = x_[action];
  const Reach& y = y_[action];
  const std::int32_t shift = rule_.bin_shift();
  const std::int32_t cell = 1 << rule_.bin_bits;
  // The first bin east (north) of an edge: D·w < edge is D < ⌈edge / w⌉.
  const std::int32_t first_column = (x.place + rule_.bin() - 1) >> shift;
  std::int32_t north = (y.place + rule_.bin() - 1) >> shift;
  std::fill(line_.begin(), line_.end(), 0u);
  std::uint32_t* counts =
      count_.data() + action * static_cast<std::size_t>(width_) * static_cast<std::size_t>(height_);
  for (std::int32_t row = 0; row < height_; ++row, north += cell) {
    const std::uint32_t* sums =
        table_.data() + static_cast<std::size_t>(std::min(north, rows_)) * stride_;
    std::uint32_t west_above = 0;
    std::uint32_t west_below = 0;
    std::int32_t east = first_column;
    for (std::size_t column = 0; column < static_cast<std::size_t>(width_);
         ++column, east += cell) {
      const std::uint32_t east_above = sums[std::min(east, columns_)];
      const std::uint32_t east_below = line_[column];
      line_[column] = east_above;
      *counts++ = (east_above - west_above) - (east_below - west_below);
      west_above = east_above;
      west_below = east_below;
    }
  }
}

void LatticeCounts::read_areas(std::size_t action) {
  const Reach& x = x_[action];
  const Reach& y = y_[action];
  const auto width = static_cast<std::size_t>(x.cells);
  const auto g = static_cast<std::uint32_t>(y.place & (rule_.bin() - 1));
  const std::uint32_t* south =
      table_.data() + static_cast<std::size_t>(y.place >> rule_.bin_shift()) * stride_;
  const std::size_t cell = stride_ << rule_.bin_bits;
  std::fill_n(below_.begin(), width, 0u);
  std::fill_n(slope_.begin(), width, 0u);
  std::uint32_t* counts =
      count_.data() + action * static_cast<std::size_t>(width_) * static_cast<std::size_t>(height_);
  for (std::int32_t row = 0; row < height_; ++row, counts += width_) {
    if (row >= y.cells) {
      std::fill_n(counts, width_, 0u);
      continue;
    }
    const bool last = row + 1 == y.cells;
    read_ramps(last ? nullptr : south, g, x);
    if (!last) south += cell;
    for (std::size_t column = 0; column < width; ++column) {
      // North of the last cell ramps go on as they are: there the row is a slope, not a value.
      const std::uint32_t slope = last ? line_[column] : line_[column] - below_[column];
      counts[column] = slope - slope_[column];
      below_[column] = line_[column];
      slope_[column] = slope;
    }
    std::fill(counts + width, counts + width_, 0u);
  }
}

/// Leaves in line_ what each cell is given of a row of ramps: of the one that is `g` of the way, in
/// 1/256 of a cell, from row `south` of the table to the next; or, without one, of the slope of
/// ramps north of the cloud, for a cell.
void LatticeCounts::read_ramps(const std::uint32_t* south, std::uint32_t g, const Reach& x) {
  const auto bin = static_cast<std::uint32_t>(rule_.bin());
  const auto f = static_cast<std::uint32_t>(x.place) & (bin - 1);
  const auto cell = std::size_t{1} << rule_.bin_bits;
  std::uint32_t of_south = bin - g;
  std::uint32_t of_north = g;
  if (south == nullptr) {
    south = table_.data() + (height_of_table_ - 2) * stride_;
    of_south = 0u - positions_a_cell;
    of_north = positions_a_cell;
  }
  const std::uint32_t* const north = south + stride_;
  const auto at = [&](std::size_t column) {
    return of_south * south[column] + of_north * north[column];
  };
  std::size_t column = static_cast<std::size_t>(x.place >> rule_.bin_shift());
  std::uint32_t before = 0;
  std::uint32_t slope_before = 0;
  const auto last = static_cast<std::size_t>(x.cells) - 1;
  for (std::size_t n = 0; n < last; ++n, column += cell) {
    const std::uint32_t ramp = (bin - f) * at(column) + f * at(column + 1);
    const std::uint32_t slope = ramp - before;
    line_[n] = slope - slope_before;
    before = ramp;
    slope_before = slope;
  }
  line_[last] = positions_a_cell * (at(stride_ - 1) - at(stride_ - 2)) - slope_before;
}

}  // namespace tidewise

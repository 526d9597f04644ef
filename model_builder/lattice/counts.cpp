#include "model_builder/lattice/counts.h"

#include <algorithm>

namespace tidewise {

LatticeCounts::LatticeCounts(const std::vector<Action>& actions, const PositionRule& rule)
    : actions_(actions),
      rule_(rule),
      x_(actions.size()),
      y_(actions.size()),
      origin_(actions.size()) {}

/// Columns and rows of the table beyond the box: with bilinear weights hats begin a cell before the
/// first bin, end a cell after the last, and are read one bin farther.
std::int32_t LatticeCounts::table_growth() const {
  return rule_.landing == LandingBy::area ? (2 << rule_.bin_bits) + 1 : 1;
}

bool LatticeCounts::fits(const BinBox& box) const {
  constexpr std::int64_t max_bins = 1 << 18;  // 1 MB: larger tables do not fit the cache
  const std::int64_t columns = std::int64_t{box.x_max} - box.x_min + 1 + table_growth();
  const std::int64_t rows = std::int64_t{box.y_max} - box.y_min + 1 + table_growth();
  // The kernel stores the histogram's columns in a signed half word.
  return columns < INT16_MAX && columns * rows <= max_bins;
}

bool LatticeCounts::pays(const BinBox& box, std::size_t realizations) const {
  const std::int64_t columns = std::int64_t{box.x_max} - box.x_min + 1 + table_growth();
  const std::int64_t rows = std::int64_t{box.y_max} - box.y_min + 1 + table_growth();
  // An entry of the table costs about as much as landing one realization in one cell.
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
  by_area ? sum_hats() : sum_bins();
  line_.resize(static_cast<std::size_t>(width_));
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
  const std::size_t beyond = rule_.landing == LandingBy::area ? hat_columns() : 0;
  const std::size_t columns = static_cast<std::size_t>(columns_) + beyond;
  const std::size_t size = beyond + columns * static_cast<std::size_t>(rows_);
  constexpr std::size_t max_divided = 4096;  // bins: larger parts would not fit the first cache
  PartialHistograms histograms;
  const std::size_t parts = weights.empty() && size <= max_divided ? histograms.size() : 1;
  histogram_.assign(parts * size, 0);
  std::uint32_t* const total = histogram_.data();
  if (weights.empty()) {
    for (std::size_t n = 0; n < histograms.size(); ++n) {
      histograms[n] = total + n % parts * size + beyond;
    }
    count_packed_bins(packed.data, packed.size, box, static_cast<std::int32_t>(columns),
                      histograms);
    for (std::size_t part = 1; part < parts; ++part) {
      for (std::size_t n = 0; n < size; ++n) total[n] += total[part * size + n];
    }
    return;
  }
  for (std::size_t r = 0; r < packed.size; ++r) {
    const std::int32_t column = static_cast<std::int16_t>(packed[r] & 0xffff) - box.x_min;
    const std::int32_t row = (packed[r] >> 16) - box.y_min;
    total[beyond + static_cast<std::size_t>(row) * columns + static_cast<std::size_t>(column)] +=
        weights[r];
  }
}

/// Returns the cells along one axis that a cloud from bin `min` to bin `max` reaches.
LatticeCounts::Reach LatticeCounts::reach(std::int32_t min, std::int32_t max,
                                          std::int32_t certain) const {
  const std::int32_t first = rule_.first_cell(position_of(min, certain, rule_));
  const std::int32_t last =
      rule_.first_cell(position_of(max, certain, rule_)) + rule_.cells_touched() - 1;
  // Bilinear weights: the centre of the first cell, relative to the begin of the table, one cell
  // west of the cloud. Nearest cell: the first cell's eastern edge.
  const std::int32_t mark = rule_.landing == LandingBy::area
                                ? first * positions_per_cell + positions_per_cell
                                : first * positions_per_cell + positions_per_cell / 2;
  return {first, last - first + 1, mark - position_of(min, certain, rule_)};
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

/// Entry (r, c): sum of all bins of rows below r and columns left of c.
void LatticeCounts::sum_bins() {
  const auto columns = static_cast<std::size_t>(columns_);
  const auto rows = static_cast<std::size_t>(rows_);
  stride_ = columns + 1;
  if (table_.size() < stride_ * (rows + 1)) table_.resize(stride_ * (rows + 1));
  std::fill_n(table_.begin(), stride_, 0u);
  for (std::size_t row = 0; row < rows; ++row) {
    const std::uint32_t* from = histogram_.data() + row * columns;
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

namespace {

/// Computes a row of the table from the one below, and updates the slope.
void sum_row(const std::uint32_t* foot, const std::uint32_t* tip, const std::uint32_t* end,
             std::vector<std::uint32_t>& slope, const std::uint32_t* below, std::uint32_t* to) {
  std::uint32_t* const rise = slope.data();
  const std::size_t columns = slope.size();
#pragma omp simd
  for (std::size_t c = 0; c < columns; ++c) {
    rise[c] += foot[c] - 2 * tip[c] + end[c];
    to[c] = below[c] + rise[c];
  }
}

}  // namespace

/// Entry (r, c), with B bins per cell: Σ count · max(0, B − |r − B − row|) · max(0, B − |c − B −
/// column|) over all bins. A hat's slope changes only at its two feet and its tip, so along each
/// axis the hats are the second sum of three terms.
void LatticeCounts::sum_hats() {
  const std::size_t cell = std::size_t{1} << rule_.bin_bits;
  const auto rows = static_cast<std::size_t>(rows_);
  stride_ = static_cast<std::size_t>(columns_) + hat_columns();
  const std::size_t height = rows + hat_columns();
  if (table_.size() < stride_ * height) table_.resize(stride_ * height);
  if (hats_.size() < stride_ * rows) hats_.resize(stride_ * rows);
  // All rows in one loop, because at the end of each, hats and slope are 0 again.
  const std::size_t size = stride_ * rows;
  std::uint32_t* const hats = hats_.data();
  const std::uint32_t* const bin = histogram_.data() + hat_columns();
  const std::uint32_t* const foot = bin - 1;
  const std::uint32_t* const tip = foot - cell;
  const std::uint32_t* const end = tip - cell;
  for (std::size_t n = 0; n < size; ++n) hats[n] = foot[n] - 2 * tip[n] + end[n];
  std::uint32_t slope = 0;
  std::uint32_t sum = 0;
  for (std::size_t n = 0; n < size; ++n) {
    slope += hats[n];
    sum += slope;
    hats[n] = sum;
  }
  // Hats along y are summed across rows, for all columns at once.
  slope_.assign(stride_, 0);
  zero_row_.assign(stride_, 0);
  std::fill_n(table_.begin(), stride_, 0u);
  const auto row_of_hats = [&](std::size_t row) {  // negative rows wrap to large numbers
    return row < rows ? hats + row * stride_ : zero_row_.data();
  };
  for (std::size_t row = 1; row < height; ++row) {
    sum_row(row_of_hats(row - 1), row_of_hats(row - 1 - cell), row_of_hats(row - 1 - 2 * cell),
            slope_, table_.data() + (row - 1) * stride_, table_.data() + row * stride_);
  }
}

void LatticeCounts::read_cells(std::size_t action) {
  const Reach& x = x_[action];
  const Reach& y = y_[action];
  const std::int32_t shift = rule_.bin_shift();
  const std::int32_t cell = 1 << rule_.bin_bits;
  // The first bin east (north) of an edge: D·w < edge is equivalent to D < ⌈edge / w⌉.
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
  const auto bin = static_cast<std::uint32_t>(rule_.bin());
  const auto f = static_cast<std::uint32_t>(x.place) & (bin - 1);
  const auto g = static_cast<std::uint32_t>(y.place) & (bin - 1);
  const std::uint32_t south_west = (bin - f) * (bin - g);
  const std::uint32_t south_east = f * (bin - g);
  const std::uint32_t north_west = (bin - f) * g;
  const std::uint32_t north_east = f * g;
  const std::size_t cell = std::size_t{1} << rule_.bin_bits;
  const std::uint32_t* south = table_.data() +
                               static_cast<std::size_t>(y.place >> rule_.bin_shift()) * stride_ +
                               static_cast<std::size_t>(x.place >> rule_.bin_shift());
  const auto window = static_cast<std::size_t>(width_);
  const auto width = static_cast<std::size_t>(x.cells);
  std::uint32_t* counts = count_.data() + action * window * static_cast<std::size_t>(height_);
  for (std::int32_t row = 0; row < y.cells; ++row, south += cell * stride_, counts += window) {
    const std::uint32_t* at = south;
    const std::uint32_t* above = south + stride_;
    for (std::size_t column = 0; column < width; ++column, at += cell, above += cell) {
      counts[column] =
          south_west * at[0] + south_east * at[1] + north_west * above[0] + north_east * above[1];
    }
    std::fill(counts + width, counts + window, 0u);
  }
  std::fill(counts, counts + static_cast<std::size_t>(height_ - y.cells) * window, 0u);
}

}  // namespace tidewise

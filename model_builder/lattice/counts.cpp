#include "model_builder/lattice/counts.h"

#include <algorithm>

#include "model_builder/step/stencil.h"

namespace tidewise {

LatticeCounts::LatticeCounts(const LatticeAxis& x, const LatticeAxis& y, const CellKernels& kernels)
    : x_(x), y_(y), kernels_(kernels), actions_(x.first_bin().size()), origin_(actions_) {}

bool LatticeCounts::fits(const BinBox& box) {
  constexpr std::int64_t most_bins = 1 << 18;  // a megabyte: beyond it the table leaves the cache
  const std::int64_t columns = static_cast<std::int64_t>(box.x_max) - box.x_min + 1;
  const std::int64_t rows = static_cast<std::int64_t>(box.y_max) - box.y_min + 1;
  // The stride, columns + 1, goes into a signed half word of the histogram kernels.
  return columns < INT16_MAX && columns * rows <= most_bins;
}

CellTransitions LatticeCounts::count(View<const std::int32_t> packed, const BinBox& box,
                                     View<const std::uint32_t> weights) {
  fill_table(packed, box, weights);
  sum_table();
  width_ = cells_touched(columns_, x_.bins_per_cell());
  height_ = cells_touched(rows_, y_.bins_per_cell());
  west_.resize(static_cast<std::size_t>(width_) + 1);
  line_.resize(west_.size());
  count_.resize(actions_ * static_cast<std::size_t>(width_) * static_cast<std::size_t>(height_));
  for (std::size_t action = 0; action < actions_; ++action) read_action(action, box);
  return {0, static_cast<std::int32_t>(actions_), width_, height_, origin_.data(), count_.data()};
}

void LatticeCounts::fill_table(View<const std::int32_t> packed, const BinBox& box,
                               View<const std::uint32_t> weights) {
  columns_ = box.x_max - box.x_min + 1;
  rows_ = box.y_max - box.y_min + 1;
  stride_ = static_cast<std::size_t>(columns_) + 1;
  const std::size_t size = stride_ * (static_cast<std::size_t>(rows_) + 1);
  table_.assign(size, 0);
  // Row and column 0 of the table stay 0: bin (0, 0) is at (1, 1).
  std::uint32_t* first = table_.data() + stride_ + 1;
  if (weights.empty()) {
    other_.assign(size, 0);
    kernels_.histogram(packed.data, packed.size, box, static_cast<std::int32_t>(stride_), first,
                       other_.data() + stride_ + 1);
    for (std::size_t n = 0; n < size; ++n) table_[n] += other_[n];
    return;
  }
  for (std::size_t r = 0; r < packed.size; ++r) {
    const std::int32_t column = static_cast<std::int16_t>(packed[r] & 0xffff) - box.x_min;
    const std::int32_t row = (packed[r] >> 16) - box.y_min;
    first[static_cast<std::size_t>(row) * stride_ + static_cast<std::size_t>(column)] += weights[r];
  }
}

void LatticeCounts::sum_table() {
  for (std::int32_t row = 1; row <= rows_; ++row) {
    std::uint32_t* here = table_.data() + static_cast<std::size_t>(row) * stride_;
    const std::uint32_t* below = here - stride_;
    std::uint32_t sum = 0;
    for (std::size_t column = 1; column < stride_; ++column) {
      sum += here[column];
      here[column] = sum + below[column];
    }
  }
}

void LatticeCounts::read_action(std::size_t action, const BinBox& box) {
  const std::int32_t x_bins = x_.bins_per_cell();
  const std::int32_t y_bins = y_.bins_per_cell();
  const std::int32_t x_first = x_.first_bin()[action];
  const std::int32_t y_first = y_.first_bin()[action];
  const Offset origin{offset_of_bin(box.x_min, x_first, x_bins),
                      offset_of_bin(box.y_min, y_first, y_bins)};
  origin_[action] = origin;
  // Where each window column begins, in bins of the box; the first and last reach over its edge.
  std::int32_t place = x_first + origin.dx * x_bins - box.x_min;
  for (auto& west : west_) {
    west = static_cast<std::uint32_t>(std::clamp(place, 0, columns_));
    place += x_bins;
  }
  std::fill(line_.begin(), line_.end(), 0u);
  std::uint32_t* counts =
      count_.data() + action * static_cast<std::size_t>(width_) * static_cast<std::size_t>(height_);
  std::int32_t north = y_first + (origin.dy + 1) * y_bins - box.y_min;
  for (std::int32_t row = 0; row < height_; ++row, north += y_bins) {
    const std::uint32_t* sums =
        table_.data() + static_cast<std::size_t>(std::clamp(north, 0, rows_)) * stride_;
    std::uint32_t west_above = sums[west_[0]];
    std::uint32_t west_below = line_[0];
    line_[0] = west_above;
    for (std::size_t column = 0; column < static_cast<std::size_t>(width_); ++column) {
      const std::uint32_t east_above = sums[west_[column + 1]];
      const std::uint32_t east_below = line_[column + 1];
      line_[column + 1] = east_above;
      *counts++ = (east_above - west_above) - (east_below - west_below);
      west_above = east_above;
      west_below = east_below;
    }
  }
}

}  // namespace tidewise

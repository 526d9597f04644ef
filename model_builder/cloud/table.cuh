#pragma once

#include <cstdint>

#include "model_builder/cloud/cell_group.cuh"
#include "model_builder/cloud/shape.cuh"
#include "model_builder/step/stencil.h"

namespace tidewise {

/// The summed-area table of one cell's cloud, and how an action's counts are read off it.
template <class Shape>
struct LatticeTable {
  const typename Shape::Counter*
      table;  ///< sums of all bins to the west and south, at Shape::place()
  const DeviceLatticeAxis* x_axis;
  const DeviceLatticeAxis* y_axis;
  std::int32_t x_min, x_max, y_min, y_max;  ///< fine bins of the cloud's box
  std::int32_t width, height;               ///< of every action's window [cells]

  __device__ Offset origin(std::int32_t action) const {
    return {floor_divide_by(x_min - x_axis->first_bin[action], x_axis->inverse_bins),
            floor_divide_by(y_min - y_axis->first_bin[action], y_axis->inverse_bins)};
  }
  /// South-western and north-eastern corners of all actions' windows together.
  __device__ Offset first() const {
    return {floor_divide_by(x_min - x_axis->greatest_first_bin, x_axis->inverse_bins),
            floor_divide_by(y_min - y_axis->greatest_first_bin, y_axis->inverse_bins)};
  }
  __device__ Offset last() const {
    return {floor_divide_by(x_min - x_axis->least_first_bin, x_axis->inverse_bins) + width - 1,
            floor_divide_by(y_min - y_axis->least_first_bin, y_axis->inverse_bins) + height - 1};
  }

  /// Calls landing(column, row, count) for each offset of an action's window, rows from south to
  /// north and each from west to east, and row_end() after each row.
  template <class Landing, class RowEnd>
  __device__ void visit(std::int32_t action, const Landing& landing, const RowEnd& row_end) const {
    const Offset from = origin(action);
    const std::int32_t x_bins = x_axis->bins_per_cell;
    const std::int32_t y_bins = y_axis->bins_per_cell;
    // Sums up to and with the last bin before each boundary; outside the box they are those of its
    // edge, where the table holds 0 or the total.
    const std::int32_t west = x_axis->first_bin[action] + from.dx * x_bins - 1;
    std::int32_t north = y_axis->first_bin[action] + from.dy * y_bins - 1;
    std::int32_t below = y_min - 1;
    for (std::int32_t row = 0; row < height; ++row) {
      north += y_bins;
      const std::int32_t above = min(north, y_max);
      std::int32_t east = west;
      std::int32_t before = 0;
      for (std::int32_t column = 0; column < width; ++column) {
        east += x_bins;
        const std::int32_t x = min(east, x_max);
        const auto sum = static_cast<std::int32_t>(table[Shape::place(x, above)]) -
                         static_cast<std::int32_t>(table[Shape::place(x, below)]);
        landing(column, row, static_cast<std::uint32_t>(sum - before));
        before = sum;
      }
      row_end();
      below = above;
    }
  }
};

namespace lattice {

/// Turns 16 bytes of counts into their running sums; returns the last.
__device__ inline std::uint32_t running_sums(uint4& words, std::uint32_t) {
  words.y += words.x;
  words.z += words.y;
  words.w += words.z;
  return words.w;
}
__device__ inline void add_to_all(uint4& words, std::uint32_t sum, std::uint32_t) {
  words.x += sum;
  words.y += sum;
  words.z += sum;
  words.w += sum;
}
// Two counts to a word: no sum exceeds 16 bits, so no carry crosses over.
__device__ inline std::uint32_t running_sums(uint4& words, std::uint16_t) {
  constexpr std::uint32_t lower_into_upper = 0x00010001u;
  words.x *= lower_into_upper;
  words.y = words.y * lower_into_upper + (words.x >> 16) * lower_into_upper;
  words.z = words.z * lower_into_upper + (words.y >> 16) * lower_into_upper;
  words.w = words.w * lower_into_upper + (words.z >> 16) * lower_into_upper;
  return words.w >> 16;
}
__device__ inline void add_to_all(uint4& words, std::uint32_t sum, std::uint16_t) {
  add_to_all(words, sum * 0x00010001u, std::uint32_t{});
}

/// From histogram to summed-area table, by one cell's group of threads: first along rows, eight
/// lanes to a row, then along columns.
template <class Shape, class Group>
__device__ void sum_table(typename Shape::Counter* frame, std::int32_t x_first,
                          std::int32_t column_groups, std::int32_t y_min, std::int32_t height,
                          const Group& group) {
  using Counter = typename Shape::Counter;
  constexpr std::int32_t lanes_a_row = 8;
  const std::int32_t lane = group.rank() % lanes_a_row;
#pragma unroll 1
  for (std::int32_t base = 0; base < height; base += Group::size / lanes_a_row) {
    const std::int32_t row = base + group.rank() / lanes_a_row;
    std::uint32_t carry = 0;
#pragma unroll 1
    for (std::int32_t first = 0; first < column_groups; first += lanes_a_row) {
      const std::int32_t place = first + lane;
      const bool mine = row < height && place < column_groups;
      auto* words = reinterpret_cast<uint4*>(
          frame + Shape::place(x_first + place * Shape::group, y_min + row));
      uint4 sums = mine ? *words : uint4{0, 0, 0, 0};
      const std::uint32_t own = running_sums(sums, Counter{});
      std::uint32_t up_to = own;
#pragma unroll
      for (std::int32_t d = 1; d < lanes_a_row; d *= 2) {
        const std::uint32_t other = __shfl_up_sync(0xffffffffu, up_to, d, lanes_a_row);
        if (lane >= d) up_to += other;
      }
      add_to_all(sums, carry + up_to - own, Counter{});
      if (first + lanes_a_row < column_groups) {
        carry += __shfl_sync(0xffffffffu, up_to, lanes_a_row - 1, lanes_a_row);
      }
      if (mine) *words = sums;
    }
  }
  group.sync();
  constexpr auto a_word = static_cast<std::int32_t>(4 / sizeof(Counter));
  for (std::int32_t word = group.rank(); word < column_groups * 4; word += Group::size) {
    std::uint32_t sum = 0;
#pragma unroll 4
    for (std::int32_t row = 0; row < height; ++row) {
      auto& here = *reinterpret_cast<std::uint32_t*>(
          frame + Shape::place(x_first + word * a_word, y_min + row));
      sum += here;
      here = sum;
    }
  }
  group.sync();
}

}  // namespace lattice
}  // namespace tidewise

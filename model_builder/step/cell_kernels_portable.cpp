#include <cmath>

#include "model_builder/step/cell_kernels.h"
#include "model_builder/step/cell_kernels_variants.h"
#include "model_builder/step/displacement.h"
#include "model_builder/step/stencil.h"

// Plain loops that compilers turn into vectors of any width. They are the meaning of the kernels;
// the hand-written ones are held to them by tests.

namespace tidewise {
namespace {

constexpr std::size_t block = kernel_block;

/// Displacements of one block of realizations.
inline void displacements_of_block(const CloudArguments& cloud, std::size_t first, std::int32_t* x,
                                   std::int32_t* y) {
  float u[block];
  float v[block];
  for (std::size_t r = 0; r < block; ++r) {
    u[r] = cloud.u_mean;
    v[r] = cloud.v_mean;
  }
  for (std::int32_t m = 0; m < cloud.mode_count; ++m) {
    const float* coefficient =
        cloud.coefficient + static_cast<std::size_t>(m) * cloud.row_length + first;
    const float u_mode = cloud.u_mode[m];
    const float v_mode = cloud.v_mode[m];
    for (std::size_t r = 0; r < block; ++r) {
      u[r] = std::fma(coefficient[r], u_mode, u[r]);
      v[r] = std::fma(coefficient[r], v_mode, v[r]);
    }
  }
  for (std::size_t r = 0; r < block; ++r) {
    x[r] = to_displacement(u[r], cloud.scale_x);
    y[r] = to_displacement(v[r], cloud.scale_y);
  }
}

inline void bins_of_block(const AxisTables& axis, const std::int32_t* displacement,
                          std::int32_t* bin) {
  for (std::size_t r = 0; r < block; ++r) {
    bin[r] = table_bin(displacement[r], axis.bins_per_cell, axis.large);
  }
  for (std::int32_t e = 0; e < axis.large.extra_count; ++e) {
    for (std::size_t r = 0; r < block; ++r) {
      bin[r] += reaches(displacement[r], axis.large.extra[e]);
    }
  }
}

void displacements(const CloudArguments& cloud, std::int32_t* x, std::int32_t* y) {
  for (std::size_t first = 0; first < cloud.row_length; first += block) {
    displacements_of_block(cloud, first, x + first, y + first);
  }
}

BinBox fine_bins(const CloudArguments& cloud, const AxisTables& x_axis, const AxisTables& y_axis,
                 std::int32_t* packed) {
  BinBox box{INT32_MAX, INT32_MIN, INT32_MAX, INT32_MIN};
  std::int32_t x[block];
  std::int32_t y[block];
  std::int32_t bin_x[block];
  std::int32_t bin_y[block];
  for (std::size_t first = 0; first < cloud.row_length; first += block) {
    displacements_of_block(cloud, first, x, y);
    bins_of_block(x_axis, x, bin_x);
    bins_of_block(y_axis, y, bin_y);
    for (std::size_t r = 0; r < block; ++r) {
      box.x_min = bin_x[r] < box.x_min ? bin_x[r] : box.x_min;
      box.x_max = bin_x[r] > box.x_max ? bin_x[r] : box.x_max;
      box.y_min = bin_y[r] < box.y_min ? bin_y[r] : box.y_min;
      box.y_max = bin_y[r] > box.y_max ? bin_y[r] : box.y_max;
      packed[first + r] =
          static_cast<std::int32_t>((static_cast<std::uint32_t>(bin_y[r]) << 16) |
                                    (static_cast<std::uint32_t>(bin_x[r]) & 0xffffu));
    }
  }
  return box;
}

void fine_bins_of_two(const CloudArguments* cloud, const AxisTables& x, const AxisTables& y,
                      std::int32_t* const* packed, BinBox* box) {
  box[0] = fine_bins(cloud[0], x, y, packed[0]);
  box[1] = fine_bins(cloud[1], x, y, packed[1]);
}

void histogram(const std::int32_t* packed, std::size_t count, const BinBox& box,
               std::int32_t stride, std::uint32_t* even, std::uint32_t* odd) {
  const std::int32_t base = box.y_min * stride + box.x_min;
  const auto place = [&](std::int32_t word) {
    return (word >> 16) * stride + static_cast<std::int16_t>(word & 0xffff) - base;
  };
  std::size_t n = 0;
  for (; n + 1 < count; n += 2) {
    ++even[place(packed[n])];
    ++odd[place(packed[n + 1])];
  }
  if (n < count) ++even[place(packed[n])];
}

}  // namespace

const CellKernels portable_cell_kernels{"portable", displacements, fine_bins, fine_bins_of_two,
                                        histogram};

}  // namespace tidewise

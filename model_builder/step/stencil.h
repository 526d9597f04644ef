#pragma once

#include <cstdint>

#include "base/host_device.h"
#include "model_builder/step/cell_kernels.h"
#include "model_builder/step/displacement.h"

// From displacements to fine bins and from fine bins to windows of cells, along one axis of the
// lattice (model_builder/lattice/axis.h).

namespace tidewise {

/// The fine bin of a displacement, extra thresholds left out.
TIDEWISE_HOST_DEVICE inline std::int32_t table_bin(std::int32_t displacement,
                                                   std::int32_t bins_per_cell,
                                                   const BinTable& table) {
  const std::int32_t fraction = displacement & (one_cell - 1);
  return (displacement >> fraction_bits) * bins_per_cell +
         ((fraction + table.entry[fraction >> table.shift]) >> fraction_bits);
}

/// 1 where the displacement's fraction of a cell has reached `threshold`, else 0.
TIDEWISE_HOST_DEVICE inline std::int32_t reaches(std::int32_t displacement,
                                                 std::int32_t threshold) {
  return (displacement & (one_cell - 1)) >= threshold ? 1 : 0;
}

/// The fine bin of a displacement: what LatticeAxis::bin() says, by a table.
TIDEWISE_HOST_DEVICE inline std::int32_t fine_bin(std::int32_t displacement,
                                                  std::int32_t bins_per_cell,
                                                  const BinTable& table) {
  std::int32_t bin = table_bin(displacement, bins_per_cell, table);
  for (std::int32_t e = 0; e < table.extra_count; ++e) bin += reaches(displacement, table.extra[e]);
  return bin;
}

/// ⌊n / d⌋ for d > 0.
TIDEWISE_HOST_DEVICE inline std::int32_t floor_divide(std::int32_t n, std::int32_t d) {
  return n >= 0 ? n / d : -((d - 1 - n) / d);
}

/// ⌊n / d⌋ by one multiplication, for |n| and d under 4096; `inverse` is float32(1/d). Exact: a
/// quotient (n + ½) / d is at least 1/(2d) away from every whole number, and float32 errs by less.
TIDEWISE_HOST_DEVICE inline std::int32_t floor_divide_by(std::int32_t n, float inverse) {
#if defined(__CUDA_ARCH__)
  return __float2int_rd((static_cast<float>(n) + 0.5F) * inverse);
#else
  const float quotient = (static_cast<float>(n) + 0.5F) * inverse;
  const auto whole = static_cast<std::int32_t>(quotient);
  return static_cast<float>(whole) > quotient ? whole - 1 : whole;
#endif
}

/// The landing offset of a fine bin under an action whose offset 0 begins at `first_bin`.
TIDEWISE_HOST_DEVICE inline std::int32_t offset_of_bin(std::int32_t bin, std::int32_t first_bin,
                                                       std::int32_t bins_per_cell) {
  return floor_divide(bin - first_bin, bins_per_cell);
}

/// Cells that `bins` consecutive fine bins can touch.
TIDEWISE_HOST_DEVICE inline std::int32_t cells_touched(std::int32_t bins,
                                                       std::int32_t bins_per_cell) {
  return (bins + bins_per_cell - 2) / bins_per_cell + 1;
}

}  // namespace tidewise

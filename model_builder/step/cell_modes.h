#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "env/level_fields.h"

namespace tidewise {

/// The mean and modes of one cell side by side, as the vector kernels want them.
struct CellModes {
  float u_mean = 0;
  float v_mean = 0;
  std::vector<float> u_mode;  ///< (mode)
  std::vector<float> v_mode;  ///< (mode)

  void gather(const LevelView& level, CellIndex index) {
    const auto cell = static_cast<std::size_t>(index.value);
    const auto stride = static_cast<std::size_t>(level.grid.cell_count());
    const auto modes = static_cast<std::size_t>(level.mode_count);
    u_mean = level.u_mean[cell];
    v_mean = level.v_mean[cell];
    u_mode.resize(modes);
    v_mode.resize(modes);
    for (std::size_t m = 0; m < modes; ++m) {
      u_mode[m] = level.u_mode[m * stride + cell];
      v_mode[m] = level.v_mode[m * stride + cell];
    }
  }
};

}  // namespace tidewise

#pragma once

#include <algorithm>
#include <cstddef>

#include "base/memory/array.h"
#include "env/level_fields.h"
#include "model_builder/step/cell_kernels.h"
#include "model_builder/step/cell_modes.h"
#include "model_builder/step/displacement.h"

namespace tidewise {

/// A level's coefficients with every row made up to whole vectors by repeating its last
/// realization: kernels need no tail, and no repetition widens a cloud's bounding box. (mode,
/// row_length)
class PaddedCoefficients {
 public:
  explicit PaddedCoefficients(const LevelView& level)
      : realizations_(level.realization_count),
        modes_(level.mode_count),
        row_length_((static_cast<std::size_t>(realizations_) + kernel_block - 1) / kernel_block *
                    kernel_block),
        values_(row_length_ * static_cast<std::size_t>(modes_)) {
    const auto count = static_cast<std::size_t>(realizations_);
    for (std::size_t m = 0; m < static_cast<std::size_t>(modes_); ++m) {
      float* row = values_.data() + m * row_length_;
      std::copy_n(level.coefficient.data + m * count, count, row);
      std::fill(row + count, row + row_length_, row[count - 1]);
    }
  }

  std::size_t row_length() const { return row_length_; }

  CloudArguments arguments(const CellModes& cell, const DisplacementScale& scale) const {
    return {values_.data(),     row_length_,        modes_,  cell.u_mean, cell.v_mean,
            cell.u_mode.data(), cell.v_mode.data(), scale.x, scale.y};
  }

 private:
  std::int32_t realizations_;
  std::int32_t modes_;
  std::size_t row_length_;
  Array<float> values_;
};

}  // namespace tidewise

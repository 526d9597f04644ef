#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/memory/array.h"
#include "env/level_fields.h"
#include "model_builder/step/cell_kernels.h"
#include "model_builder/step/position.h"
#include "model_builder/step/spread.h"

namespace tidewise {

/// Factors of a level's modes (spread.h). (mode)
std::vector<ModeScale> mode_scales(const LevelView& level, const DisplacementScale& scale,
                                   const PositionRule& rule);

/// A level's coefficients as the integers of spread.h, two modes per word for the kernels. Rows are
/// padded to whole vectors by repeating the last realization, so that kernels need no remainder
/// loop and the padding does not widen a cloud's box.
class LevelSpread {
 public:
  LevelSpread(const LevelView& level, const DisplacementScale& scale, const PositionRule& rule);

  const ModeScale& mode(std::size_t m) const { return modes_[m]; }
  std::size_t mode_count() const { return modes_.size(); }
  /// An odd last mode is paired with zeros.
  std::size_t pair_count() const { return (modes_.size() + 1) / 2; }
  std::size_t row_length() const { return row_length_; }
  /// c̃ of modes 2·pair (lower half) and 2·pair + 1 (upper half). (pair, row_length)
  const std::int32_t* pairs() const { return pairs_.data(); }

 private:
  std::vector<ModeScale> modes_;
  std::size_t row_length_;
  Array<std::int32_t> pairs_;
};

/// Data of one cell for the spread: M, and its modes as integers. Scratch memory, reused for each
/// cell.
class CellModes {
 public:
  void gather(const LevelView& level, const LevelSpread& spread, const DisplacementScale& scale,
              CellIndex cell);

  /// Input for the kernels; borrows from this object and `spread`.
  SpreadArguments arguments(const LevelSpread& spread) const {
    return {spread.pairs(),  spread.row_length(), static_cast<std::int32_t>(x_.pairs.size()),
            x_.pairs.data(), y_.pairs.data(),     x_.shift,
            y_.shift};
  }
  /// M: displacement by the mean flow, in 2^-20 of a cell.
  Displacement mean() const { return mean_; }
  /// True if every D fits 16 bits.
  bool fits_packed_bins() const {
    return x_.reach <= greatest_packed_bin && y_.reach <= greatest_packed_bin;
  }

 private:
  struct Axis {
    std::vector<std::int32_t> pairs;  ///< m̃, in pairs like the coefficients
    std::int32_t shift = 1;
    std::int64_t reach = 0;  ///< upper bound of |D|

    template <class Factor>
    void gather(const float* mode, std::size_t stride, const LevelSpread& spread,
                const Factor& factor);
  };

  Displacement mean_;
  Axis x_;
  Axis y_;
};

}  // namespace tidewise

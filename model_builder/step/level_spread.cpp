#include "model_builder/step/level_spread.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "model_builder/step/realization_bins.h"

namespace tidewise {
namespace {

/// Stores `value` in the half of `word` that belongs to mode m.
void put_in_pair(std::int32_t& word, std::size_t m, std::int32_t value) {
  const std::uint32_t half = static_cast<std::uint32_t>(value) & 0xffffu;
  word = static_cast<std::int32_t>(static_cast<std::uint32_t>(word) | half << (m % 2 * 16));
}

}  // namespace

std::vector<ModeScale> mode_scales(const LevelView& level, const DisplacementScale& scale,
                                   const PositionRule& rule) {
  const auto count = static_cast<std::size_t>(level.realization_count);
  std::vector<ModeScale> scales;
  for (std::int32_t m = 0; m < level.mode_count; ++m) {
    float max = 0;
    for (const float c : level.coefficient.part(static_cast<std::size_t>(m) * count, count)) {
      max = std::max(max, std::fabs(c));
    }
    scales.push_back(mode_scale(max, scale.bins_x(rule.bin_bits), scale.bins_y(rule.bin_bits)));
  }
  return scales;
}

LevelSpread::LevelSpread(const LevelView& level, const DisplacementScale& scale,
                         const PositionRule& rule)
    : modes_(mode_scales(level, scale, rule)),
      row_length_((static_cast<std::size_t>(level.realization_count) + kernel_block - 1) /
                  kernel_block * kernel_block),
      pairs_(pair_count() * row_length_) {
  const auto count = static_cast<std::size_t>(level.realization_count);
  std::fill(pairs_.begin(), pairs_.end(), 0);
  for (std::size_t m = 0; m < modes_.size(); ++m) {
    const float* from = level.coefficient.data + m * count;
    std::int32_t* row = pairs_.data() + m / 2 * row_length_;
    for (std::size_t r = 0; r < row_length_; ++r) {
      put_in_pair(row[r], m,
                  integer_coefficient(from[std::min(r, count - 1)], modes_[m].coefficient));
    }
  }
}

template <class Factor>
void CellModes::Axis::gather(const float* mode, std::size_t stride, const LevelSpread& spread,
                             const Factor& factor) {
  pairs.assign(spread.pair_count(), 0);
  std::int64_t sum = 0;
  const auto put = [&](std::int32_t m, std::int32_t value) {
    const auto place = static_cast<std::size_t>(m);
    put_in_pair(pairs[place / 2], place, value);
    sum += std::abs(value);
  };
  shift = integer_modes(mode, stride, static_cast<std::int32_t>(spread.mode_count()), factor, put);
  reach = (sum * greatest_coefficient >> shift) + 1;
}

void CellModes::gather(const LevelView& level, const LevelSpread& spread,
                       const DisplacementScale& scale, CellIndex index) {
  const auto cell = static_cast<std::size_t>(index.value);
  const std::size_t stride = level.u_mean.size;
  mean_ = mean_displacement(level, scale, cell);
  x_.gather(level.u_mode.data + cell, stride, spread,
            [&](std::int32_t m) { return spread.mode(static_cast<std::size_t>(m)).x; });
  y_.gather(level.v_mode.data + cell, stride, spread,
            [&](std::int32_t m) { return spread.mode(static_cast<std::size_t>(m)).y; });
}

}  // namespace tidewise

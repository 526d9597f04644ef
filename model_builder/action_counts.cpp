#include "model_builder/action_counts.h"

#include <algorithm>
#include <cmath>

namespace tidewise {
namespace {

/// Landing offsets of all realizations along one axis. velocity, offset: (realization).
Reach offsets_along(float mean, const float* mode, const LevelView& level, float scale,
                    std::int32_t action, std::vector<float>& speed,
                    std::vector<std::int32_t>& offset) {
  const auto realizations = static_cast<std::size_t>(level.realization_count);
  const std::size_t cells = level.u_mean.size;
  const float* coefficient = level.coefficient.data;
  speed.resize(realizations);
  offset.resize(realizations);
  float* const v = speed.data();
  std::int32_t* const to = offset.data();
  float greatest = 0;
#pragma omp simd reduction(max : greatest)
  for (std::size_t r = 0; r < realizations; ++r) {
    v[r] = velocity(mean, mode, cells, coefficient + r, realizations, level.mode_count);
    greatest = std::max(greatest, std::abs(v[r]));
  }
  // Judged before the rounding, which holds for numbers that fit an int32 alone.
  const double reach = double(greatest) * scale + std::abs(double(action));
  if (!(reach < double(greatest_displacement) * one_cell)) return Reach::too_far;
  for (std::size_t r = 0; r < realizations; ++r) {
    to[r] = landing_offset(to_displacement(v[r], scale), action);
  }
  return Reach::allowed;
}

}  // namespace

ActionCounter::ActionCounter(const Grid& grid, const TimeAxis& time,
                             View<const std::uint32_t> weights)
    : scale_(grid, time), weights_(weights) {}

Reach ActionCounter::find_offsets(const LevelView& level, std::size_t cell, Displacement action) {
  const Reach x = offsets_along(level.u_mean[cell], level.u_mode.data + cell, level, scale_.x,
                                action.x, velocity_, dx_);
  if (x == Reach::too_far) return x;
  return offsets_along(level.v_mean[cell], level.v_mode.data + cell, level, scale_.y, action.y,
                       velocity_, dy_);
}

void ActionCounter::collect(std::vector<Landing>& landings) {
  const auto [west, east] = std::minmax_element(dx_.begin(), dx_.end());
  const auto [south, north] = std::minmax_element(dy_.begin(), dy_.end());
  const std::int32_t x_first = *west;
  const std::int32_t y_first = *south;
  const std::int32_t width = *east - x_first + 1;
  const std::int32_t height = *north - y_first + 1;
  window_.assign(static_cast<std::size_t>(width) * static_cast<std::size_t>(height), 0);
  for (std::size_t r = 0; r < dx_.size(); ++r) {
    const std::int32_t place = (dy_[r] - y_first) * width + (dx_[r] - x_first);
    window_[static_cast<std::size_t>(place)] += weights_.empty() ? 1 : weights_[r];
  }
  for (std::int32_t j = 0; j < height; ++j) {
    for (std::int32_t i = 0; i < width; ++i) {
      const std::uint32_t count = window_[static_cast<std::size_t>(j * width + i)];
      if (count != 0) landings.push_back({{x_first + i, y_first + j}, count});
    }
  }
}

Reach ActionCounter::count(const LevelView& level, CellIndex cell, Displacement action,
                           std::vector<Landing>& landings) {
  landings.clear();
  const Reach reach = find_offsets(level, static_cast<std::size_t>(cell.value), action);
  if (reach == Reach::allowed) collect(landings);
  return reach;
}

}  // namespace tidewise

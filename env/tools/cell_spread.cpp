#include "env/tools/cell_spread.h"

#include <algorithm>
#include <cmath>

namespace tidewise {
namespace {

/// `mode`: one cell a step along x; the one after it: one along y.
void fill_shift_modes(const EnvironmentInfo& info, std::ptrdiff_t mode, LevelFields<>& fields) {
  const std::ptrdiff_t cells = info.grid.cell_count();
  const auto cell_a_step = [&](double spacing) {
    return static_cast<float>(spacing / info.time.step);
  };
  float* u = fields.u_mode.data() + mode * cells;
  float* v = fields.v_mode.data() + mode * cells;
  std::fill_n(u, cells, cell_a_step(info.grid.dx));
  std::fill_n(u + cells, cells, 0.0F);
  std::fill_n(v, cells, 0.0F);
  std::fill_n(v + cells, cells, cell_a_step(info.grid.dy));
}

}  // namespace

void spread_over_cell(const EnvironmentInfo& info, std::int32_t parts, LevelFields<>& fields) {
  fill_shift_modes(info, 0, fields);
  const auto shift = [parts](std::int32_t part) {
    return static_cast<float>((part + 0.5) / parts - 0.5);
  };
  const auto count = static_cast<std::size_t>(spread_realizations(parts));
  for (std::int32_t q = 0; q < parts; ++q) {
    for (std::int32_t p = 0; p < parts; ++p) {
      const auto r = static_cast<std::size_t>(q * parts + p);
      fields.coefficient[r] = shift(p);
      fields.coefficient[count + r] = shift(q);
    }
  }
}

void spread_ensemble_over_cell(const EnvironmentInfo& info, LevelFields<>& fields) {
  const std::ptrdiff_t mode = info.mode_count - spread_modes;
  fill_shift_modes(info, mode, fields);
  // 1/g and 1/g², g the root of g³ = g + 1: the plane's counterpart of the golden ratio.
  constexpr double steps[spread_modes] = {0.7548776662466927, 0.5698402909980532};
  const std::ptrdiff_t count = info.realization_count;
  for (std::ptrdiff_t axis = 0; axis < spread_modes; ++axis) {
    float* coefficient = fields.coefficient.data() + (mode + axis) * count;
    for (std::ptrdiff_t r = 0; r < count; ++r) {
      const double place = 0.5 + static_cast<double>(r) * steps[axis];
      coefficient[r] = static_cast<float>(place - std::floor(place) - 0.5);
    }
  }
}

}  // namespace tidewise

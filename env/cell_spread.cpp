#include "env/cell_spread.h"

#include <algorithm>

namespace tidewise {

void spread_over_cell(const EnvironmentInfo& info, std::int32_t parts, LevelFields<>& fields) {
  const std::ptrdiff_t cells = info.grid.cell_count();
  std::fill(fields.u_mode.begin(), fields.u_mode.end(), 0.0F);
  std::fill(fields.v_mode.begin(), fields.v_mode.end(), 0.0F);
  const auto cell_a_step = [&](double spacing) {
    return static_cast<float>(spacing / info.time.step);
  };
  std::fill_n(fields.u_mode.begin(), cells, cell_a_step(info.grid.dx));
  std::fill_n(fields.v_mode.begin() + cells, cells, cell_a_step(info.grid.dy));
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

}  // namespace tidewise

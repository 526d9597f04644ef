#include "env/level_refusal.h"

#include <fmt/format.h>

#include <cmath>
#include <string>

#include "base/error.h"

namespace tidewise {

void LevelRefusal::refuse_mask(View<const std::uint8_t> closed) const {
  for (const auto flag : closed) {
    if (flag <= 1) continue;
    throw InputError(
        fmt::format("{}: variable {} holds {} at time {}; a mask holds 0 (open) and 1 (closed)",
                    path.string(), names.obstacle_mask, flag, level.value));
  }
}

void LevelRefusal::refuse_missing(const std::string& variable, const MissingMarks& missing,
                                  View<const float> field, View<const std::uint8_t> closed) const {
  const auto nx = static_cast<std::size_t>(info.grid.nx);
  for (std::size_t n = 0; n < field.size; ++n) {
    const float value = field[n];
    const std::size_t cell = n % closed.size;
    if (!missing(value) || closed[cell] != 0) continue;
    const std::string what = std::isnan(value)   ? "NaN"
                             : std::isinf(value) ? "infinity"
                                                 : fmt::format("its fill value {}", value);
    throw InputError(fmt::format(
        "{}: variable {} holds {} in the water (time {}, row {}, column {}); give it a "
        "number, or close the cell in {}",
        path.string(), variable, what, level.value,
        static_cast<std::size_t>(info.grid.first_row) + cell / nx, cell % nx, names.obstacle_mask));
  }
}

void LevelRefusal::refuse_coefficient(const MissingMarks& missing,
                                      View<const float> coefficient) const {
  const auto count = static_cast<std::size_t>(info.realization_count);
  for (std::size_t n = 0; n < coefficient.size; ++n) {
    const float value = coefficient[n];
    if (!missing(value)) continue;
    throw InputError(fmt::format(
        "{}: variable {} holds {} (time {}, mode {}, realization {}); leave that realization out",
        path.string(), names.coefficient,
        std::isfinite(value) ? fmt::format("its fill value {}", value) : "NaN or infinity",
        level.value, n / count, n % count));
  }
}

void LevelRefusal::refuse_fields(const LevelFieldViews& fields, const LevelMarks& marks) const {
  refuse_mask(fields.closed);
  refuse_missing(names.u_mean, marks.u_mean, fields.u_mean, fields.closed);
  refuse_missing(names.v_mean, marks.v_mean, fields.v_mean, fields.closed);
  refuse_missing(names.u_mode, marks.u_mode, fields.u_mode, fields.closed);
  refuse_missing(names.v_mode, marks.v_mode, fields.v_mode, fields.closed);
  refuse_missing(names.scalar_mean, marks.scalar, fields.scalar, fields.closed);
  refuse_coefficient(marks.coefficient, fields.coefficient);
}

}  // namespace tidewise

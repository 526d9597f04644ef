#include "env/file/level_refusal.h"

#include <fmt/format.h>

#include <cmath>
#include <string>

#include "base/error.h"
#include "env/error/codes.h"
#include "env/mask.h"

namespace tidewise {

/// The level, row and column of a cell, counted in the whole file.
std::string LevelRefusal::location_of(std::size_t cell) const {
  const auto nx = static_cast<std::size_t>(info.grid.nx);
  return fmt::format("time {}, row {}, column {}", level.value,
                     static_cast<std::size_t>(info.grid.first_row) + cell / nx, cell % nx);
}

template <class T>
void LevelRefusal::refuse_mask(View<const T> masked) const {
  for (std::size_t cell = 0; cell < masked.size; ++cell) {
    const auto flag = static_cast<double>(masked[cell]);
    if (flag == 0 || flag == closed_by_obstacle || flag == beyond_forecast) continue;
    throw input_error(errors::mask_value_invalid, file.path().string(), names.obstacle_mask, flag,
                      location_of(cell));
  }
}
template void LevelRefusal::refuse_mask(View<const std::uint8_t> masked) const;
template void LevelRefusal::refuse_mask(View<const double> masked) const;

/// Describes the missing value at `position` of a variable, which reads as `value`.
std::string LevelRefusal::describe_missing(float value, const std::string& variable,
                                           const Extents& position) const {
  if (std::isnan(value)) return "NaN";
  if (std::isfinite(value)) return fmt::format("its fill value {}", value);
  double stored = value;
  file.read(variable, position, Extents(position.size(), 1), &stored);
  if (std::isinf(stored)) return "infinity";
  return fmt::format("{}, which is beyond float32,", stored);
}

void LevelRefusal::refuse_missing(const std::string& variable, const MissingMarks& is_missing,
                                  View<const float> field, View<const std::uint8_t> masked) const {
  const auto nx = static_cast<std::size_t>(info.grid.nx);
  for (std::size_t n = 0; n < field.size; ++n) {
    const std::size_t cell = n % masked.size;
    if (!is_missing(field[n]) || masked[cell] != 0) continue;
    const auto row = static_cast<std::size_t>(info.grid.first_row) + cell / nx;
    const bool is_mode = variable == names.u_mode || variable == names.v_mode;
    Extents position{row, cell % nx};
    if (is_mode) position.insert(position.begin(), n / masked.size);
    if (profile && variable != names.scalar_mean) position.insert(position.begin(), *profile);
    if (!is_mode || !info.has_fixed_modes) {
      position.insert(position.begin(), static_cast<std::uint64_t>(level.value));
    }
    throw input_error(errors::field_not_finite, file.path().string(), variable,
                      describe_missing(field[n], variable, position), location_of(cell),
                      names.obstacle_mask);
  }
}

void LevelRefusal::refuse_coefficient(const MissingMarks& is_missing,
                                      View<const float> coefficient) const {
  const auto count = static_cast<std::size_t>(info.realization_count);
  for (std::size_t n = 0; n < coefficient.size; ++n) {
    if (!is_missing(coefficient[n])) continue;
    const Extents position{static_cast<std::uint64_t>(level.value), n / count, n % count};
    throw input_error(errors::coefficient_not_finite, file.path().string(), names.coefficient,
                      describe_missing(coefficient[n], names.coefficient, position), position[0],
                      position[1], position[2]);
  }
}

void LevelRefusal::refuse_fields(const LevelFieldViews& fields, const LevelMarks& marks) const {
  refuse_mask<std::uint8_t>(fields.masked);
  refuse_missing(names.u_mean, marks.u_mean, fields.u_mean, fields.masked);
  refuse_missing(names.v_mean, marks.v_mean, fields.v_mean, fields.masked);
  refuse_missing(names.u_mode, marks.u_mode, fields.u_mode, fields.masked);
  refuse_missing(names.v_mode, marks.v_mode, fields.v_mode, fields.masked);
  refuse_missing(names.scalar_mean, marks.scalar, fields.scalar, fields.masked);
  refuse_coefficient(marks.coefficient, fields.coefficient);
}

}  // namespace tidewise

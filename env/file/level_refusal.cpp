#include "env/file/level_refusal.h"

#include <fmt/format.h>

#include <cmath>
#include <string>

#include "base/error.h"
#include "env/error/codes.h"
#include "env/mask.h"

namespace tidewise {

/// The place of a cell, in rows of the file.
std::string LevelRefusal::place_of(std::size_t cell) const {
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
                      place_of(cell));
  }
}
template void LevelRefusal::refuse_mask(View<const std::uint8_t> masked) const;
template void LevelRefusal::refuse_mask(View<const double> masked) const;

/// A name for the missing value at `place` of a variable, which reads as `value`.
std::string LevelRefusal::name_of(float value, const std::string& variable,
                                  const Extents& place) const {
  if (std::isnan(value)) return "NaN";
  if (std::isfinite(value)) return fmt::format("its fill value {}", value);
  double stored = value;
  file.read(variable, place, Extents(place.size(), 1), &stored);
  if (std::isinf(stored)) return "infinity";
  return fmt::format("{}, which is beyond float32,", stored);
}

void LevelRefusal::refuse_missing(const std::string& variable, const MissingMarks& missing,
                                  View<const float> field, View<const std::uint8_t> masked) const {
  const auto nx = static_cast<std::size_t>(info.grid.nx);
  for (std::size_t n = 0; n < field.size; ++n) {
    const std::size_t cell = n % masked.size;
    if (!missing(field[n]) || masked[cell] != 0) continue;
    const auto row = static_cast<std::size_t>(info.grid.first_row) + cell / nx;
    const bool of_modes = variable == names.u_mode || variable == names.v_mode;
    Extents place{row, cell % nx};
    if (of_modes) place.insert(place.begin(), n / masked.size);
    if (profile && variable != names.scalar_mean) place.insert(place.begin(), *profile);
    if (!of_modes || !info.has_fixed_modes) {
      place.insert(place.begin(), static_cast<std::uint64_t>(level.value));
    }
    throw input_error(errors::field_not_finite, file.path().string(), variable,
                      name_of(field[n], variable, place), place_of(cell), names.obstacle_mask);
  }
}

void LevelRefusal::refuse_coefficient(const MissingMarks& missing,
                                      View<const float> coefficient) const {
  const auto count = static_cast<std::size_t>(info.realization_count);
  for (std::size_t n = 0; n < coefficient.size; ++n) {
    if (!missing(coefficient[n])) continue;
    const Extents place{static_cast<std::uint64_t>(level.value), n / count, n % count};
    throw input_error(errors::coefficient_not_finite, file.path().string(), names.coefficient,
                      name_of(coefficient[n], names.coefficient, place), place[0], place[1],
                      place[2]);
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

#include "env/environment_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "base/error.h"
#include "env/environment_layout.h"

namespace tidewise {
namespace {

/// Puts 0 into the given cells of a field of (mode, y, x) or (y, x).
void clear(View<float> field, const std::vector<std::size_t>& cells, std::size_t cell_count) {
  for (std::size_t plane = 0; plane < field.size; plane += cell_count) {
    for (const std::size_t cell : cells) field[plane + cell] = 0;
  }
}

}  // namespace

EnvironmentReader::EnvironmentReader(const std::filesystem::path& path, EnvironmentNames names)
    : file_(Hdf5File::open(path)),
      names_(std::move(names)),
      info_(read_environment_info(file_, names_)),
      u_mean_(find_marks(names_.u_mean)),
      v_mean_(find_marks(names_.v_mean)),
      u_mode_(find_marks(names_.u_mode)),
      v_mode_(find_marks(names_.v_mode)),
      coefficient_(find_marks(names_.coefficient)),
      scalar_(find_marks(names_.scalar_mean)) {}

EnvironmentReader::MissingMarks EnvironmentReader::find_marks(const std::string& variable) const {
  const auto mark = [&](const char* attribute) {
    constexpr double most = std::numeric_limits<float>::max();
    const auto value = file_.number_attribute(variable, attribute);
    const bool fits = value && std::abs(*value) <= most;  // beyond, it reads as infinity
    return fits ? static_cast<float>(*value) : std::numeric_limits<float>::quiet_NaN();
  };
  return {mark("_FillValue"), mark("missing_value")};
}

void EnvironmentReader::refuse_missing(const std::string& variable, float value, TimeLevel k,
                                       std::size_t cell) const {
  const auto nx = static_cast<std::size_t>(info_.grid.nx);
  const std::string what = std::isnan(value)   ? "NaN"
                           : std::isinf(value) ? "infinity"
                                               : fmt::format("its fill value {}", value);
  throw InputError(fmt::format(
      "{}: variable {} holds {} in the water (time {}, row {}, column {}); give it a "
      "number, or close the cell in {}",
      path().string(), variable, what, k.value, cell / nx, cell % nx, names_.obstacle_mask));
}

void EnvironmentReader::mark_dry(const std::string& variable, const MissingMarks& missing,
                                 TimeLevel k, View<const float> field,
                                 View<const std::uint8_t> closed, View<std::uint8_t> dry) const {
  for (std::size_t plane = 0; plane < field.size; plane += closed.size) {
    for (std::size_t cell = 0; cell < closed.size; ++cell) {
      const float value = field[plane + cell];
      if (!missing(value)) continue;
      if (closed[cell] == 0) refuse_missing(variable, value, k, cell);
      dry[cell] = 1;
    }
  }
}

void EnvironmentReader::judge_scalar(TimeLevel k, View<float> scalar,
                                     View<const std::uint8_t> closed) const {
  for (std::size_t cell = 0; cell < scalar.size; ++cell) {
    if (!scalar_(scalar[cell])) continue;
    if (closed[cell] == 0) refuse_missing(names_.scalar_mean, scalar[cell], k, cell);
    scalar[cell] = 0;
  }
}

void EnvironmentReader::judge_coefficients(TimeLevel k, View<const float> coefficient) const {
  const auto count = static_cast<std::size_t>(info_.realization_count);
  for (std::size_t n = 0; n < coefficient.size; ++n) {
    if (!coefficient_(coefficient[n])) continue;
    throw InputError(
        fmt::format("{}: variable {} holds {} (time {}, mode {}, realization {}); "
                    "leave that realization out",
                    path().string(), names_.coefficient,
                    std::isfinite(coefficient[n]) ? fmt::format("its fill value {}", coefficient[n])
                                                  : "NaN or infinity",
                    k.value, n / count, n % count));
  }
}

void EnvironmentReader::read_mask(TimeLevel k, View<std::uint8_t> closed) const {
  if (info_.obstacles == Obstacles::none) {
    std::fill(closed.begin(), closed.end(), std::uint8_t{0});
    return;
  }
  const auto ny = static_cast<std::uint64_t>(info_.grid.ny);
  const auto nx = static_cast<std::uint64_t>(info_.grid.nx);
  const auto level = static_cast<std::uint64_t>(k.value);
  if (info_.obstacles == Obstacles::fixed) {
    file_.read(names_.obstacle_mask, {0, 0}, {ny, nx}, closed.data);
  } else {
    file_.read(names_.obstacle_mask, {level, 0, 0}, {1, ny, nx}, closed.data);
  }
  for (const auto flag : closed) {
    if (flag > 1) {
      throw InputError(
          fmt::format("{}: variable {} holds {} at time {}; a mask holds 0 (open) and 1 (closed)",
                      path().string(), names_.obstacle_mask, flag, k.value));
    }
  }
}

std::vector<std::uint8_t> EnvironmentReader::read_closed(TimeLevel k) const {
  std::vector<std::uint8_t> closed(static_cast<std::size_t>(info_.grid.cell_count()));
  read_mask(k, {closed.data(), closed.size()});
  return closed;
}

void EnvironmentReader::read_level(TimeLevel k, LevelFields<>& fields) const {
  const auto ny = static_cast<std::uint64_t>(info_.grid.ny);
  const auto nx = static_cast<std::uint64_t>(info_.grid.nx);
  const auto modes = static_cast<std::uint64_t>(info_.mode_count);
  const auto realizations = static_cast<std::uint64_t>(info_.realization_count);
  const auto level = static_cast<std::uint64_t>(k.value);

  read_mask(k, fields.closed.view());
  file_.read(names_.u_mean, {level, 0, 0}, {1, ny, nx}, fields.u_mean.data());
  file_.read(names_.v_mean, {level, 0, 0}, {1, ny, nx}, fields.v_mean.data());
  file_.read(names_.u_mode, {level, 0, 0, 0}, {1, modes, ny, nx}, fields.u_mode.data());
  file_.read(names_.v_mode, {level, 0, 0, 0}, {1, modes, ny, nx}, fields.v_mode.data());
  file_.read(names_.coefficient, {level, 0, 0}, {1, modes, realizations},
             fields.coefficient.data());
  if (info_.has_scalar) {
    file_.read(names_.scalar_mean, {level, 0, 0}, {1, ny, nx}, fields.scalar.data());
  }
  const auto closed = std::as_const(fields.closed).view();
  const auto dry = fields.dry.view();
  std::fill(dry.begin(), dry.end(), std::uint8_t{0});
  mark_dry(names_.u_mean, u_mean_, k, std::as_const(fields.u_mean).view(), closed, dry);
  mark_dry(names_.v_mean, v_mean_, k, std::as_const(fields.v_mean).view(), closed, dry);
  mark_dry(names_.u_mode, u_mode_, k, std::as_const(fields.u_mode).view(), closed, dry);
  mark_dry(names_.v_mode, v_mode_, k, std::as_const(fields.v_mode).view(), closed, dry);
  std::vector<std::size_t> dry_cells;
  for (std::size_t cell = 0; cell < dry.size; ++cell) {
    if (dry[cell] != 0) dry_cells.push_back(cell);
  }
  for (auto* field : {&fields.u_mean, &fields.v_mean, &fields.u_mode, &fields.v_mode}) {
    clear(field->view(), dry_cells, dry.size);
  }
  judge_scalar(k, fields.scalar.view(), closed);
  judge_coefficients(k, std::as_const(fields.coefficient).view());
}

std::vector<double> EnvironmentReader::read_longitude() const {
  return file_.read_all<double>(names_.lon);
}

std::vector<double> EnvironmentReader::read_latitude() const {
  return file_.read_all<double>(names_.lat);
}

}  // namespace tidewise

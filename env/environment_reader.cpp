#include "env/environment_reader.h"

#include <fmt/format.h>

#include <cmath>

#include "base/error.h"
#include "env/environment_layout.h"

namespace tidewise {
namespace {

/// Puts 0 in place of NaN in closed cells; refuses it in the water.
void judge_field(const EnvironmentReader& reader, const std::string& variable, TimeLevel k,
                 View<float> field, View<const std::uint8_t> closed) {
  const std::size_t cells = closed.size;
  for (std::size_t n = 0; n < field.size; ++n) {
    if (std::isfinite(field[n])) continue;
    const std::size_t cell = n % cells;
    if (closed[cell] == 0) {
      const auto nx = static_cast<std::size_t>(reader.info().grid.nx);
      throw InputError(
          fmt::format("{}: variable {} holds {} in the water (time {}, row {}, column {}); give it "
                      "a number, or "
                      "close the cell in {}",
                      reader.path().string(), variable, std::isnan(field[n]) ? "NaN" : "infinity",
                      k.value, cell / nx, cell % nx, reader.names().obstacle_mask));
    }
    field[n] = 0;
  }
}

void judge_coefficients(const EnvironmentReader& reader, TimeLevel k, View<const float> values) {
  const auto count = static_cast<std::size_t>(reader.info().realization_count);
  for (std::size_t n = 0; n < values.size; ++n) {
    if (std::isfinite(values[n])) continue;
    throw InputError(fmt::format(
        "{}: variable {} holds NaN or infinity (time {}, mode {}, realization {}); leave "
        "that realization out",
        reader.path().string(), reader.names().coefficient, k.value, n / count, n % count));
  }
}

}  // namespace

EnvironmentReader::EnvironmentReader(const std::filesystem::path& path, EnvironmentNames names)
    : file_(Hdf5File::open(path)),
      names_(std::move(names)),
      info_(read_environment_info(file_, names_)) {}

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
  for (std::size_t cell = 0; cell < fields.dry.size(); ++cell) {
    fields.dry[cell] =
        std::isfinite(fields.u_mean[cell]) && std::isfinite(fields.v_mean[cell]) ? 0 : 1;
  }
  const auto closed = std::as_const(fields.closed).view();
  judge_field(*this, names_.u_mean, k, fields.u_mean.view(), closed);
  judge_field(*this, names_.v_mean, k, fields.v_mean.view(), closed);
  judge_field(*this, names_.u_mode, k, fields.u_mode.view(), closed);
  judge_field(*this, names_.v_mode, k, fields.v_mode.view(), closed);
  judge_field(*this, names_.scalar_mean, k, fields.scalar.view(), closed);
  judge_coefficients(*this, k, std::as_const(fields.coefficient).view());
}

std::vector<double> EnvironmentReader::read_longitude() const {
  return file_.read_all<double>(names_.lon);
}

std::vector<double> EnvironmentReader::read_latitude() const {
  return file_.read_all<double>(names_.lat);
}

}  // namespace tidewise

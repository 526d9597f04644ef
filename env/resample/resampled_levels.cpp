#include "env/resample/resampled_levels.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "env/error/codes.h"
#include "env/mask.h"

namespace tidewise {
namespace {

struct AxisPosition {
  std::int32_t previous = 0;
  double share = 0;  ///< fraction of the distance to the next point
};

/// The position of a distance from the first point [spacings] among `count` ≥ 2 equally spaced
/// points.
AxisPosition position_among(double spacings, std::int32_t count) {
  constexpr double round_off = 1e-9;
  const double nearest_point = std::round(spacings);
  if (std::abs(spacings - nearest_point) < round_off) spacings = nearest_point;
  const double previous = std::clamp(std::floor(spacings), 0.0, count - 2.0);
  return {static_cast<std::int32_t>(previous), std::clamp(spacings - previous, 0.0, 1.0)};
}

std::vector<ingest::Stencil> make_stencils(const Grid& from, const Grid& to) {
  std::vector<ingest::Stencil> stencils;
  stencils.reserve(static_cast<std::size_t>(to.cell_count()));
  for (std::int32_t j = 0; j < to.ny; ++j) {
    const AxisPosition row = position_among((to.y(j) - from.y_first) / from.dy, from.ny);
    for (std::int32_t i = 0; i < to.nx; ++i) {
      const AxisPosition column = position_among((to.x(i) - from.x_first) / from.dx, from.nx);
      const auto first = static_cast<std::uint32_t>(from.cell(column.previous, row.previous).value);
      const auto north = first + static_cast<std::uint32_t>(from.nx);
      stencils.push_back({{first, first + 1, north, north + 1}, column.share, row.share});
    }
  }
  return stencils;
}

std::uint32_t nearest(const ingest::Stencil& stencil) {
  return stencil.point[(stencil.across < 0.5 ? 0U : 1U) + (stencil.along < 0.5 ? 0U : 2U)];
}

}  // namespace

ResampledLevels::ResampledLevels(const EnvironmentReader& reader, const Grid& grid)
    : reader_(reader),
      stencils_(make_stencils(reader.info().grid, grid)),
      regridder_(stencils_, static_cast<std::size_t>(reader.info().grid.cell_count()),
                 ingest::CoastRule::nearest_point) {}

const LevelFields<>& ResampledLevels::fields_at(std::int32_t level) {
  const auto found = fields_.find(level);
  if (found != fields_.end()) return found->second;
  LevelFields<>& fields = fields_.emplace(level, LevelFields<>(reader_.info())).first->second;
  reader_.read_level(TimeLevel(level), fields);
  return fields;
}

/// Makes cells land that are dry at any level of a mixture, so that all its levels have the same
/// water.
void ResampledLevels::close_dry(const std::vector<LevelPart>& flow) {
  std::vector<std::uint8_t> dry(static_cast<std::size_t>(reader_.info().grid.cell_count()), 0);
  for (const LevelPart& part : flow) {
    const auto& level_dry = fields_at(part.level).dry;
    for (std::size_t cell = 0; cell < dry.size(); ++cell) dry[cell] |= level_dry[cell];
  }
  regridder_.set_dry(dry);
}

void ResampledLevels::add_mask(std::int32_t level, std::vector<std::uint8_t>& masked) {
  const auto& level_mask = fields_at(level).masked;
  for (std::size_t cell = 0; cell < masked.size(); ++cell) {
    if (masked[cell] == 0) masked[cell] = level_mask[nearest(stencils_[cell])];
  }
}

std::vector<double> ResampledLevels::at_water(const std::vector<std::size_t>& water, const float* u,
                                              const float* v) const {
  const auto cells = static_cast<std::size_t>(reader_.info().grid.cell_count());
  std::vector<double> values;
  values.reserve(2 * water.size());
  for (const float* component : {u, v}) {
    const std::vector<double> field(component, component + cells);
    for (const std::size_t cell : water) values.push_back(regridder_.value_at(cell, field.data()));
  }
  return values;
}

StackedLevel ResampledLevels::stack(const LevelParts& parts) {
  const EnvironmentInfo& info = reader_.info();
  fields_.erase(fields_.begin(),
                fields_.lower_bound(std::min(
                    {parts.flow.front().level, parts.scalar.front().level, parts.closing.first})));
  close_dry(parts.flow);
  StackedLevel stacked;
  const bool shared = shares_modes(info);
  stacked.level_count = shared ? 1 : parts.flow.size();
  stacked.cells.land = regridder_.land();
  for (std::size_t cell = 0; cell < stacked.cells.land.size(); ++cell) {
    if (stacked.cells.land[cell] == 0) stacked.cells.water.push_back(cell);
  }
  const auto& water = stacked.cells.water;
  if (water.empty()) {
    throw input_error(errors::resample_without_water, reader_.path().string(),
                      parts.flow.front().level, parts.flow.back().level);
  }
  stacked.masked.resize(stacked.cells.land.size());
  for (std::int32_t level = parts.closing.first; level <= parts.closing.last; ++level) {
    add_mask(level, stacked.masked);
  }
  for (std::size_t cell = 0; cell < stacked.masked.size(); ++cell) {
    if (stacked.cells.land[cell] != 0 && stacked.masked[cell] == 0) {
      stacked.masked[cell] = closed_by_obstacle;
    }
  }
  stacked.mean.resize(2 * water.size());
  const auto cells = static_cast<std::size_t>(info.grid.cell_count());
  for (const LevelPart& part : parts.flow) {
    const LevelFields<>& fields = fields_at(part.level);
    const auto mean = at_water(water, fields.u_mean.data(), fields.v_mean.data());
    for (std::size_t n = 0; n < mean.size(); ++n) stacked.mean[n] += part.weight * mean[n];
    const bool first = stacked.coefficient.empty();
    for (std::size_t m = 0; (first || !shared) && m < static_cast<std::size_t>(info.mode_count);
         ++m) {
      const auto mode =
          at_water(water, fields.u_modes().data + m * cells, fields.v_modes().data + m * cells);
      stacked.modes.insert(stacked.modes.end(), mode.begin(), mode.end());
    }
    const std::size_t offset = shared ? 0 : stacked.coefficient.size();
    stacked.coefficient.resize(offset + fields.coefficient.size());
    for (std::size_t n = 0; n < fields.coefficient.size(); ++n) {
      stacked.coefficient[offset + n] += part.weight * fields.coefficient[n];
    }
  }
  if (!info.has_scalar) return stacked;
  stacked.scalar.resize(stacked.cells.land.size());
  for (const LevelPart& part : parts.scalar) {
    const auto& scalar = fields_at(part.level).scalar;
    const std::vector<double> field(scalar.begin(), scalar.end());
    for (const std::size_t cell : water) {
      stacked.scalar[cell] += part.weight * regridder_.value_at(cell, field.data());
    }
  }
  return stacked;
}

std::vector<double> ResampledLevels::degrees_at_cells(const std::vector<double>& degrees) const {
  std::vector<double> values;
  values.reserve(stencils_.size());
  for (const ingest::Stencil& stencil : stencils_) {
    const auto [x, y] = std::pair{stencil.across, stencil.along};
    const double weights[] = {(1 - x) * (1 - y), x * (1 - y), (1 - x) * y, x * y};
    const double first = degrees[nearest(stencil)];
    double value = first;
    for (std::size_t corner = 0; corner < 4; ++corner) {
      // Longitudes may differ by whole turns.
      if (weights[corner] > 0) {
        value += weights[corner] * std::remainder(degrees[stencil.point[corner]] - first, 360.0);
      }
    }
    values.push_back(value);
  }
  return values;
}

}  // namespace tidewise

#include "env/resample/flow_measure.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "env/import/fineness_options.h"

namespace tidewise {
namespace {

using ingest::LevelEnsemble;

constexpr std::int32_t max_realizations = 32;

/// Some realizations of a level, in all cells that have a velocity.
LevelEnsemble sample_level(const EnvironmentReader& reader, std::int32_t k) {
  const EnvironmentInfo& info = reader.info();
  LevelFields<> fields(info);
  reader.read_level(TimeLevel(k), fields);
  const auto cells = static_cast<std::size_t>(info.grid.cell_count());
  const auto count = static_cast<std::size_t>(info.realization_count);
  LevelEnsemble level;
  level.land.assign(fields.dry.begin(), fields.dry.end());
  for (std::size_t cell = 0; cell < cells; ++cell) {
    if (level.land[cell] == 0) level.water.push_back(cell);
  }
  level.member_count = static_cast<std::size_t>(std::min(info.realization_count, max_realizations));
  for (std::size_t n = 0; n < level.member_count; ++n) {
    const std::size_t r = n * count / level.member_count;
    for (const auto& [mean, mode] : {std::pair{fields.u_mean.data(), fields.u_modes().data},
                                     std::pair{fields.v_mean.data(), fields.v_modes().data}}) {
      for (const std::size_t cell : level.water) {
        double velocity = mean[cell];
        for (std::size_t m = 0; m < static_cast<std::size_t>(info.mode_count); ++m) {
          velocity += double(fields.coefficient[m * count + r]) * mode[m * cells + cell];
        }
        level.samples.push_back(velocity);
      }
    }
  }
  return level;
}

/// Geometric mean of both spacings of the cells.
double cells_spacing(const Grid& grid) { return std::sqrt(grid.dx * grid.dy); }

}  // namespace

double points_spacing(const EnvironmentReader& reader) {
  const auto recorded = reader.file().number_attribute("/", ingest::source_spacing_attribute);
  return std::max(recorded.value_or(0), cells_spacing(reader.info().grid));
}

ingest::FlowDetail measure_flow_detail(const EnvironmentReader& reader) {
  const Grid& grid = reader.info().grid;
  const std::int32_t levels = reader.info().time.level_count;
  ingest::DetailGatherer gatherer;
  for (const std::int32_t k : std::set<std::int32_t>{0, levels / 2, levels - 1}) {
    const LevelEnsemble level = sample_level(reader, k);
    std::vector<double> field(level.land.size(), std::numeric_limits<double>::quiet_NaN());
    for (std::size_t plane = 0; plane < 2 * level.member_count; ++plane) {
      for (std::size_t n = 0; n < level.water.size(); ++n) {
        field[level.water[n]] = level.samples[plane * level.water.size() + n];
      }
      gatherer.add(field.data(), static_cast<std::size_t>(grid.ny),
                   static_cast<std::size_t>(grid.nx));
    }
  }
  // One of n cells between two points has the kink, scaled by 1/n
  // (FlowDetail::interpolation_error).
  ingest::FlowDetail detail = gatherer.detail(points_spacing(reader));
  detail.kink *= std::pow(detail.spacing / cells_spacing(grid), 1.5);
  return detail;
}

ingest::FlowChange measure_flow_change(const EnvironmentReader& reader) {
  const EnvironmentInfo& info = reader.info();
  const std::int32_t pairs = info.time.level_count - 1;
  std::vector<double> accelerations;
  for (const std::int32_t k : std::set<std::int32_t>{0, (pairs - 1) / 2, pairs - 1}) {
    ingest::add_accelerations(info.grid, sample_level(reader, k), sample_level(reader, k + 1),
                              info.time.step, accelerations);
  }
  return ingest::flow_change_of(std::move(accelerations), points_spacing(reader));
}

}  // namespace tidewise

#include "support/ocean/environment_part.h"

#include <algorithm>
#include <utility>

#include "env/file/reader.h"
#include "env/file/writer.h"
#include "env/tools/each_profile.h"
#include "env/weights.h"

namespace tidewise::test {
namespace {

/// Copies a range of columns and rows of each (y, x) plane of a field.
template <class T>
void crop(const Grid& grid, const IndexRange& columns, const IndexRange& rows, View<const T> whole,
          T* out) {
  const auto cells = static_cast<std::size_t>(grid.cell_count());
  for (std::size_t plane = 0; plane < whole.size; plane += cells) {
    for (std::int32_t j = rows.first; j <= rows.last; ++j) {
      const T* row =
          whole.data + plane + static_cast<std::size_t>(grid.cell(columns.first, j).value);
      out = std::copy(row, row + columns.count(), out);
    }
  }
}

/// Replaces a level's flow by the mean of its realizations, or by still water.
void make_certain(const EnvironmentInfo& info, PartFlow flow, LevelFields<>& level) {
  const std::size_t cells = level.masked.size();
  const auto realizations = static_cast<std::size_t>(info.realization_count);
  const auto weight_of = [&](std::size_t r) {
    return info.realization_weight.empty() ? 1.0 : info.realization_weight[r];
  };
  for (auto [mean, mode] :
       {std::pair{&level.u_mean, &level.u_mode}, std::pair{&level.v_mean, &level.v_mode}}) {
    if (flow == PartFlow::still) std::fill(mean->begin(), mean->end(), 0.0F);
    for (std::size_t m = 0; flow == PartFlow::mean && m < mode->size() / cells; ++m) {
      double coefficient = 0;
      for (std::size_t r = 0; r < realizations; ++r) {
        coefficient += weight_of(r) * level.coefficient[m * realizations + r];
      }
      coefficient /= count_total(info);
      for (std::size_t cell = 0; cell < cells; ++cell) {
        (*mean)[cell] += static_cast<float>(coefficient * (*mode)[m * cells + cell]);
      }
    }
    std::fill(mode->begin(), mode->end(), 0.0F);
  }
  std::fill(level.coefficient.begin(), level.coefficient.end(), 0.0F);
}

}  // namespace

std::vector<std::int32_t> some_realizations(std::int32_t count, std::int32_t step) {
  std::vector<std::int32_t> realizations;
  for (std::int32_t n = 0; n < count; ++n) realizations.push_back(n * step);
  return realizations;
}

void write_part(const std::filesystem::path& from, const std::filesystem::path& to,
                const EnvironmentPart& part) {
  EnvironmentReader reader(from);
  if (!part.profile.empty()) reader.choose_profiles({part.profile});
  const EnvironmentInfo& info = reader.info();
  const Grid& grid = info.grid;
  const IndexRange columns = part.columns.value_or(IndexRange{0, grid.nx - 1});
  const IndexRange rows = part.rows.value_or(IndexRange{0, grid.ny - 1});
  const IndexRange levels = part.levels.value_or(IndexRange{0, info.time.level_count - 1});

  EnvironmentInfo part_info = info;
  part_info.grid.nx = columns.count();
  part_info.grid.ny = rows.count();
  part_info.grid.x_first = grid.x(columns.first);
  part_info.grid.y_first = grid.y(rows.first);
  part_info.time.level_count = levels.count();
  part_info.time.first = info.time.at(TimeLevel(levels.first));
  std::vector<std::int32_t> realizations = part.realizations;
  if (realizations.empty()) realizations = some_realizations(info.realization_count);
  part_info.realization_count = static_cast<std::int32_t>(realizations.size());
  if (!info.realization_weight.empty()) {
    std::vector<double> weight;
    for (const std::int32_t r : realizations) {
      weight.push_back(info.realization_weight[static_cast<std::size_t>(r)]);
    }
    part_info.realization_weight = to_integer_weights(weight);
  }
  if (part.flow != PartFlow::ensemble) {
    part_info.mode_count = 1;
    part_info.realization_count = 1;
    part_info.realization_weight.clear();
  }
  EnvironmentWriter writer(to, part_info);
  LevelFields<> whole(info);
  LevelFields<> fields(part_info);
  for_each_profile(reader, [&](const EnvironmentReader& source, std::size_t profile) {
    for (std::int32_t k = levels.first; k <= levels.last; ++k) {
      source.read_level(TimeLevel(k), whole);
      if (part.flow != PartFlow::ensemble) make_certain(info, part.flow, whole);
      const auto crop_planes = [&](const auto& field, auto& out) {
        const std::size_t planes = out.size() / fields.masked.size();
        crop(grid, columns, rows, field.view().part(0, planes * whole.masked.size()), out.data());
      };
      crop_planes(whole.u_mean, fields.u_mean);
      crop_planes(whole.v_mean, fields.v_mean);
      crop_planes(whole.u_mode, fields.u_mode);
      crop_planes(whole.v_mode, fields.v_mode);
      crop_planes(whole.scalar, fields.scalar);
      crop_planes(whole.masked, fields.masked);
      crop_planes(whole.dry, fields.dry);
      const std::size_t count =
          fields.coefficient.size() / static_cast<std::size_t>(part_info.mode_count);
      for (std::size_t n = 0; n < fields.coefficient.size(); ++n) {
        const auto r = static_cast<std::size_t>(realizations[n % count]);
        fields.coefficient[n] =
            whole.coefficient[n / count * static_cast<std::size_t>(info.realization_count) + r];
      }
      writer.write_level(TimeLevel(k - levels.first), fields, profile);
    }
  });
  writer.finish();
}

}  // namespace tidewise::test

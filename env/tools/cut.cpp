#include "env/tools/cut.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/file/same_file.h"
#include "env/file/extras.h"
#include "env/file/writer.h"
#include "env/levels/level_stream.h"
#include "env/tools/each_profile.h"

namespace tidewise {
namespace {

/// The window's cells of each (y, x) plane of a field.
template <class T>
void cut_planes(const Grid& grid, View<const T> whole, const CutWindow& window, T* out) {
  const auto cells = static_cast<std::size_t>(grid.cell_count());
  for (std::size_t plane = 0; plane < whole.size; plane += cells) {
    for (std::int32_t j = window.rows.first; j <= window.rows.last; ++j) {
      const T* row =
          whole.data + plane + static_cast<std::size_t>(grid.cell(window.columns.first, j).value);
      out = std::copy(row, row + window.columns.count(), out);
    }
  }
}

std::vector<double> cut_plane(const Grid& grid, const std::vector<double>& whole,
                              const CutWindow& window) {
  std::vector<double> cut(static_cast<std::size_t>(window.columns.count()) *
                          static_cast<std::size_t>(window.rows.count()));
  cut_planes<double>(grid, whole, window, cut.data());
  return cut;
}

std::string cut_comment(const EnvironmentReader& reader, const CutWindow& window) {
  const auto& [columns, rows, levels] = window;
  std::string text = fmt::format("Cut from {}: columns {} to {}, rows {} to {}, levels {} to {}.",
                                 reader.path().filename().string(), columns.first, columns.last,
                                 rows.first, rows.last, levels.first, levels.last);
  if (reader.info().variance_kept) text += " variance_kept is that of the whole.";
  return text;
}

EnvironmentExtras cut_extras(const EnvironmentReader& reader, const CutWindow& window) {
  EnvironmentExtras extras = read_environment_extras(reader);
  cut_levels(extras, window.levels.first, window.levels.last);
  return extras;
}

}  // namespace

EnvironmentInfo cut_info(const EnvironmentInfo& info, const CutWindow& window) {
  EnvironmentInfo cut = info;
  cut.grid.nx = window.columns.count();
  cut.grid.ny = window.rows.count();
  cut.grid.x_first = info.grid.x(window.columns.first);
  cut.grid.y_first = info.grid.y(window.rows.first);
  cut.time.level_count = window.levels.count();
  cut.time.first = info.time.at(TimeLevel(window.levels.first));
  return cut;
}

void cut_level(const EnvironmentInfo& info, const LevelFields<>& whole, const CutWindow& window,
               LevelFields<>& cut) {
  const Grid& grid = info.grid;
  cut_planes(grid, whole.u_mean.view(), window, cut.u_mean.data());
  cut_planes(grid, whole.v_mean.view(), window, cut.v_mean.data());
  cut_planes(grid, whole.u_mode.view(), window, cut.u_mode.data());
  cut_planes(grid, whole.v_mode.view(), window, cut.v_mode.data());
  cut_planes(grid, whole.scalar.view(), window, cut.scalar.data());
  cut_planes(grid, whole.masked.view(), window, cut.masked.data());
  cut_planes(grid, whole.dry.view(), window, cut.dry.data());
  std::copy(whole.coefficient.begin(), whole.coefficient.end(), cut.coefficient.begin());
}

void write_cut(const EnvironmentReader& reader, const CutWindow& window, const DerivedFile& out,
               Progress& progress) {
  refuse_overwriting("--out", out.path, {reader.path()});
  const EnvironmentInfo& info = reader.info();
  EnvironmentInfo cut = cut_info(info, window);
  cut.history = with_line(info.history, out.command);
  cut.comment = with_line(info.comment, cut_comment(reader, window));
  EnvironmentWriter writer(out.path, cut);
  write_environment_extras(writer, cut_extras(reader, window));
  if (info.coordinates == Coordinates::geographic) {
    writer.write_longitude_latitude(cut_plane(info.grid, reader.read_longitude(), window),
                                    cut_plane(info.grid, reader.read_latitude(), window));
  }
  LevelFields<> fields(cut);
  const std::int32_t first = window.levels.first;
  const std::int32_t last = window.levels.last;
  std::int64_t done = 0;
  progress.begin("cutting", window.levels.count() * profile_passes(info), "levels");
  for_each_profile(reader, [&](const EnvironmentReader& own, std::size_t profile) {
    LevelStream stream(own, levels_between(TimeLevel(first), TimeLevel(last)));
    for (std::int32_t k = first; k <= last; ++k) {
      cut_level(info, stream.next(), window, fields);
      writer.write_level(TimeLevel(k - first), fields, profile);
      progress.advance_to(++done);
    }
  });
  progress.end();
  writer.finish();
}

}  // namespace tidewise

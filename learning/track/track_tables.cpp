#include "learning/track/track_tables.h"

#include <fmt/format.h>

#include <cmath>
#include <cstddef>
#include <filesystem>
#include <limits>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/printable.h"
#include "env/units/text.h"
#include "learning/error/codes.h"
#include "learning/track/table/columns.h"
#include "learning/track/table/dives.h"
#include "learning/track/table/gpx_table.h"
#include "learning/track/table/slocum_log.h"
#include "learning/track/table/table.h"
#include "learning/track/track.h"
#include "learning/track/track_rows.h"

namespace tidewise {
namespace {

/// Adds the greatest depth of a Seaglider's dive, which is on another dimension, to its fixes.
void add_dive_depth(const std::vector<TrackTable>& tables, TrackNorth north, TrackTable& fixes) {
  const auto depth_of = [&](const TrackTable& table) {
    return find_track_columns(table, north, {})[TrackRole::depth];
  };
  if (!is_seaglider_dive(fixes) || depth_of(fixes)) return;
  for (const TrackTable& table : tables) {
    const auto column = depth_of(table);
    if (!column) continue;
    TrackColumn deepest = table.columns[*column];
    double max = std::numeric_limits<double>::quiet_NaN();
    for (const double depth : deepest.numbers) max = std::fmax(max, std::abs(depth));
    deepest.numbers.assign(fixes.rows.size(), std::numeric_limits<double>::quiet_NaN());
    deepest.numbers.back() = max;
    fixes.columns.push_back(std::move(deepest));
    return;
  }
}

/// The table of a NetCDF file with the most data on a track. Among equally useful tables it is
/// the shortest, because a glider has fewer fixes than measurements.
TrackTable find_table(const std::filesystem::path& path, TrackNorth north,
                      const TrackOptions& options) {
  std::vector<TrackTable> tables = read_netcdf_track(path, options.trajectory);
  TrackTable* best = nullptr;
  int max = -1;
  for (TrackTable& table : tables) {
    int score = 0;
    try {
      score = usefulness(find_track_columns(table, north, options.columns));
    } catch (const InputError&) {  // the named columns are in another table
      if (tables.size() == 1) throw;
      continue;
    }
    constexpr int duration_known = 5;  // the rows also show the averaging time
    const bool is_better =
        best != nullptr && (score == duration_known ? table.rows.size() > best->rows.size()
                                                    : table.rows.size() < best->rows.size());
    if (best == nullptr || score > max || (score == max && is_better)) {
      best = &table;
      max = score;
    }
  }
  if (best == nullptr) {
    throw input_error(errors::track_columns_not_together, path.string());
  }
  add_dive_depth(tables, north, *best);
  return std::move(*best);
}

/// The table of a NetCDF file with the most data on a track. A file of drifters in rows
/// (trajectory, obs) gives one table for each, unless one is requested. Errors: those of
/// read_netcdf_track().
std::vector<TrackTable> read_netcdf_tables(const std::filesystem::path& path, TrackNorth north,
                                           const TrackOptions& options) {
  constexpr std::size_t max_drifters = 500;  // each needs one pass over the file
  const bool takes_all = options.drifter && !options.trajectory;
  const std::size_t count = takes_all ? count_netcdf_tracks(path) : 1;
  if (count <= 1 || count > max_drifters) {
    std::vector<TrackTable> single;
    single.push_back(find_table(path, north, options));
    return single;
  }
  std::vector<TrackTable> tables;
  TrackOptions drifter = options;
  for (std::size_t n = 0; n < count; ++n) {
    drifter.trajectory = static_cast<std::int32_t>(n);
    tables.push_back(find_table(path, north, drifter));
    tables.back().identity = fmt::format("trajectory {}", n);
  }
  return tables;
}

/// A table with some rows of another.
TrackTable take_rows(const TrackTable& table, const std::vector<std::size_t>& rows) {
  const auto take = [&](const auto& all) {
    auto selected = all;
    selected.clear();
    if (!all.empty()) {
      for (const std::size_t row : rows) selected.push_back(all[row]);
    }
    return selected;
  };
  TrackTable selection{.path = table.path,
                       .columns = {},
                       .rows = take(table.rows),
                       .row_name = table.row_name,
                       .averaged_over = take(table.averaged_over)};
  for (const TrackColumn& column : table.columns) {
    selection.columns.push_back({.name = column.name,
                                 .units = column.units,
                                 .standard_name = column.standard_name,
                                 .calendar = column.calendar,
                                 .ancillary = column.ancillary,
                                 .numbers = take(column.numbers),
                                 .texts = take(column.texts)});
  }
  return selection;
}

/// A table for each of several vehicles that a column distinguishes (TrackRole::identity), in the
/// order of their first rows; else the table itself. Rows without an identity are left out, and a
/// note in the first table counts them.
std::vector<TrackTable> split_by_identity(TrackTable table, const TrackColumns& columns) {
  const auto identity = columns[TrackRole::identity];
  std::vector<TrackTable> tables;
  if (!identity) {
    tables.push_back(std::move(table));
    return tables;
  }
  const TrackColumn& column = table.columns[*identity];
  std::vector<std::pair<std::string, std::vector<std::size_t>>> rows_of;
  std::map<std::string, std::size_t> number_of;
  std::size_t unnamed = 0;
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    const std::string name = text_at(column, row);
    if (name.empty()) {
      ++unnamed;
      continue;
    }
    const auto [entry, is_new] = number_of.emplace(name, rows_of.size());
    if (is_new) rows_of.emplace_back(name, std::vector<std::size_t>());
    rows_of[entry->second].second.push_back(row);
  }
  if (rows_of.size() < 2) {
    tables.push_back(std::move(table));
    return tables;
  }
  for (const auto& [name, rows] : rows_of) {
    tables.push_back(take_rows(table, rows));
    tables.back().identity =
        fmt::format("{} {}", on_one_line(column.name), shortened(on_one_line(name), 40));
  }
  if (unnamed > 0) {
    tables.front().notes.push_back(fmt::format("{} of {} rows have no {}, and were left out",
                                               unnamed, table.rows.size(),
                                               on_one_line(column.name)));
  }
  return tables;
}

/// The requested one of several vehicles; all drifters if none is requested.
std::vector<TrackTable> choose_identity(std::vector<TrackTable> tables,
                                        const TrackOptions& options) {
  const std::size_t last = tables.size() - 1;
  const std::string& path = tables.front().path.string();
  if (options.trajectory) {
    const auto chosen = static_cast<std::size_t>(*options.trajectory);
    if (*options.trajectory >= 0 && chosen <= last) return {std::move(tables[chosen])};
    throw InputError(fmt::format(
        "{}: {}", path,
        error_text(errors::trajectory_option_outside, tables.size(), *options.trajectory, last)));
  }
  if (options.drifter) return tables;
  throw input_error(errors::track_vehicles_several, path, tables.size(), tables.front().identity,
                    tables.back().identity, last);
}

/// The tables of a file's tracks.
std::vector<TrackTable> split_table(TrackTable table, TrackNorth north,
                                    const TrackOptions& options) {
  const TrackColumns columns = find_track_columns(table, north, options.columns);
  std::vector<TrackTable> tables = split_by_identity(std::move(table), columns);
  return tables.size() > 1 ? choose_identity(std::move(tables), options) : tables;
}

}  // namespace

void refuse_trajectory(const std::filesystem::path& path, const TrackOptions& options) {
  if (!options.trajectory) return;
  throw input_error(errors::track_number_of_csv, *options.trajectory, path.string());
}

bool is_track_log(const std::filesystem::path& path) {
  return !is_netcdf(path) && is_slocum_log(read_track_text(path));
}

std::vector<TrackTable> read_track_tables(const std::filesystem::path& path, TrackNorth north,
                                          const TrackOptions& options) {
  if (is_netcdf(path)) {
    std::vector<TrackTable> tables = read_netcdf_tables(path, north, options);
    if (tables.size() > 1) return tables;
    return split_table(std::move(tables.front()), north, options);
  }
  const std::string text = read_track_text(path);
  if (is_slocum_log(text)) {
    refuse_trajectory(path, options);
    return {read_slocum_logs({path})};
  }
  if (trimmed(text).starts_with("behavior_name=")) {
    throw input_error(errors::track_is_goto_file, path.string());
  }
  TrackTable table = is_gpx(text) ? read_gpx_track(path, text) : read_csv_track(path);
  std::vector<TrackTable> tables = split_table(std::move(table), north, options);
  if (tables.front().identity.empty()) refuse_trajectory(path, options);
  return tables;
}

}  // namespace tidewise

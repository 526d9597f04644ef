#include "learning/track/netcdf_tracks.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "base/error.h"
#include "learning/error/codes.h"
#include "learning/track/table/dives.h"

namespace tidewise {
namespace {

/// Gives a Seaglider's fixes the greatest depth of its dive, which stands along another dimension.
void bring_depth(const std::vector<TrackTable>& tables, TrackNorth north, TrackTable& fixes) {
  const auto depth_of = [&](const TrackTable& table) {
    return find_track_columns(table, north, {})[TrackRole::depth];
  };
  if (!is_seaglider_dive(fixes) || depth_of(fixes)) return;
  for (const TrackTable& table : tables) {
    const auto depth = depth_of(table);
    if (!depth) continue;
    TrackColumn deepest = table.columns[*depth];
    double most = std::numeric_limits<double>::quiet_NaN();
    for (const double one : deepest.numbers) most = std::fmax(most, std::abs(one));
    deepest.numbers.assign(fixes.rows.size(), std::numeric_limits<double>::quiet_NaN());
    deepest.numbers.back() = most;
    fixes.columns.push_back(std::move(deepest));
    return;
  }
}

/// The table of a NetCDF file that says most of a track; of equal ones the shortest: a glider's
/// fixes are fewer than what it measured.
TrackTable find_table(const std::filesystem::path& path, TrackNorth north,
                      const TrackOptions& options) {
  std::vector<TrackTable> tables = read_netcdf_track(path, options.trajectory);
  TrackTable* best = nullptr;
  int most = -1;
  for (TrackTable& table : tables) {
    int worth = 0;
    try {
      worth = usefulness(find_track_columns(table, north, options.columns));
    } catch (const InputError&) {  // of another table's columns
      if (tables.size() == 1) throw;
      continue;
    }
    constexpr int tells_duration = 5;  // by as many rows as there are
    const bool is_better =
        best != nullptr && (worth == tells_duration ? table.rows.size() > best->rows.size()
                                                    : table.rows.size() < best->rows.size());
    if (best == nullptr || worth > most || (worth == most && is_better)) {
      best = &table;
      most = worth;
    }
  }
  if (best == nullptr) {
    throw input_error(errors::track_columns_not_together, path.string());
  }
  bring_depth(tables, north, *best);
  return std::move(*best);
}

}  // namespace

std::vector<TrackTable> read_netcdf_tables(const std::filesystem::path& path, TrackNorth north,
                                           const TrackOptions& options) {
  constexpr std::size_t most_drifters = 500;  // each is a reading of the file
  const bool takes_all = options.drifter && !options.trajectory;
  const std::size_t count = takes_all ? count_netcdf_tracks(path) : 1;
  if (count <= 1 || count > most_drifters) {
    std::vector<TrackTable> one;
    one.push_back(find_table(path, north, options));
    return one;
  }
  std::vector<TrackTable> tables;
  TrackOptions one = options;
  for (std::size_t n = 0; n < count; ++n) {
    one.trajectory = static_cast<std::int32_t>(n);
    tables.push_back(find_table(path, north, one));
    tables.back().identity = fmt::format("trajectory {}", n);
  }
  return tables;
}

}  // namespace tidewise

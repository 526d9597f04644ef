#include "learning/track/track_tables.h"

#include <utility>

#include "base/error.h"
#include "env/units/text.h"
#include "learning/error/codes.h"
#include "learning/track/netcdf_tracks.h"
#include "learning/track/table/identities.h"
#include "learning/track/table/slocum_log.h"
#include "learning/track/track_rows.h"

namespace tidewise {
namespace {

/// The one of several vehicles that is asked for; of drifters all, where none is.
std::vector<TrackTable> choose_identity(std::vector<TrackTable> tables,
                                        const TrackOptions& options) {
  const std::size_t last = tables.size() - 1;
  const std::string& path = tables.front().path.string();
  if (options.trajectory) {
    const auto chosen = static_cast<std::size_t>(*options.trajectory);
    if (*options.trajectory >= 0 && chosen <= last) return {std::move(tables[chosen])};
    throw input_error(errors::track_number_outside, path, tables.size(), *options.trajectory, last);
  }
  if (options.drifter) return tables;
  throw input_error(errors::track_vehicles_several, path, tables.size(), tables.front().identity,
                    tables.back().identity, last);
}

/// The tables of a file's tracks.
std::vector<TrackTable> split_table(TrackTable table, const EnvironmentReader& environment,
                                    const TrackOptions& options) {
  const TrackColumns columns = find_track_columns(table, north_of(environment), options.columns);
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

std::vector<TrackTable> read_track_tables(const std::filesystem::path& path,
                                          const EnvironmentReader& environment,
                                          const TrackOptions& options) {
  if (is_netcdf(path)) {
    std::vector<TrackTable> tables = read_netcdf_tables(path, north_of(environment), options);
    if (tables.size() > 1) return tables;
    return split_table(std::move(tables.front()), environment, options);
  }
  const std::string text = read_track_text(path);
  if (is_slocum_log(text)) {
    refuse_trajectory(path, options);
    return {read_slocum_logs({path})};
  }
  if (trimmed(text).starts_with("behavior_name=")) {
    throw input_error(errors::track_is_goto_file, path.string());
  }
  std::vector<TrackTable> tables = split_table(read_csv_track(path), environment, options);
  if (tables.front().identity.empty()) refuse_trajectory(path, options);
  return tables;
}

}  // namespace tidewise

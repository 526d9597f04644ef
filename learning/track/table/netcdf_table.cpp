
#include <cmath>
#include <iterator>
#include <limits>
#include <map>
#include <sstream>

#include "base/error.h"
#include "env/import/file/netcdf/netcdf_file.h"
#include "env/import/file/quality_flags.h"
#include "learning/error/codes.h"
#include "learning/track/table/columns.h"
#include "learning/track/table/flagged_values.h"
#include "learning/track/table/table.h"

namespace tidewise {
namespace {

using ingest::NetcdfDimension;
using ingest::NetcdfFile;

constexpr std::size_t max_values = 32u << 20;

std::vector<std::string> split_words(const std::string& text) {
  std::istringstream stream(text);
  return {std::istream_iterator<std::string>(stream), {}};
}

TrackColumn describe_column(const NetcdfFile& file, const std::string& variable) {
  return {.name = variable,
          .units = file.text(variable, "units"),
          .standard_name = file.text(variable, "standard_name"),
          .calendar = file.text(variable, "calendar"),
          .ancillary = split_words(file.text(variable, "ancillary_variables"))};
}

/// Converts flags with meanings to the numbers of bad_flags: 4 if bad, else 1. Their own numbers
/// may have other meanings, and be bits or letters.
void grade_by_meanings(const NetcdfFile& file, TrackColumn& column) {
  if (!is_quality_flag(column) || file.text(column.name, "flag_meanings").empty()) return;
  const ingest::QualityFlag meaning(file, column.name);
  for (double& number : column.numbers) {
    if (std::isfinite(number)) number = meaning.is_bad(number) ? 4 : 1;
  }
}

TrackTable& table_along(std::map<std::string, TrackTable>& tables, const NetcdfFile& file,
                        const std::string& dimension, std::size_t size) {
  TrackTable& table = tables[dimension];
  if (table.rows.empty()) {
    table.path = file.path();
    table.row_name = "row";
    for (std::size_t n = 0; n < size; ++n) table.rows.push_back(n);
  }
  return table;
}

/// Converts profile numbers, as in trajectories.nc, to names by CF's flag attributes.
void name_profiles(const NetcdfFile& file, TrackColumn& column) {
  if (plain_name(column.name) != "profile") return;
  const std::vector<double> values = file.numbers(column.name, "flag_values");
  std::istringstream meanings(file.text(column.name, "flag_meanings"));
  column.texts.assign(column.numbers.size(), "");
  std::string meaning;
  for (std::size_t flag = 0; flag < values.size() && meanings >> meaning; ++flag) {
    for (std::size_t n = 0; n < column.numbers.size(); ++n) {
      if (column.numbers[n] == values[flag]) column.texts[n] = meaning;
    }
  }
}

/// The requested row of a variable (trajectory, obs).
std::size_t chosen_row(const NetcdfFile& file, const std::string& variable,
                       std::optional<std::int32_t> trajectory, std::size_t count) {
  if (!trajectory && count == 1) return 0;
  if (!trajectory) {
    file.refuse(variable, error_text(errors::trajectory_option_missing, count, count - 1));
  }
  if (*trajectory < 0 || static_cast<std::size_t>(*trajectory) >= count) {
    file.refuse(variable,
                error_text(errors::trajectory_option_outside, count, *trajectory, count - 1));
  }
  return static_cast<std::size_t>(*trajectory);
}

bool has_tracks_in_rows(const std::vector<NetcdfDimension>& dimensions) {
  return dimensions.size() == 2 && dimensions[1].size <= max_values &&
         dimensions[0].name.starts_with("traj");
}

}  // namespace

std::size_t count_netcdf_tracks(const std::filesystem::path& path) {
  const NetcdfFile file(path);
  for (const std::string& variable : file.variables()) {
    const auto dimensions = file.dimensions(variable);
    if (has_tracks_in_rows(dimensions)) return dimensions[0].size;
  }
  return 1;
}

std::vector<TrackTable> read_netcdf_track(const std::filesystem::path& path,
                                          std::optional<std::int32_t> trajectory) {
  const NetcdfFile file(path);
  std::map<std::string, TrackTable> tables;
  std::vector<TrackColumn> scalars;
  for (const std::string& variable : file.variables()) {
    const auto dimensions = file.dimensions(variable);
    std::size_t size = 1;
    for (const NetcdfDimension& dimension : dimensions) size *= dimension.size;
    if (size == 0) continue;
    TrackColumn column = describe_column(file, variable);
    if (size == 1 && dimensions.size() <= 1) {
      column.numbers = file.read_all(variable);
      grade_by_meanings(file, column);
      scalars.push_back(column);
      continue;
    }
    if (dimensions.size() == 1 && size <= max_values) {
      column.numbers = file.read_all(variable);
      name_profiles(file, column);
      grade_by_meanings(file, column);
      table_along(tables, file, dimensions[0].name, size).columns.push_back(std::move(column));
    } else if (has_tracks_in_rows(dimensions)) {
      const std::size_t row = chosen_row(file, variable, trajectory, dimensions[0].size);
      column.numbers = file.read(variable, {row, 0}, {1, dimensions[1].size});
      name_profiles(file, column);
      grade_by_meanings(file, column);
      table_along(tables, file, dimensions[1].name, dimensions[1].size)
          .columns.push_back(std::move(column));
    }
  }
  std::vector<TrackTable> all;
  for (auto& [dimension, table] : tables) {
    // A value without dimension belongs to the last leg: a dive's current, with the fixes around
    // it.
    for (const TrackColumn& scalar : scalars) {
      TrackColumn column = scalar;
      column.numbers.assign(table.rows.size(), column.numbers[0]);
      for (std::size_t n = 0; n + 1 < table.rows.size(); ++n) {
        column.numbers[n] = std::numeric_limits<double>::quiet_NaN();
      }
      table.columns.push_back(std::move(column));
    }
    all.push_back(std::move(table));
  }
  if (!scalars.empty()) {
    all.push_back({.path = path, .columns = std::move(scalars), .rows = {0}, .row_name = "row"});
  }
  if (all.empty()) {
    throw input_error(errors::netcdf_track_without_columns, path.string());
  }
  return all;
}

}  // namespace tidewise

#include "learning/track/table/identities.h"

#include <fmt/format.h>

#include <cstddef>
#include <map>
#include <string>
#include <utility>

#include "base/printable.h"

namespace tidewise {
namespace {

/// A table of some rows of another.
TrackTable take_rows(const TrackTable& table, const std::vector<std::size_t>& rows) {
  const auto take = [&](const auto& all) {
    auto some = all;
    some.clear();
    if (!all.empty()) {
      for (const std::size_t row : rows) some.push_back(all[row]);
    }
    return some;
  };
  TrackTable taken{.path = table.path,
                   .columns = {},
                   .rows = take(table.rows),
                   .row_name = table.row_name,
                   .averaged_over = take(table.averaged_over)};
  for (const TrackColumn& column : table.columns) {
    taken.columns.push_back({.name = column.name,
                             .units = column.units,
                             .standard_name = column.standard_name,
                             .calendar = column.calendar,
                             .ancillary = column.ancillary,
                             .numbers = take(column.numbers),
                             .texts = take(column.texts)});
  }
  return taken;
}

}  // namespace

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
  std::size_t without = 0;
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    const std::string name = text_at(column, row);
    if (name.empty()) {
      ++without;
      continue;
    }
    const auto [at, is_new] = number_of.emplace(name, rows_of.size());
    if (is_new) rows_of.emplace_back(name, std::vector<std::size_t>());
    rows_of[at->second].second.push_back(row);
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
  if (without > 0) {
    tables.front().notes.push_back(fmt::format("{} of {} rows have no {}, and were passed over",
                                               without, table.rows.size(),
                                               on_one_line(column.name)));
  }
  return tables;
}

}  // namespace tidewise

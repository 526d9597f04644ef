#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>

#include "base/error.h"
#include "base/file/text_file.h"
#include "base/parse_number.h"
#include "base/printable.h"
#include "env/units/text.h"
#include "learning/error/codes.h"
#include "learning/track/table/table.h"
#include "learning/track/table/time_column.h"

namespace tidewise {
namespace {

namespace fs = std::filesystem;

constexpr double no_number = std::numeric_limits<double>::quiet_NaN();

[[noreturn]] void refuse_csv(const fs::path& path, std::size_t line, const std::string& why) {
  throw InputError(fmt::format("{}: line {}: {}", path.string(), line, why));
}

std::vector<std::string> split_row(const fs::path& path, std::size_t line, const std::string& row,
                                   char separator) {
  std::vector<std::string> cells(1);
  bool quoted = false;
  for (std::size_t n = 0; n < row.size(); ++n) {
    if (row[n] == '"') {
      if (quoted && n + 1 < row.size() && row[n + 1] == '"') {
        cells.back() += '"';
        ++n;
      } else {
        quoted = !quoted;
      }
    } else if (row[n] == separator && !quoted) {
      cells.emplace_back();
    } else {
      cells.back() += row[n];
    }
  }
  if (quoted) refuse_csv(path, line, error_text(errors::csv_quote_not_closed));
  for (std::string& cell : cells) cell = trimmed(cell);
  return cells;
}

/// The separator, one of , ; and tab, that is most frequent in the line of names.
char find_separator(const std::string& names) {
  char best = ',';
  for (const char candidate : {';', '\t'}) {
    if (std::count(names.begin(), names.end(), candidate) >
        std::count(names.begin(), names.end(), best)) {
      best = candidate;
    }
  }
  return best;
}

double number_of(std::string text, char separator) {
  if (separator != ',' && text.find('.') == std::string::npos) {
    std::replace(text.begin(), text.end(), ',', '.');
  }
  if (text.starts_with('+')) text.erase(0, 1);
  const auto number = parse_number<double>(text);
  return number && std::isfinite(*number) ? *number : no_number;
}

/// True for ERDDAP's second line of units: "UTC,degrees_north,degrees_east,m s-1".
bool is_line_of_units(const std::vector<std::string>& cells, char separator) {
  bool has_units = false;
  for (const std::string& cell : cells) {
    if (!std::isnan(number_of(cell, separator))) return false;
    const std::string lower = lower_case(cell);
    has_units = has_units || lower == "utc" || lower.starts_with("degree") ||
                lower.starts_with("m s-1") || lower == "m/s" ||
                lower.find(" since ") != std::string::npos;
  }
  return has_units;
}

/// Splits "speed [kn]" or "speed (m/s)" into name and units.
void take_units(TrackColumn& column) {
  const std::string& name = column.name;
  if (name.empty() || (name.back() != ']' && name.back() != ')')) return;
  const auto begin = name.rfind(name.back() == ']' ? '[' : '(');
  if (begin == std::string::npos || begin == 0) return;
  column.units = trimmed(name.substr(begin + 1, name.size() - begin - 2));
  column.name = trimmed(name.substr(0, begin));
}

}  // namespace

std::string read_track_text(const fs::path& path) {
  std::string bytes = read_text_file(path, text_format::track);
  if (bytes.starts_with("\xEF\xBB\xBF")) bytes.erase(0, 3);
  if (bytes.find('\0') != std::string::npos) {
    throw input_error(errors::track_neither_text_nor_netcdf, path.string());
  }
  return bytes;
}

TrackTable read_csv_track(const fs::path& path) {
  std::istringstream lines(read_track_text(path));
  TrackTable table;
  table.path = path;
  char separator = ',';
  std::size_t number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    if (line.ends_with('\r')) line.pop_back();
    if (trimmed(line).empty() || line.starts_with('#')) continue;
    if (table.columns.empty()) {
      separator = find_separator(line);
      for (const std::string& name : split_row(path, number, line, separator)) {
        table.columns.push_back({.name = name});
        take_units(table.columns.back());
      }
      continue;
    }
    const auto cells = split_row(path, number, line, separator);
    if (cells.size() != table.columns.size()) {
      refuse_csv(path, number,
                 error_text(errors::csv_row_length, cells.size(), table.columns.size()));
    }
    if (table.rows.empty() && is_line_of_units(cells, separator)) {
      for (std::size_t n = 0; n < cells.size(); ++n) {
        if (table.columns[n].units.empty()) table.columns[n].units = cells[n];
      }
      continue;
    }
    table.rows.push_back(number);
    for (std::size_t n = 0; n < cells.size(); ++n) {
      table.columns[n].numbers.push_back(number_of(cells[n], separator));
      table.columns[n].texts.push_back(cells[n]);
    }
  }
  if (table.columns.empty()) {
    throw input_error(errors::csv_empty, path.string());
  }
  if (table.columns.size() < 2) {
    throw input_error(errors::csv_single_column, path.string(),
                      shortened(on_one_line(table.columns[0].name), 80));
  }
  join_dates_and_clocks(table);
  return table;
}

bool is_netcdf(const fs::path& path) {
  const std::string first = read_beginning(path, 4);
  return first.starts_with("CDF") || first == "\x89HDF";
}

}  // namespace tidewise

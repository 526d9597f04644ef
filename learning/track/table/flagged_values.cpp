#include "learning/track/table/flagged_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/printable.h"
#include "env/import/file/bad_flags.h"
#include "env/units/text.h"

namespace tidewise {
namespace {

using Words = std::vector<std::string>;

Words split_name(const std::string& name) {
  Words words(1);
  for (const char c : name) {
    if (c == '_') {
      words.emplace_back();
    } else {
      words.back() += c;
    }
  }
  return words;
}

template <std::size_t count>
bool is_one_of(std::string_view word, const std::array<std::string_view, count>& words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

/// True for names of a variable's flags: u_qc, qc_u, u_qartod_spike_test for u.
bool is_flag_of(const std::string& flag, const std::string& name) {
  constexpr std::array<std::string_view, 10> words{
      "qc",           "qf",      "flag",  "flags",       "quality",
      "quality_flag", "qc_flag", "qflag", "status_flag", "quality_control_flag"};
  const auto has_word = [&](std::string_view word) {
    const std::string suffix(word);
    return flag == name + "_" + suffix || flag == suffix + "_" + name;
  };
  if (std::any_of(words.begin(), words.end(), has_word)) return true;
  return flag == name + "qc" || flag.starts_with(name + "_qartod") ||
         flag.starts_with("qartod_" + name + "_");
}

/// "depth_avg_curr" for depth_avg_curr_east; empty for a name that is only that of a component.
std::string without_component(const std::string& name) {
  constexpr std::array<std::string_view, 14> components{
      "east", "north", "eastward", "northward", "u",  "v", "vx",
      "vy",   "x",     "y",        "ew",        "ns", "m", "final"};
  std::string stem;
  for (const std::string& word : split_name(name)) {
    if (is_one_of(word, components)) continue;
    stem += (stem.empty() ? "" : "_") + word;
  }
  return stem;
}

/// Names of flags that grade several columns, such as longitude and latitude.
Words common_names(TrackRole role, const std::string& column) {
  if (role == TrackRole::longitude || role == TrackRole::latitude) {
    Words names{"position", "pos", "location", "lonlat", "latlon", "lat_lon", "lon_lat", "fix"};
    if (column.find("gps") != std::string::npos) {
      names.insert(names.end(), {"gps", "position_gps", "gps_position", "gps_fix"});
    }
    return names;
  }
  if (role == TrackRole::u || role == TrackRole::v) {
    Words names{"uv",
                "dac",
                "current",
                "currents",
                "water_velocity",
                "davg_curr",
                "depth_avg_curr",
                "depth_averaged_current",
                "watercurrents"};
    const std::string stem = without_component(column);
    if (!stem.empty()) names.push_back(stem);
    return names;
  }
  return {};
}

/// True for a flag of whole rows that grades this role.
bool is_flag_of_row(TrackRole role, const std::string& flag) {
  constexpr std::array<std::string_view, 5> names{"qc", "qcflag", "qc_flag", "quality_flag",
                                                  "quality_control_flag"};
  const bool is_graded = role == TrackRole::longitude || role == TrackRole::latitude ||
                         role == TrackRole::u || role == TrackRole::v;
  return is_graded && is_one_of(flag, names);
}

/// Indices of all columns with flags of a column.
std::vector<std::size_t> find_flags(const TrackTable& table, TrackRole role,
                                    const TrackColumn& column) {
  const std::string name = plain_name(column.name);
  const Words common = common_names(role, name);
  std::vector<std::size_t> flags;
  for (std::size_t n = 0; n < table.columns.size(); ++n) {
    const TrackColumn& other = table.columns[n];
    if (&other == &column || !is_quality_flag(other)) continue;
    const std::string flag = plain_name(other.name);
    const bool is_listed = std::find(column.ancillary.begin(), column.ancillary.end(),
                                     other.name) != column.ancillary.end();
    const bool is_common =
        std::any_of(common.begin(), common.end(),
                    [&](const std::string& common_name) { return is_flag_of(flag, common_name); });
    if (is_listed || is_common || is_flag_of(flag, name) || is_flag_of_row(role, flag)) {
      flags.push_back(n);
    }
  }
  return flags;
}

/// Words for bad values in hand-made tables: "bad", "probably bad", "FAIL".
bool is_bad_word(const std::string& text) {
  const std::string lower = lower_case(trimmed(text));
  if (lower.starts_with("not") || lower.starts_with("no ")) return false;
  for (const char* word : {"bad", "fail", "suspect", "reject", "invalid", "missing"}) {
    if (lower.find(word) != std::string::npos) return true;
  }
  return false;
}

bool is_bad_in(const TrackColumn& flags, std::size_t row) {
  return ingest::is_bad(flags.numbers[row]) ||
         (!flags.texts.empty() && is_bad_word(flags.texts[row]));
}

/// Each of a Seaglider's three fixes has a flag, given once for the file.
void leave_out_flagged_fixes(TrackTable& table, const TrackColumns& columns) {
  constexpr std::array flags{"gps1_qc", "gps2_qc", "gpse_qc"};
  const auto longitude = columns[TrackRole::longitude];
  if (!longitude || table.rows.size() != flags.size() || !find_column(table, "log_gps_lon")) return;
  for (std::size_t fix = 0; fix < flags.size(); ++fix) {
    const auto flag = find_column(table, flags[fix]);
    if (!flag || !ingest::is_bad(table.columns[*flag].numbers.back())) continue;
    clear_value(table.columns[*longitude], fix);
    table.notes.push_back(fmt::format("fix {} of 3 is flagged bad by {}, and is left out", fix + 1,
                                      on_one_line(table.columns[*flag].name)));
  }
}

}  // namespace

bool is_quality_flag(const TrackColumn& column) {
  const std::string name = plain_name(column.name);
  for (const char* part : {"qc", "flag", "quality", "qartod"}) {
    if (name.find(part) != std::string::npos) return true;
  }
  const std::string standard_name = lower_case(column.standard_name);
  return standard_name.ends_with("status_flag") || standard_name.ends_with("quality_flag");
}

void leave_out_flagged(TrackTable& table, const TrackColumns& columns) {
  std::set<std::size_t> noted;
  for (std::size_t role = 0; role < track_role_count; ++role) {
    const auto at = columns.of_role[role];
    if (!at) continue;
    TrackColumn& column = table.columns[*at];
    for (const std::size_t flags : find_flags(table, static_cast<TrackRole>(role), column)) {
      std::size_t count = 0;
      for (std::size_t row = 0; row < table.rows.size(); ++row) {
        if (!is_bad_in(table.columns[flags], row) || !has_value(column, row)) continue;
        clear_value(column, row);
        ++count;
      }
      if (count == 0 || !noted.insert(flags).second) continue;
      table.notes.push_back(fmt::format("{} of {} flagged bad by {}, and left out",
                                        count == 1 ? "one value" : fmt::format("{} values", count),
                                        on_one_line(column.name) + (count == 1 ? " is" : " are"),
                                        on_one_line(table.columns[flags].name)));
    }
  }
  leave_out_flagged_fixes(table, columns);
}

}  // namespace tidewise

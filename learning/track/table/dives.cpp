#include "learning/track/table/dives.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace tidewise {
namespace {

constexpr double no_number = std::numeric_limits<double>::quiet_NaN();

/// A glider's measurements between two of its fixes.
struct Measurements {
  bool is_some = false;
  std::optional<double> dive = {};
  std::optional<double> depth = {};    // greatest depth
  double seconds = 0;                  // period of the currents
  std::array<double, 5> sums = {};     // sums of u, v and their errors, times seconds
  std::array<double, 5> weights = {};  // seconds for which each of them has a value
};

constexpr std::array averaged_roles{TrackRole::u, TrackRole::v, TrackRole::error,
                                    TrackRole::u_error, TrackRole::v_error};

class DiveGatherer {
 public:
  DiveGatherer(TrackTable& table, const TrackColumns& columns) : table_(table), columns_(columns) {}

  void gather() {
    if (!columns_.has(TrackRole::u) || !columns_.has(TrackRole::v) ||
        !columns_.has(TrackRole::time)) {
      return;
    }
    std::size_t at_fixes = 0;
    std::size_t between_fixes = 0;
    for (std::size_t row = 0; row < table_.rows.size(); ++row) {
      if (has_current(row)) ++(is_fix(row) ? at_fixes : between_fixes);
    }
    // A Slocum reports the last dive's current during the next one.
    if (between_fixes <= at_fixes || plain_name(column(TrackRole::u).name).starts_with("m_"))
      return;
    keep_fixes();
    table_.currents_end_dives = true;
  }

 private:
  TrackColumn& column(TrackRole role) const { return table_.columns[*columns_[role]]; }
  bool has_value_at(TrackRole role, std::size_t row) const {
    return columns_.has(role) && has_value(column(role), row);
  }
  bool has_current(std::size_t row) const {
    return has_value_at(TrackRole::u, row) && has_value_at(TrackRole::v, row);
  }
  bool is_fix(std::size_t row) const {
    return has_value_at(TrackRole::time, row) &&
           ((has_value_at(TrackRole::longitude, row) && has_value_at(TrackRole::latitude, row)) ||
            (has_value_at(TrackRole::x, row) && has_value_at(TrackRole::y, row)));
  }

  void add(Measurements& measurements, std::size_t row) const {
    measurements.is_some = true;
    if (has_value_at(TrackRole::dive, row))
      measurements.dive = column(TrackRole::dive).numbers[row];
    if (has_value_at(TrackRole::depth, row)) {
      measurements.depth = std::max(measurements.depth,
                                    std::optional(std::abs(column(TrackRole::depth).numbers[row])));
    }
    if (!has_current(row)) return;
    // Texts are dates, whose differences are not computed here, so all rows have equal weights.
    const auto& times = column(TrackRole::time).numbers;
    const double since = row > 0 ? times[row] - times[row - 1] : no_number;
    const double weight = since > 0 ? since : std::isnan(since) ? 1 : 1e-9;
    for (std::size_t n = 0; n < averaged_roles.size(); ++n) {
      if (!has_value_at(averaged_roles[n], row)) continue;
      measurements.sums[n] += weight * column(averaged_roles[n]).numbers[row];
      measurements.weights[n] += weight;
    }
  }

  void keep_fixes() {
    std::vector<std::size_t> fixes;
    std::vector<Measurements> before;
    Measurements measurements;
    for (std::size_t row = 0; row < table_.rows.size(); ++row) {
      if (!is_fix(row)) {
        add(measurements, row);
        continue;
      }
      fixes.push_back(row);
      before.push_back(measurements);
      measurements = {};
    }
    for (TrackColumn& table_column : table_.columns) keep_rows(table_column, fixes);
    std::vector<std::size_t> rows;
    for (const std::size_t fix : fixes) rows.push_back(table_.rows[fix]);
    table_.rows = std::move(rows);
    for (std::size_t n = 0; n < fixes.size(); ++n) set(n, before[n]);
  }

  static void keep_rows(TrackColumn& column, const std::vector<std::size_t>& rows) {
    std::vector<double> numbers;
    std::vector<std::string> texts;
    for (const std::size_t row : rows) {
      numbers.push_back(column.numbers[row]);
      if (!column.texts.empty()) texts.push_back(column.texts[row]);
    }
    column.numbers = std::move(numbers);
    column.texts = std::move(texts);
  }

  /// Assigns the measurements of a dive to the fix after it; the first fix of a track has none.
  void set(std::size_t fix, const Measurements& before) {
    for (std::size_t n = 0; n < averaged_roles.size(); ++n) {
      if (!columns_.has(averaged_roles[n])) continue;
      clear_value(column(averaged_roles[n]), fix);
      if (fix > 0 && before.weights[n] > 0) {
        column(averaged_roles[n]).numbers[fix] = before.sums[n] / before.weights[n];
      }
    }
    const auto set_value = [&](TrackRole role, const std::optional<double>& number) {
      if (!columns_.has(role)) return;
      clear_value(column(role), fix);
      if (fix > 0 && number) column(role).numbers[fix] = *number;
    };
    set_value(TrackRole::dive, before.dive);
    set_value(TrackRole::depth, before.depth);
  }

  TrackTable& table_;
  const TrackColumns& columns_;
};

}  // namespace

void gather_dives(TrackTable& table, const TrackColumns& columns) {
  DiveGatherer(table, columns).gather();
}

bool is_seaglider_dive(const TrackTable& table) {
  return find_column(table, "log_gps_time").has_value();
}

std::string file_kind_of(const TrackTable& table) {
  if (is_seaglider_dive(table)) return "a Seaglider's dive file";
  if (find_column(table, "davg_curr_east")) return "an OG1 file";
  if (find_column(table, "time_uv")) return "a file of a data assembly centre (NGDAC)";
  return table.file_kind;
}

}  // namespace tidewise

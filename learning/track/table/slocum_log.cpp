#include "learning/track/table/slocum_log.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <sstream>
#include <string_view>

#include "base/error.h"
#include "base/parse_number.h"
#include "base/printable.h"
#include "env/units/calendar_time.h"
#include "env/units/text.h"
#include "learning/error/codes.h"

namespace tidewise {
namespace {

constexpr double min_dive = 600;   // [s] without a fix
constexpr double max_delay = 600;  // [s]: the first fix may come after the current is computed
constexpr double same_fix = 5;     // [s]: clocks have whole seconds, ages thousandths
constexpr double no_number = std::numeric_limits<double>::quiet_NaN();

struct Fix {
  double time = 0;  // [s since 1970]
  double longitude = 0;
  double latitude = 0;
  std::optional<double> segment = {};
};

/// A current that the glider reported.
struct Report {
  double time = 0;  // at which it was computed
  double u = 0;
  double v = 0;
  bool is_final = false;  // m_final_water_vx
};

/// Numbers and words after a text in a line.
std::vector<std::string> words_after(std::string_view line, std::string_view text) {
  const auto at = line.find(text);
  if (at == std::string_view::npos) return {};
  std::istringstream rest{std::string(line.substr(at + text.size()))};
  std::vector<std::string> words;
  for (std::string word; rest >> word;) words.push_back(word);
  return words;
}

std::optional<double> number_of(std::string text) {
  if (text.starts_with('+')) text.erase(0, 1);
  const auto number = parse_number<double>(text);
  return number && std::isfinite(*number) ? number : std::nullopt;
}

/// Converts 4652.31 to 46° 52.31'; nullopt for invalid angles, such as 69696969.
std::optional<double> degrees_of(const std::string& text, const std::string& side, double max) {
  const auto number = number_of(text);
  if (!number) return std::nullopt;
  const double whole_degrees = std::trunc(*number / 100);
  const double degrees = whole_degrees + (*number - 100 * whole_degrees) / 60;
  if (std::abs(degrees) > max) return std::nullopt;
  const bool is_other_side = side == "S" || side == "W";
  return is_other_side ? -std::abs(degrees) : degrees;
}

class LogReader {
 public:
  void read(const std::filesystem::path& path) {
    path_ = path;
    current_time_.reset();
    segment_.reset();
    std::istringstream lines(read_track_text(path));
    line_ = 0;
    for (std::string line; std::getline(lines, line);) {
      ++line_;
      parse_line(line);
    }
  }

  TrackTable table(const std::filesystem::path& path, std::size_t files) {
    if (fixes_.empty()) {
      throw input_error(errors::log_without_fix, path.string());
    }
    remove_repeated_fixes();
    TrackTable table;
    table.path = path;
    table.row_name = "fix";
    table.file_kind = files == 1 ? "a Slocum's surface log"
                                 : fmt::format("{} surface logs of a Slocum, read as one", files);
    table.currents_end_dives = true;
    const auto add = [&](const char* name, const char* units) {
      table.columns.push_back({.name = name, .units = units});
      table.columns.back().numbers.assign(fixes_.size(), no_number);
      return table.columns.size() - 1;
    };
    const auto time = add("GPS time", "seconds since 1970-01-01");
    const auto longitude = add("m_gps_lon", "degrees");
    const auto latitude = add("m_gps_lat", "degrees");
    const auto segment = add("dive", "");
    for (std::size_t n = 0; n < fixes_.size(); ++n) {
      table.rows.push_back(n + 1);
      table.columns[time].numbers[n] = fixes_[n].time;
      table.columns[longitude].numbers[n] = fixes_[n].longitude;
      table.columns[latitude].numbers[n] = fixes_[n].latitude;
      if (fixes_[n].segment && ends_dive(n)) table.columns[segment].numbers[n] = *fixes_[n].segment;
    }
    if (reports_.empty()) return table;
    const bool any_final = std::any_of(reports_.begin(), reports_.end(),
                                       [](const Report& report) { return report.is_final; });
    const auto u = add(any_final ? "m_final_water_vx" : "m_water_vx", "m/s");
    const auto v = add(any_final ? "m_final_water_vy" : "m_water_vy", "m/s");
    std::stable_sort(reports_.begin(), reports_.end(), [](const Report& a, const Report& b) {
      return a.is_final != b.is_final ? b.is_final : a.time < b.time;
    });
    for (const Report& report : reports_) {  // the last one of a dive counts
      const auto fix = fix_after_dive(report);
      if (!fix) continue;
      table.columns[u].numbers[*fix] = report.u;
      table.columns[v].numbers[*fix] = report.v;
    }
    return table;
  }

 private:
  [[noreturn]] void refuse(const std::string& why) const {
    throw InputError(fmt::format("{}: line {}: {}", path_.string(), line_, why));
  }

  void parse_line(const std::string& line) {
    if (const auto words = words_after(line, "Vehicle Name:"); !words.empty()) {
      if (!vehicle_.empty() && vehicle_ != words[0]) {
        refuse(
            error_text(errors::log_of_two_vehicles, on_one_line(words[0]), on_one_line(vehicle_)));
      }
      vehicle_ = words[0];
    }
    if (const auto words = words_after(line, "MissionNum:"); !words.empty()) take_segment(words);
    if (const auto words = words_after(line, "Curr Time:"); words.size() >= 5) take_time(words);
    if (const auto words = words_after(line, "GPS Location:"); !words.empty()) take_fix(words);
    for (const bool is_final : {false, true}) {
      const std::string sensor = is_final ? "sensor:m_final_water_v" : "sensor:m_water_v";
      take_component(line, sensor + "x(m/s)=", is_final, east_);
      if (take_component(line, sensor + "y(m/s)=", is_final, north_)) take_current(is_final);
    }
  }

  /// "ru29-2013-256-0-8 (0123.0008)": the segment's number ends the first word.
  void take_segment(const std::vector<std::string>& words) {
    const auto dash = words[0].rfind('-');
    if (dash != std::string::npos) segment_ = number_of(words[0].substr(dash + 1));
  }

  /// Parses "Sat Mar 28 20:40:38 2026 MT: 169339".
  void take_time(const std::vector<std::string>& words) {
    constexpr std::array months{"jan", "feb", "mar", "apr", "may", "jun",
                                "jul", "aug", "sep", "oct", "nov", "dec"};
    const auto month = std::find(months.begin(), months.end(), lower_case(words[1]));
    const auto day = number_of(words[2]);
    if (month == months.end() || !day) {
      refuse(error_text(errors::log_time_invalid));
    }
    try {
      current_time_ = parse_iso_time(fmt::format("{}-{:02}-{:02.0f}T{}Z", words[4],
                                                 month - months.begin() + 1, *day, words[3]));
    } catch (const InputError& error) {
      refuse(fmt::format("\"Curr Time:\": {}", error.what()));
    }
    east_.reset();
    north_.reset();
  }

  /// Parses "3310.021 N -11741.800 E measured 64.746 secs ago"; an old fix is repeated many times.
  void take_fix(const std::vector<std::string>& words) {
    if (words.size() < 6 || !current_time_) return;
    const auto latitude = degrees_of(words[0], words[1], 90);
    const auto longitude = degrees_of(words[2], words[3], 360);
    const auto age = number_of(words[5]);
    if (!latitude || !longitude || !age || *age < 0 || *age > 1e7) return;
    fixes_.push_back({*current_time_ - *age, *longitude, *latitude, segment_});
  }

  struct Component {
    double value = 0;
    double age = 0;
    bool is_final = false;
  };

  static bool take_component(const std::string& line, const std::string& sensor, bool is_final,
                             std::optional<Component>& component) {
    const auto words = words_after(line, sensor);
    if (words.size() < 2) return false;
    const auto value = number_of(words[0]);
    const auto age = number_of(words[1]);
    if (!value || !age || *age < 0 || *age > 1e7) return false;  // 1e+308: never computed
    component = Component{*value, *age, is_final};
    return true;
  }

  void take_current(bool is_final) {
    constexpr double max_age_difference = 60;  // [s]
    if (!current_time_ || !east_ || east_->is_final != is_final ||
        std::abs(east_->age - north_->age) > max_age_difference) {
      return;
    }
    reports_.push_back({*current_time_ - north_->age, east_->value, north_->value, is_final});
  }

  void remove_repeated_fixes() {
    std::stable_sort(fixes_.begin(), fixes_.end(),
                     [](const Fix& a, const Fix& b) { return a.time < b.time; });
    std::vector<Fix> unique_fixes;
    for (const Fix& fix : fixes_) {
      const bool is_same = !unique_fixes.empty() &&
                           fix.time - unique_fixes.back().time <= same_fix &&
                           fix.longitude == unique_fixes.back().longitude &&
                           fix.latitude == unique_fixes.back().latitude;
      if (!is_same) unique_fixes.push_back(fix);
    }
    fixes_ = std::move(unique_fixes);
  }

  bool ends_dive(std::size_t fix) const {
    return fix > 0 && fixes_[fix].time - fixes_[fix - 1].time >= min_dive;
  }

  /// The fix that ended the dive of a reported current.
  std::optional<std::size_t> fix_after_dive(const Report& report) const {
    for (std::size_t n = fixes_.size(); n-- > 1;) {
      if (fixes_[n].time <= report.time + max_delay && ends_dive(n)) return n;
    }
    return std::nullopt;
  }

  std::filesystem::path path_;
  std::size_t line_ = 0;
  std::string vehicle_;
  std::optional<double> current_time_;  // [s since 1970]
  std::optional<double> segment_;       // segment of the mission
  std::optional<Component> east_;
  std::optional<Component> north_;
  std::vector<Fix> fixes_;
  std::vector<Report> reports_;
};

}  // namespace

bool is_slocum_log(const std::string& text) {
  return text.find("Curr Time:") != std::string::npos &&
         text.find("GPS Location:") != std::string::npos;
}

TrackTable read_slocum_logs(const std::vector<std::filesystem::path>& paths) {
  LogReader reader;
  for (const auto& path : paths) reader.read(path);
  return reader.table(*std::min_element(paths.begin(), paths.end()), paths.size());
}

}  // namespace tidewise

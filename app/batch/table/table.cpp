#include "app/batch/table/table.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <limits>
#include <tuple>

#include "base/parse_number.h"

namespace tidewise {
namespace {

using Json = nlohmann::ordered_json;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// Keys that always have a column.
constexpr std::array keys_with_columns{
    "environment.file",      "mission.objective", "mission.start",   "mission.target",
    "mission.target_radius", "mission.departure", "mission.horizon", "vehicle.speeds",
    "vehicle.headings",      "planner.engine"};

/// The value at a path of keys and numbers of elements ("/expected/time"); null if there is none.
Json at(const Json& json, const std::string& pointer) {
  const Json::json_pointer path(pointer);
  return json.contains(path) ? json.at(path) : Json(nullptr);
}

double number_or_nan(const Json& value) { return value.is_number() ? value.get<double>() : nan; }

class TableMaker {
 public:
  TableMaker(const std::vector<BatchMission>& missions, const std::vector<BatchRow>& rows)
      : missions_(missions), rows_(rows) {}

  std::vector<TableColumn> make() {
    add_identity();
    add_inputs();
    add_varied();
    add_results();
    add_warnings();
    add_timings();
    return std::move(table_);
  }

 private:
  /// Adds a column with a value for each mission and its row.
  template <class Values, class Value>
  void add(std::string name, std::string units, std::string long_name, const Value& value) {
    Values values;
    for (std::size_t i = 0; i < missions_.size(); ++i) {
      values.push_back(value(missions_[i], rows_[i]));
    }
    table_.push_back({std::move(name), std::move(units), std::move(long_name), std::move(values)});
  }
  /// Adds a column with a number of summary.json.
  void add_result(std::string name, std::string units, std::string long_name,
                  const std::string& pointer) {
    add<TableColumn::Numbers>(std::move(name), std::move(units), std::move(long_name),
                              [&](const BatchMission&, const BatchRow& row) {
                                return number_or_nan(at(row.summary, pointer));
                              });
  }

  /// The unit of a kind of quantity if all finished missions agree on it; else empty.
  std::string unit(const std::string& kind) const {
    std::string common_unit;
    for (const auto& row : rows_) {
      if (row.status != MissionStatus::done) continue;
      const Json unit = at(row.summary, "/batch/units/" + kind);
      if (!unit.is_string()) return "";  // written by an earlier version
      if (!common_unit.empty() && common_unit != unit.get<std::string>()) return "";
      common_unit = unit.get<std::string>();
    }
    return common_unit;
  }

  void add_identity() {
    using Mission = BatchMission;
    using Row = BatchRow;
    add<TableColumn::Integers>("mission", "", "number of the mission",
                               [](const Mission& m, const Row&) { return std::int32_t(m.index); });
    add<TableColumn::Texts>("name", "", "what sets the mission apart",
                            [](const Mission& m, const Row&) { return m.name; });
    add<TableColumn::Texts>("directory", "", "folder of the mission in the batch's",
                            [](const Mission& m, const Row&) { return m.directory; });
    add<TableColumn::Flags>(
        "status", "", "how the mission ended",
        [](const Mission&, const Row& r) { return static_cast<std::uint8_t>(r.status); });
    add<TableColumn::Texts>("message", "", "why the mission failed",
                            [](const Mission&, const Row& r) { return r.message; });
  }

  void add_place(const char* which, int element, const char* name, const char* long_name) {
    add<TableColumn::Numbers>(
        name, unit("length"), long_name, [&](const BatchMission& mission, const BatchRow& row) {
          const Json resolved = at(row.summary, fmt::format("/batch/{}/{}", which, element));
          if (resolved.is_number()) return resolved.get<double>();
          const bool start = std::string_view(which) == "start";
          const Position& requested =
              start ? mission.request.goal.start : mission.request.goal.target;
          const bool one_point = requested.others.empty() && requested.polygons.empty();
          if (requested.frame != Position::Frame::plane || !one_point) return nan;
          return element == 0 ? requested.first : requested.second;
        });
  }

  /// True if a mission has this quantity. Others, such as longitudes in a plane, get no column.
  bool has_values(const std::string& pointer) const {
    return std::any_of(rows_.begin(), rows_.end(),
                       [&](const BatchRow& row) { return !at(row.summary, pointer).is_null(); });
  }
  void add_any(const std::string& name, const char* units, const std::string& long_name,
               const std::string& pointer) {
    if (has_values(pointer)) add_result(name, units, long_name, pointer);
  }
  void add_date(const char* name, const char* long_name, const std::string& pointer) {
    if (!has_values(pointer)) return;
    add<TableColumn::Texts>(name, "", long_name, [&](const BatchMission&, const BatchRow& row) {
      const Json date = at(row.summary, pointer);
      return date.is_string() ? date.get<std::string>() : std::string();
    });
  }

  void add_inputs() {
    using Mission = BatchMission;
    using Row = BatchRow;
    add<TableColumn::Texts>(
        "environment", "", "file of the environment",
        [](const Mission& m, const Row&) { return m.request.environment.string(); });
    add<TableColumn::Texts>("uncertainty", "", "what the spread of its realizations stands for",
                            [](const Mission&, const Row& row) {
                              const Json word = at(row.summary, "/uncertainty");
                              return word.is_string() ? word.get<std::string>() : std::string();
                            });
    add<TableColumn::Texts>("objective", "", "what the mission optimises",
                            [](const Mission& m, const Row&) {
                              return std::string(to_string(m.request.goal.objective));
                            });
    add_place("start", 0, "start_x", "x of the start");
    add_place("start", 1, "start_y", "y of the start");
    add_place("target", 0, "target_x", "x of the target");
    add_place("target", 1, "target_y", "y of the target");
    for (const std::string which : {"start", "target"}) {
      add_any(which + "_lon", "degrees_east", "longitude of the " + which,
              fmt::format("/{}/lon", which));
      add_any(which + "_lat", "degrees_north", "latitude of the " + which,
              fmt::format("/{}/lat", which));
    }
    add<TableColumn::Numbers>("target_radius", unit("length"), "radius of the target",
                              [](const Mission& m, const Row& row) {
                                const Json resolved = at(row.summary, "/target/radius");
                                if (resolved.is_number()) return resolved.get<double>();
                                return at(row.summary, "/target").is_object()
                                           ? 0.0
                                           : m.request.goal.target_radius.value_or(nan);
                              });
    add<TableColumn::Numbers>("departure", "", "time level of the departure",
                              [](const Mission& m, const Row& row) {
                                const Json resolved = at(row.summary, "/departure/level");
                                if (resolved.is_number()) return resolved.get<double>();
                                const Moment& requested = m.request.goal.departure;
                                return requested.date ? nan : double(requested.level);
                              });
    add_date("departure_date", "date of the departure, UTC", "/departure/date");
    add_date("deadline_date", "date at which time is up, UTC", "/deadline/date");
    add<TableColumn::Numbers>("horizon", "", "steps from the departure until time is up",
                              [](const Mission& m, const Row& row) {
                                const Json resolved = at(row.summary, "/mission/mission/horizon");
                                if (resolved.is_number()) return resolved.get<double>();
                                const auto& requested = m.request.goal.horizon;
                                return requested && !requested->seconds ? double(requested->steps)
                                                                        : nan;
                              });
    add<TableColumn::Texts>("speeds", "", "speeds through the water, in the environment's units",
                            [](const Mission& m, const Row&) {
                              return fmt::format("{}", fmt::join(m.request.vehicle.speeds, " "));
                            });
    add<TableColumn::Integers>(
        "headings", "", "headings of each speed",
        [](const Mission& m, const Row&) { return m.request.vehicle.headings; });
    add<TableColumn::Texts>("engine", "", "how counts were got", [](const Mission& m, const Row&) {
      return std::string(to_string(m.request.planner.engine));
    });
  }

  /// Adds columns of further keys that the batch varies: numbers if all values are, else texts.
  void add_varied() {
    for (std::size_t k = 0; k < missions_.front().varied.size(); ++k) {
      const std::string& key = missions_.front().varied[k].first;
      if (std::find(keys_with_columns.begin(), keys_with_columns.end(), std::string_view(key)) !=
          keys_with_columns.end()) {
        continue;
      }
      std::string name = key;
      std::replace(name.begin(), name.end(), '.', '_');
      const std::string long_name = "the mission's " + key;
      const bool numbers = std::all_of(missions_.begin(), missions_.end(), [&](const auto& m) {
        return m.varied[k].second.empty() || parse_number<double>(m.varied[k].second);
      });
      if (numbers) {
        add<TableColumn::Numbers>(name, "", long_name, [&](const BatchMission& m, const BatchRow&) {
          return parse_number<double>(m.varied[k].second).value_or(nan);
        });
      } else {
        add<TableColumn::Texts>(name, "", long_name, [&](const BatchMission& m, const BatchRow&) {
          return m.varied[k].second;
        });
      }
    }
  }

  void add_results() {
    const std::string time = unit("time");
    const std::string energy = unit("energy");
    add_result("value_at_start", "", "expected total reward of the policy", "/value_at_start");
    add_result("expected_arrival_probability", "1", "expected probability of arrival",
               "/expected/arrival_probability");
    add_result("expected_time", time, "expected time to the target, given arrival",
               "/expected/time");
    add_result("expected_energy", energy, "expected energy spent, given arrival",
               "/expected/energy");
    add_result("expected_net_energy", energy, "expected energy spent less harvested, given arrival",
               "/expected/net_energy");
    add_result("rollout_trajectories", "", "flights of the rollout", "/rollout/trajectories");
    add_result("rollout_arrival_rate", "1", "share of the flights that arrived",
               "/rollout/arrival_rate");
    for (const char* quantity : {"time", "energy", "net_energy"}) {
      for (const char* statistic : {"mean", "p05", "p50", "p95"}) {
        add_result(fmt::format("rollout_{}_{}", quantity, statistic),
                   std::string_view(quantity) == "time" ? time : energy,
                   fmt::format("{} of the {} of flights that arrived", statistic, quantity),
                   fmt::format("/rollout/{}/{}", quantity, statistic));
      }
    }
    const std::string length = unit("length");
    for (const auto& [name, units, long_name] :
         {std::tuple{"within", "1", "share of the time within the target"},
          std::tuple{"distance", length.c_str(),
                     "distance from what is followed, a mean over time"}}) {
      add_any(fmt::format("expected_{}", name), units, fmt::format("expected {}", long_name),
              fmt::format("/expected/{}", name));
      for (const char* statistic : {"mean", "p10", "p50", "p90"}) {
        add_any(fmt::format("rollout_{}_{}", name, statistic), units,
                fmt::format("{} of the flights: {}", statistic, long_name),
                fmt::format("/rollout/{}/{}", name, statistic));
      }
    }
  }

  /// The warnings of summary.json in one line.
  void add_warnings() {
    add<TableColumn::Texts>("warnings", "", "what the mission's run warned of",
                            [](const BatchMission&, const BatchRow& row) {
                              return fmt::format("{}", fmt::join(warnings_of(row), "; "));
                            });
  }

  void add_timings() {
    add<TableColumn::Texts>("device", "", "what the mission was computed on",
                            [](const BatchMission&, const BatchRow& row) {
                              const Json device = at(row.summary, "/device");
                              return device.is_string() ? device.get<std::string>() : std::string();
                            });
    add_result("pass_missions", "", "missions that shared the counting pass",
               "/batch/pass/missions");
    add_result("pass_seconds", "s", "seconds of the counting pass and its backups",
               "/batch/pass/seconds");
    for (const char* part : {"prepare", "read", "solve", "evaluate", "rollout", "write", "total"}) {
      add_result(fmt::format("seconds_{}", part), "s",
                 fmt::format("the mission's share of the seconds, {}", part),
                 fmt::format("/seconds/{}", part));
    }
  }

  const std::vector<BatchMission>& missions_;
  const std::vector<BatchRow>& rows_;
  std::vector<TableColumn> table_;
};

}  // namespace

std::vector<std::string> warnings_of(const BatchRow& row) {
  std::vector<std::string> texts;
  for (const Json& warning : at(row.summary, "/warnings")) {
    if (warning.is_string()) texts.push_back(warning.get<std::string>());
  }
  return texts;
}

double seconds_of(const BatchRow& row, const std::string& part) {
  return number_or_nan(at(row.summary, "/seconds/" + part));
}

std::vector<TableColumn> make_table(const std::vector<BatchMission>& missions,
                                    const std::vector<BatchRow>& rows) {
  return TableMaker(missions, rows).make();
}

}  // namespace tidewise

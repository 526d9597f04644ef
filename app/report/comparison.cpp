#include "app/report/comparison.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>

#include "app/report/environment.h"
#include "app/report/place_words.h"
#include "env/levels/level_dates.h"

namespace tidewise {
namespace {

using Json = nlohmann::ordered_json;

constexpr double degrees = 180 / std::numbers::pi;
constexpr std::size_t column_width = 14;
constexpr std::size_t label_width = 26;

/// A number of a summary by its path; null where it is not there.
Json look_up(const Json& summary, const std::vector<std::string>& path) {
  const Json* at = &summary;
  for (const std::string& key : path) {
    if (!at->is_object() || !at->contains(key)) return {};
    at = &(*at)[key];
  }
  return *at;
}

std::string figure(double value, double factor = 1) {
  return std::isfinite(value) ? fmt::format("{:.6g}", value * factor) : "none";
}

/// What is left of a difference of two numbers but for rounding.
double without_rounding(double difference, double a, double b) {
  constexpr double rounding = 1e-12;
  return std::abs(difference) <= rounding * std::max(std::abs(a), std::abs(b)) ? 0 : difference;
}

/// "label    a    b    c\n"
std::string table_row(const std::string& label, const std::vector<std::string>& cells) {
  std::string row = fmt::format("{:<{}}", label, label_width);
  for (const std::string& cell : cells) row += fmt::format("{:>{}}", cell, column_width);
  return row + "\n";
}

struct SummaryRow {
  const char* label;
  std::vector<std::string> path;
  double factor = 1;
};

const std::vector<SummaryRow>& summary_rows() {
  static const std::vector<SummaryRow> rows{
      {"value at start", {"value_at_start"}},
      {"expected arrival [%]", {"expected", "arrival_probability"}, 100},
      {"         time", {"expected", "time"}},
      {"         energy", {"expected", "energy"}},
      {"         net energy", {"expected", "net_energy"}},
      {"flown    arrival [%]", {"rollout", "arrival_rate"}, 100},
      {"         time, mean", {"rollout", "time", "mean"}},
      {"         time, 5 %", {"rollout", "time", "p05"}},
      {"         time, 95 %", {"rollout", "time", "p95"}},
      {"         energy, mean", {"rollout", "energy", "mean"}},
      {"         net energy, mean", {"rollout", "net_energy", "mean"}}};
  return rows;
}

std::string describe_missions(const std::vector<MissionDifference>& differences) {
  if (differences.empty()) return report_line("mission", "the same in every key");
  std::string text;
  for (const auto& [key, first, second] : differences) {
    text += report_line(text.empty() ? "mission" : "",
                        fmt::format("{}: {} → {}", key, first.dump(), second.dump()));
  }
  return text;
}

/// " (2024-10-29T12:00:00Z)" of a level; empty where times count from no date.
std::string date_of(const RunComparison& comparison, TimeLevel k) {
  if (!comparison.origin) return {};
  return fmt::format(" ({})", format_date(*comparison.origin + comparison.time.at(k)));
}

std::string describe_common(const RunComparison& comparison) {
  const PolicyAlignment& alignment = comparison.alignment;
  const IndexRange& levels = alignment.common_levels;
  const std::string cells =
      fmt::format("{} × {} cells", alignment.common_columns.count(), alignment.common_rows.count());
  if (levels.count() < 1) {
    return report_line("in common", cells + ", no level: their times do not meet");
  }
  return report_line(
      "in common", fmt::format("{}, {} levels, time {:.10g}{} to {:.10g}{}", cells, levels.count(),
                               comparison.time.at(TimeLevel(levels.first)),
                               date_of(comparison, TimeLevel(levels.first)),
                               comparison.time.at(TimeLevel(levels.last)),
                               date_of(comparison, TimeLevel(levels.last))));
}

std::string describe_policy(const RunComparison& comparison, char letter) {
  const DifferenceSums& all = comparison.policy.all;
  std::string text = report_line(
      "action", fmt::format("differs in {} of {} states ({:.2f} %); {} have one for {} alone, "
                            "{} for A alone",
                            all.changed, all.states, 100 * all.changed_share(), all.only_second,
                            letter, all.only_first));
  text += report_line("heading",
                      fmt::format("turns by {:.1f} degrees on average where it differs, by {:.1f} "
                                  "at most",
                                  degrees * all.mean_heading(), degrees * all.heading_greatest));
  const Grid& grid = comparison.grid;
  text += report_line(
      "value", fmt::format("changes by {:.6g} on average, by {:.6g} in magnitude; 95 % within "
                           "{:.6g}; most, {:.6g}, at {}, time {:.10g}{}",
                           all.mean_value(), all.mean_value_magnitude(),
                           comparison.policy.value_p95, all.value_greatest,
                           PlaceWords(grid, comparison.longitude, comparison.latitude)
                               .at(grid.x(grid.column(all.cell)), grid.y(grid.row(all.cell))),
                           comparison.time.at(all.level), date_of(comparison, all.level)));
  return text;
}

/// Twelve levels at most, evenly spread; all of them are in the JSON.
std::string describe_levels(const RunComparison& comparison) {
  constexpr std::size_t most = 12;
  const auto& levels = comparison.policy.levels;
  std::string text = table_row(
      "by level, time", {"states", "differ [%]", "turn [deg]", "value, mean", "value, most"});
  const std::size_t rows = std::min(most, levels.size());
  for (std::size_t row = 0; row < rows; ++row) {
    const std::size_t n = rows < 2 ? 0 : row * (levels.size() - 1) / (rows - 1);
    const DifferenceSums& level = levels[n];
    const TimeLevel k(comparison.alignment.common_levels.first + static_cast<std::int32_t>(n));
    text += table_row(fmt::format("  {:.10g}", comparison.time.at(k)),
                      {fmt::format("{}", level.states), figure(level.changed_share(), 100),
                       figure(level.mean_heading(), degrees), figure(level.mean_value()),
                       figure(level.value_greatest)});
  }
  return text;
}

/// What one quantity comes to by either plan, and what the old one loses.
struct CostRow {
  const char* label;
  const char* key;
  double old;
  double own;
  double lost;
  double factor = 1;
};

std::vector<CostRow> expected_rows(const PlanCost& cost) {
  const ExpectedOutcome& old = cost.old.expected;
  const ExpectedOutcome& own = cost.own.expected;
  return {{"value", "value", old.value, own.value, own.value - old.value},
          {"arrival [%]", "arrival_probability", old.arrival_probability, own.arrival_probability,
           own.arrival_probability - old.arrival_probability, 100},
          {"time", "time", old.time, own.time, old.time - own.time},
          {"energy", "energy", old.energy, own.energy, old.energy - own.energy},
          {"net energy", "net_energy", old.net_energy, own.net_energy,
           old.net_energy - own.net_energy}};
}

std::vector<CostRow> flown_rows(const PlanCost& cost) {
  const RolloutStatistics& old = *cost.old.rollout;
  const RolloutStatistics& own = *cost.own.rollout;
  return {{"total reward", "mean_total_reward", old.mean_total_reward, own.mean_total_reward,
           own.mean_total_reward - old.mean_total_reward},
          {"arrival [%]", "arrival_rate", old.arrival_rate, own.arrival_rate,
           own.arrival_rate - old.arrival_rate, 100},
          {"time, mean", "time", old.time.mean, own.time.mean, old.time.mean - own.time.mean},
          {"energy, mean", "energy", old.energy.mean, own.energy.mean,
           old.energy.mean - own.energy.mean},
          {"net energy, mean", "net_energy", old.net_energy.mean, own.net_energy.mean,
           old.net_energy.mean - own.net_energy.mean}};
}

std::string cost_table(const std::string& title, const std::vector<CostRow>& rows, char letter) {
  std::string text =
      table_row(title, {"plan of A", fmt::format("plan of {}", letter), "cost of A's"});
  for (const CostRow& row : rows) {
    text += table_row(std::string("  ") + row.label,
                      {figure(row.old, row.factor), figure(row.own, row.factor),
                       figure(without_rounding(row.lost, row.old, row.own), row.factor)});
  }
  return text;
}

std::string describe_coverage(const PolicyCoverage& coverage, char letter) {
  if (coverage.missing() == 0) {
    return report_line("coverage",
                       fmt::format("A's plan has an action in every state in which {}'s "
                                   "has one",
                                   letter));
  }
  return report_line(
      "coverage",
      fmt::format(
          "A's plan has no action in {} of {} states: {} before it begins or after it ends, "
          "{} outside its grid, {} closed, a target or out of reach to it; what comes there counts "
          "as "
          "failed",
          coverage.missing(), coverage.states, coverage.out_of_time, coverage.outside,
          coverage.closed));
}

std::string describe_cost(const PlanCost& cost, char letter) {
  std::string text =
      cost_table(fmt::format("in {}'s forecast, exactly", letter), expected_rows(cost), letter);
  if (cost.own.rollout) {
    text += cost_table(fmt::format("in {}'s forecast, flown", letter), flown_rows(cost), letter);
  }
  return text + describe_coverage(cost.coverage, letter);
}

Json cost_json(const std::vector<CostRow>& rows) {
  Json json;
  for (const CostRow& row : rows) {
    json[row.key] = {{"old_plan", row.old}, {"own_plan", row.own}, {"cost", row.lost}};
  }
  return json;
}

Json sums_json(const DifferenceSums& sums) {
  return {{"states", sums.states},
          {"changed", sums.changed},
          {"changed_share", sums.changed_share()},
          {"only_first", sums.only_first},
          {"only_second", sums.only_second},
          {"mean_heading_change", sums.mean_heading()},
          {"greatest_heading_change", sums.heading_greatest},
          {"mean_value_change", sums.mean_value()},
          {"mean_value_magnitude", sums.mean_value_magnitude()},
          {"greatest_value_change", sums.value_greatest}};
}

Json policy_json(const RunComparison& comparison) {
  const PolicyDifference& policy = comparison.policy;
  const Grid& grid = comparison.grid;
  Json json = sums_json(policy.all);
  json["value_magnitude_p95"] = policy.value_p95;
  json["greatest_value_change_at"] = nullptr;
  if (policy.all.states > 0) {
    json["greatest_value_change_at"] = {{"x", grid.x(grid.column(policy.all.cell))},
                                        {"y", grid.y(grid.row(policy.all.cell))},
                                        {"time", comparison.time.at(policy.all.level)}};
    Json& there = json["greatest_value_change_at"];
    const auto cell = static_cast<std::size_t>(policy.all.cell.value);
    if (!comparison.longitude.empty()) {
      there["lon"] = comparison.longitude[cell];
      there["lat"] = comparison.latitude[cell];
    }
    if (comparison.origin) {
      there["date"] = format_date(*comparison.origin + comparison.time.at(policy.all.level));
    }
  }
  json["levels"] = Json::array();
  for (std::size_t n = 0; n < policy.levels.size(); ++n) {
    const TimeLevel k(comparison.alignment.common_levels.first + static_cast<std::int32_t>(n));
    Json level{{"level", k.value}, {"time", comparison.time.at(k)}};
    level.update(sums_json(policy.levels[n]));
    json["levels"].push_back(std::move(level));
  }
  return json;
}

Json old_plan_json(const PlanCost& cost) {
  const PolicyCoverage& coverage = cost.coverage;
  Json json{{"expected", cost_json(expected_rows(cost))}, {"rollout", nullptr}};
  if (cost.own.rollout) json["rollout"] = cost_json(flown_rows(cost));
  json["coverage"] = {{"states", coverage.states},
                      {"without_action", coverage.missing()},
                      {"out_of_time", coverage.out_of_time},
                      {"outside", coverage.outside},
                      {"closed", coverage.closed}};
  return json;
}

}  // namespace

std::string describe_runs(const std::vector<ComparedRun>& runs) {
  std::string text;
  std::vector<std::string> letters;
  for (std::size_t n = 0; n < runs.size(); ++n) {
    letters.emplace_back(1, static_cast<char>('A' + n));
    text += report_line(letters.back(), runs[n].name);
  }
  text += table_row("", letters);
  for (const auto& [label, path, factor] : summary_rows()) {
    std::vector<std::string> cells;
    for (const ComparedRun& run : runs) {
      const Json value = look_up(run.summary, path);
      cells.push_back(value.is_number() ? figure(value.get<double>(), factor) : "none");
    }
    text += table_row(label, cells);
  }
  return text;
}

std::string describe_comparison(const RunComparison& comparison, char letter) {
  std::string text = fmt::format("{} beside A\n", letter);
  text += describe_missions(comparison.mission);
  text += describe_common(comparison);
  if (comparison.policy.all.states > 0) {
    text += describe_policy(comparison, letter);
    text += describe_levels(comparison);
  }
  if (comparison.cost) text += describe_cost(*comparison.cost, letter);
  return text;
}

Json run_to_json(const ComparedRun& run) {
  return {{"run", run.name},
          {"value_at_start", run.summary["value_at_start"]},
          {"expected", look_up(run.summary, {"expected"})},
          {"rollout", look_up(run.summary, {"rollout"})},
          {"mission", run.summary["mission"]}};
}

Json comparison_to_json(const RunComparison& comparison, const ComparedRun& first,
                        const ComparedRun& second) {
  Json json{{"first", first.name}, {"second", second.name}};
  json["mission_differences"] = Json::object();
  for (const auto& [key, before, after] : comparison.mission) {
    json["mission_differences"][key] = Json::array({before, after});
  }
  json["policy"] = policy_json(comparison);
  json["old_plan"] = comparison.cost ? old_plan_json(*comparison.cost) : Json(nullptr);
  return json;
}

}  // namespace tidewise

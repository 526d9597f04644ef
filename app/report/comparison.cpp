#include "app/report/comparison.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>
#include <utility>

#include "app/report/environment.h"
#include "app/report/place_words.h"
#include "env/levels/level_dates.h"
#include "output/run/policy_description.h"
#include "planner/run/flight_figures.h"
#include "planner/run/recommend.h"

namespace tidewise {
namespace {

using Json = nlohmann::ordered_json;

constexpr double degrees = 180 / std::numbers::pi;
constexpr std::size_t column_width = 14;
constexpr std::size_t label_width = 27;

/// The value at a path in a summary; null if there is none.
Json look_up(const Json& summary, const std::vector<std::string>& path) {
  const Json* node = &summary;
  for (const std::string& key : path) {
    if (!node->is_object() || !node->contains(key)) return {};
    node = &(*node)[key];
  }
  return *node;
}

std::string figure(double value, double factor = 1) {
  return std::isfinite(value) ? plain_number(value * factor, 5) : "none";
}

/// Format of a run's figures.
struct FigureUnits {
  Units units;
  std::string time;         ///< " [h]" or ""
  double time_factor = 1;   ///< from the environment's unit
  std::string energy = {};  ///< " [kJ]" or ""
  double energy_factor = 1;
  bool reports_energy = true;
  std::string length = {};  ///< " [km]" or ""
  double length_factor = 1;
};

FigureUnits units_of(const ComparedRun& run) {
  const Units units = describe_environment_of(run.policy).units;
  if (units == Units::nondimensional) return {units, ""};
  const RunRequest::Goal& goal = run.request.goal;
  const EnergyUnit energy = energy_unit(goal.energy, units);
  const std::string name = energy.name;
  return {units,           " [h]",
          1.0 / 3600,      name.empty() ? name : fmt::format(" [{}]", name),
          1 / energy.size, reports_energy(goal.objective, goal.energy, units),
          " [km]",         1e-3};
}

/// The common format of all runs. Energies are shown if any run counts them and all runs have the
/// same unit.
FigureUnits units_of(const std::vector<ComparedRun>& runs) {
  FigureUnits units = units_of(runs.front());
  bool same_unit = true;
  for (const ComparedRun& run : runs) {
    const FigureUnits run_units = units_of(run);
    units.reports_energy = units.reports_energy || run_units.reports_energy;
    same_unit = same_unit && run_units.energy == units.energy;
  }
  units.reports_energy = units.reports_energy && same_unit;
  return units;
}

/// The difference of two numbers, 0 if it is only rounding.
double without_rounding(double difference, double a, double b) {
  constexpr double rounding = 1e-12;
  return std::abs(difference) <= rounding * std::max(std::abs(a), std::abs(b)) ? 0 : difference;
}

/// A line of the table: "label    a    b    c\n".
std::string table_row(const std::string& label, const std::vector<std::string>& cells) {
  std::string row = fmt::format("{:<{}}", label, label_width);
  std::size_t end = label_width;
  for (const std::string& cell : cells) {
    end += column_width;
    // A label that is too long takes space from the first column.
    row += fmt::format(" {:>{}}", cell, std::max(end, row.size() + 1) - row.size() - 1);
  }
  return row + "\n";
}

struct SummaryRow {
  std::string label;
  std::vector<std::string> path;
  double factor = 1;
};

/// True if this figure of a summary is a probability.
bool is_probability(const std::vector<std::string>& path) {
  return path.back() == "p05" || path.back() == "p95" || path.back() == "arrival_rate" ||
         path.back() == "arrival_probability";
}

/// Text in place of a probability: "9 of 9" for flights that arrive, else "–".
std::string arrivals_of(const Json& summary, const std::vector<std::string>& path) {
  const Json flights = look_up(summary, {"rollout", "trajectories"});
  const Json failures = look_up(summary, {"rollout", "failures"});
  if (path.back() != "arrival_rate" || !flights.is_number_integer() || !failures.is_object()) {
    return "–";
  }
  auto arrived = flights.get<std::int64_t>();
  for (const Json& count : failures) {
    if (count.is_number_integer()) arrived -= count.get<std::int64_t>();
  }
  return fmt::format("{} of {}", arrived, flights.get<std::int64_t>());
}

/// Rows in the order of a pilot's interest, then the model estimate.
std::vector<SummaryRow> summary_rows(const FigureUnits& units, Values values) {
  std::vector<SummaryRow> rows{
      {"flights  arrive [%]", {"rollout", "arrival_rate"}, 100},
      {"         after" + units.time + ", mean", {"rollout", "time", "mean"}, units.time_factor},
      {"         5 % after" + units.time, {"rollout", "time", "p05"}, units.time_factor},
      {"         95 % after" + units.time, {"rollout", "time", "p95"}, units.time_factor},
      {"         energy" + units.energy, {"rollout", "energy", "mean"}, units.energy_factor},
      {"         net energy" + units.energy,
       {"rollout", "net_energy", "mean"},
       units.energy_factor},
      {"plan     arrives [%]", {"expected", "arrival_probability"}, 100},
      {"expects  after" + units.time, {"expected", "time"}, units.time_factor},
      {"         energy" + units.energy, {"expected", "energy"}, units.energy_factor},
      {"         net energy" + units.energy, {"expected", "net_energy"}, units.energy_factor}};
  if (!units.reports_energy) {
    std::erase_if(rows, [](const SummaryRow& row) { return row.path[1].ends_with("energy"); });
  }
  for (const char* from : {"rollout", "expected"}) {
    const std::string prefix = from == std::string_view("rollout") ? "flights  " : "plan     ";
    const bool flown = prefix.front() == 'f';
    const auto path = [&](const char* what) {
      return flown ? std::vector<std::string>{from, what, "mean"}
                   : std::vector<std::string>{from, what};
    };
    rows.push_back({prefix + "within [%]", path("within"), 100});
    rows.push_back({prefix + "away" + units.length, path("distance"), units.length_factor});
  }
  if (values == Values::shown) rows.push_back({"value at start", {"value_at_start"}});
  return rows;
}

std::string describe_missions(const std::vector<MissionDifference>& differences) {
  std::string text;
  for (const auto& [key, first, second] : differences) {
    if (key == "output.directory") continue;  // the runs' names show it
    text += report_line(text.empty() ? "mission" : "",
                        fmt::format("{}: {} → {}", key, first.dump(), second.dump()));
  }
  return text.empty() ? report_line("mission", "the same in every key") : text;
}

/// The time of a level: a date such as "29 Oct 2024 12:00 UTC", or a number if times have no dates.
std::string time_of(const RunComparison& comparison, TimeLevel k) {
  const double time = comparison.time.at(k);
  return comparison.origin ? describe_date(*comparison.origin + time) : plain_number(time, 10);
}

std::string describe_common(const RunComparison& comparison) {
  const PolicyAlignment& alignment = comparison.alignment;
  const IndexRange& levels = alignment.common_levels;
  const std::string cells =
      fmt::format("{} × {} cells", alignment.common_columns.count(), alignment.common_rows.count());
  if (levels.count() < 1) {
    return report_line("in common", cells + ", no level: their times do not meet");
  }
  return report_line("in common", fmt::format("{}, {} levels, from {} to {}", cells, levels.count(),
                                              time_of(comparison, TimeLevel(levels.first)),
                                              time_of(comparison, TimeLevel(levels.last))));
}

std::string describe_policy(const RunComparison& comparison, char letter, Values values) {
  const DifferenceSums& all = comparison.policy.all;
  std::string text = report_line(
      "action", fmt::format("differs in {} of {} states ({:.2f} %); {} have one only for {}, "
                            "{} only for A",
                            all.changed, all.states, 100 * all.changed_share(), all.only_second,
                            letter, all.only_first));
  text += report_line("heading",
                      fmt::format("turns by {:.1f} degrees on average where it differs, by {:.1f} "
                                  "at most",
                                  degrees * all.mean_heading(), degrees * all.heading_greatest));
  if (values == Values::hidden) return text;
  const Grid& grid = comparison.grid;
  text += report_line(
      "value",
      fmt::format("changes by {} on average, by {} in magnitude; 95 % within {}; most, {}, "
                  "at {}, {}",
                  figure(all.mean_value()), figure(all.mean_value_magnitude()),
                  figure(comparison.policy.value_p95), figure(all.value_greatest),
                  PlaceWords(grid, comparison.longitude, comparison.latitude)
                      .at(grid.x(grid.column(all.cell)), grid.y(grid.row(all.cell))),
                  time_of(comparison, all.level)));
  return text;
}

/// One quantity of the old plan and of the forecast's own plan, and the loss from keeping the old
/// one.
struct CostRow {
  enum class Quantity { value, share, count, time, energy, length } quantity;
  const char* label;
  const char* key;
  double old;
  double own;
  double lost;
};

/// The row for station keeping or target following: time within the target, or distance.
CostRow keeping_row(double old, double own, bool is_distance) {
  if (is_distance) return {CostRow::Quantity::length, "away", "distance", old, own, old - own};
  return {CostRow::Quantity::share, "within", "within", old, own, own - old};
}

std::vector<CostRow> expected_rows(const PlanCost& cost) {
  const ExpectedOutcome& old = cost.old.expected;
  const ExpectedOutcome& own = cost.own.expected;
  using enum CostRow::Quantity;
  const CostRow value_row{value, "value", "value", old.value, own.value, own.value - old.value};
  if (const auto keeping = keeping_of(own)) {
    return {keeping_row(keeping_of(old)->mean, keeping->mean, keeping->is_distance), value_row};
  }
  return {{share, "arrive", "arrival_probability", old.arrival_probability, own.arrival_probability,
           own.arrival_probability - old.arrival_probability},
          {time, "after", "time", old.time, own.time, old.time - own.time},
          {energy, "energy", "energy", old.energy, own.energy, old.energy - own.energy},
          {energy, "net energy", "net_energy", old.net_energy, own.net_energy,
           old.net_energy - own.net_energy},
          value_row};
}

std::vector<CostRow> flown_rows(const PlanCost& cost) {
  const RolloutStatistics& old = *cost.old.rollout;
  const RolloutStatistics& own = *cost.own.rollout;
  using enum CostRow::Quantity;
  const CostRow value_row{value,
                          "total reward",
                          "mean_total_reward",
                          old.mean_total_reward,
                          own.mean_total_reward,
                          own.mean_total_reward - old.mean_total_reward};
  if (old.keeping && own.keeping) {
    return {keeping_row(old.keeping->mean, own.keeping->mean, own.keeping->is_distance), value_row};
  }
  return {
      {share, "arrive", "arrival_rate", old.arrival_rate, own.arrival_rate,
       own.arrival_rate - old.arrival_rate},
      {time, "after, mean", "time", old.time.mean, own.time.mean, old.time.mean - own.time.mean},
      {energy, "energy", "energy", old.energy.mean, own.energy.mean,
       old.energy.mean - own.energy.mean},
      {energy, "net energy", "net_energy", old.net_energy.mean, own.net_energy.mean,
       old.net_energy.mean - own.net_energy.mean},
      value_row};
}

std::string cost_table(const std::string& title, const std::vector<CostRow>& rows, char letter,
                       const FigureUnits& units, Values values) {
  std::string text =
      table_row(title, {"plan of A", fmt::format("plan of {}", letter), "cost of A's"});
  const CostRow* before = nullptr;
  for (const CostRow& row : rows) {
    using enum CostRow::Quantity;
    if (row.quantity == value && values == Values::hidden) continue;
    if (row.quantity == energy && !units.reports_energy) continue;
    const CostRow* previous = std::exchange(before, &row);
    const bool repeats_energy =
        previous != nullptr && previous->quantity == energy && row.quantity == energy;
    if (repeats_energy && row.old == previous->old && row.own == previous->own)
      continue;  // without harvest both are equal
    const double factor = row.quantity == share    ? 100
                          : row.quantity == time   ? units.time_factor
                          : row.quantity == energy ? units.energy_factor
                          : row.quantity == length ? units.length_factor
                                                   : 1;
    const std::string unit = row.quantity == share    ? " [%]"
                             : row.quantity == time   ? units.time
                             : row.quantity == energy ? units.energy
                             : row.quantity == length ? units.length
                                                      : "";
    text += table_row(std::string("  ") + row.label + unit,
                      {figure(row.old, factor), figure(row.own, factor),
                       figure(without_rounding(row.lost, row.old, row.own), factor)});
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
          "{} outside its grid, {} closed, a target or out of reach to it; flights that reach "
          "these count as failed",
          coverage.missing(), coverage.states, coverage.out_of_time, coverage.outside,
          coverage.closed));
}

/// The rows to show. Without probabilities, arrivals are numbers of flights, and the model estimate
/// has none.
std::vector<CostRow> shown_rows(std::vector<CostRow> rows, const PlanCost& cost,
                                bool has_probability, bool flown) {
  const auto arrive = std::find_if(rows.begin(), rows.end(), [](const CostRow& row) {
    return row.label == std::string_view("arrive");
  });
  if (has_probability || arrive == rows.end()) return rows;
  if (!flown) {
    rows.erase(arrive);
    return rows;
  }
  const auto old = static_cast<double>(count_arrived(*cost.old.rollout));
  const auto own = static_cast<double>(count_arrived(*cost.own.rollout));
  *arrive = {CostRow::Quantity::count, arrive->label, arrive->key, old, own, own - old};
  return rows;
}

std::string describe_cost(const PlanCost& cost, char letter, const FigureUnits& units,
                          bool has_probability, Values values) {
  std::string text;
  if (cost.own.rollout && cost.old.rollout) {
    text += cost_table(fmt::format("in {}'s forecast, flown", letter),
                       shown_rows(flown_rows(cost), cost, has_probability, true), letter, units,
                       values);
  }
  text += cost_table(fmt::format("in {}'s forecast, exactly", letter),
                     shown_rows(expected_rows(cost), cost, has_probability, false), letter, units,
                     values);
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
    Json& place = json["greatest_value_change_at"];
    const auto cell = static_cast<std::size_t>(policy.all.cell.value);
    if (!comparison.longitude.empty()) {
      place["lon"] = comparison.longitude[cell];
      place["lat"] = comparison.latitude[cell];
    }
    if (comparison.origin) {
      place["date"] = format_date(*comparison.origin + comparison.time.at(policy.all.level));
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

std::string describe_uncertainty(const std::vector<ComparedRun>& runs) {
  std::vector<std::string> notes;
  for (const ComparedRun& run : runs) {
    notes.push_back(uncertainty_note(uncertainty_in(run.summary)));
  }
  if (std::ranges::count(notes, notes.front()) == std::ssize(notes)) {
    return notes.front().empty() ? "" : notes.front() + "\n";
  }
  std::string text;
  for (std::size_t n = 0; n < notes.size(); ++n) {
    if (notes[n].empty()) continue;
    text += fmt::format("{}: {}\n", static_cast<char>('A' + n), notes[n]);
  }
  return text;
}

std::string describe_recommendation(const RunComparison& comparison, const ComparedRun& first,
                                    const ComparedRun& second, char letter) {
  using enum PlanChoice::Kind;
  const PlanChoice choice = choose_plan(comparison, first, second);
  if (choice.kind == no_cost) {
    return fmt::format("{}'s plan does otherwise than A's in {:.1f} % of the states", letter,
                       100 * comparison.policy.all.changed_share());
  }
  if (choice.kind == two_targets) {
    return fmt::format("two targets: A's plan does not go to {}'s; the figures below are separate",
                       letter);
  }
  if (choice.kind == begins_later) {
    return fmt::format(
        "A's plan begins after {}'s departure and cannot be evaluated from there; name "
        "{} first",
        letter, second.name);
  }
  if (choice.kind == two_objectives) {
    const Units units = describe_environment_of(second.policy).units;
    const EnergyModel& energy = second.request.goal.energy;
    const auto describe_outcome = [&](const PlanOutcome& plan) {
      return plan.rollout
                 ? describe_figures(*plan.rollout, Objective::energy, energy, units)
                 : describe_figures(plan.expected, Objective::energy, energy, units, false);
    };
    return fmt::format(
        "two objectives: A's plan, for {}: {}; {}'s, for {}: {}",
        to_string(first.request.goal.objective), describe_outcome(comparison.cost->old), letter,
        to_string(second.request.goal.objective), describe_outcome(comparison.cost->own));
  }
  return choice.advice.plan == Advice::Plan::stay
             ? fmt::format("stay on A's plan: {}'s {}", letter, choice.advice.gain)
             : fmt::format("take {}'s plan: it {}", letter, choice.advice.gain);
}

std::string describe_runs(const std::vector<ComparedRun>& runs, Values values) {
  std::string text;
  std::vector<std::string> letters;
  for (std::size_t n = 0; n < runs.size(); ++n) {
    letters.emplace_back(1, static_cast<char>('A' + n));
    text += report_line(letters.back(), runs[n].name);
  }
  text += table_row("", letters);
  const bool all_keep = std::all_of(runs.begin(), runs.end(), [](const ComparedRun& run) {
    return keeps(run.request.goal.objective);
  });
  std::vector<std::string> before;
  for (const auto& [label, path, factor] : summary_rows(units_of(runs), values)) {
    std::vector<std::string> cells;
    for (const ComparedRun& run : runs) {
      const Json value = look_up(run.summary, path);
      cells.push_back(is_probability(path) && !supports_probability(uncertainty_in(run.summary))
                          ? arrivals_of(run.summary, path)
                      : value.is_number() ? figure(value.get<double>(), factor)
                                          : "none");
    }
    if (is_probability(path) && std::ranges::count(cells, "–") == std::ssize(cells)) continue;
    // Omits figures that no run has, such as arrivals if all runs are for station keeping.
    const bool has_figures = std::any_of(cells.begin(), cells.end(),
                                         [](const std::string& cell) { return cell != "none"; });
    const bool is_keeping = path.size() > 1 && (path[1] == "within" || path[1] == "distance");
    if (!has_figures && (is_keeping || all_keep)) continue;
    // Without harvest, net energy equals energy.
    if (label.find("net energy") == std::string::npos || cells != before) {
      text += table_row(label, cells);
    }
    before = std::move(cells);
  }
  return text;
}

std::string describe_comparison(const RunComparison& comparison, const ComparedRun& second,
                                char letter, Values values) {
  std::string text = fmt::format("{} compared with A\n", letter);
  if (comparison.cost) {
    text += describe_cost(*comparison.cost, letter, units_of(second),
                          supports_probability(uncertainty_in(second.summary)), values);
  }
  text += describe_missions(comparison.mission);
  text += describe_common(comparison);
  if (comparison.policy.all.states > 0) text += describe_policy(comparison, letter, values);
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

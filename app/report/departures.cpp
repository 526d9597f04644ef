#include "app/report/departures.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>

#include "app/report/pilot_words.h"
#include "env/file/uncertainty_words.h"
#include "env/levels/level_dates.h"
#include "env/units/text.h"
#include "output/json_number.h"
#include "output/run/summary.h"
#include "planner/figures/rounding.h"
#include "planner/run/flight_figures.h"

namespace tidewise {
namespace {

constexpr std::size_t max_rows = 24;

/// Formats times: dates in UTC and hours if times have dates, else numbers in the environment's
/// units. Rounding steps are those of TimeRounding.
class Clock {
 public:
  explicit Clock(const MissionProblem& run) : info_(run.info()), dates_(run.environment()) {}

  /// The date of a time after level 0 [s], such as "2024-10-29T12:00:00Z"; nullopt if there are no
  /// dates or the time is not finite.
  std::optional<std::string> date(double time) const {
    if (!dates_.known() || !std::isfinite(time)) return std::nullopt;
    return format_date(dates_.first() + time);
  }
  /// A departure: a date to the minute, or a number in the environment's units.
  std::string departure(const DepartureOutcome& outcome) const {
    if (dates_.known()) return describe_date(dates_.first() + outcome.time);
    return describe_duration(info_.time.first + outcome.time, info_.units);
  }
  /// The median arrival; "–" if no flight arrives.
  std::string arrival(const DepartureOutcome& outcome) const {
    const double step = rounding(outcome).median;
    if (!dates_.known() || !std::isfinite(outcome.arrival())) {
      return describe_duration(info_.time.first + outcome.arrival(), info_.units, step);
    }
    return describe_date(dates_.first() + outcome.arrival(), step);
  }
  std::string span(double time, double step) const {
    return describe_duration(time, info_.units, step);
  }
  TimeRounding rounding(const DepartureOutcome& outcome) const {
    return round_times(outcome.flights, info_);
  }

 private:
  const EnvironmentInfo& info_;
  LevelDates dates_;
};

/// A cell of the energy column, such as "  2.41 MJ", or its head; empty if energies are not shown.
std::string energy_column(const MissionProblem& run, const std::string& cell) {
  const Mission& mission = run.mission;
  if (!reports_energy(mission.objective, mission.energy, run.info().units)) return "";
  return fmt::format("  {:>15}", cell);
}

/// The arrivals: "98.5 %", or "9 of 9" without probabilities.
std::string arriving(const RolloutStatistics& flown) {
  return flown.has_probability ? describe_chance(flown.arrival_rate, flown.effective_flights)
                               : fmt::format("{} of {}", count_arrived(flown), flown.trajectories);
}

std::string row(const Clock& clock, const MissionProblem& run, const DepartureOutcome& outcome,
                char mark) {
  const RolloutStatistics& flown = outcome.flights;
  const bool arrives = std::isfinite(flown.energy.mean);
  const std::string energy =
      arrives ? describe_energy(flown.energy.mean, run.mission.energy, run.info().units) : "–";
  const TimeRounding rounding = clock.rounding(outcome);
  const std::string window =
      flown.has_probability
          ? fmt::format("  {:>9}  {:>9}", clock.span(flown.time.p05, rounding.quantile),
                        clock.span(flown.time.p95, rounding.quantile))
          : "";
  return fmt::format("{} {:<21}  {:<21}  {:>9}{}  {:>8}{}\n", mark, clock.departure(outcome),
                     clock.arrival(outcome), clock.span(flown.time.p50, rounding.median), window,
                     arriving(flown), energy_column(run, energy));
}

/// Number of departures up to the last from which a flight arrives; all departures if no flight
/// arrives.
std::size_t count_until_last_arrival(const std::vector<DepartureOutcome>& outcomes) {
  const auto arrives = [](const DepartureOutcome& outcome) {
    return outcome.flights.arrival_rate > 0;
  };
  const auto last = std::find_if(outcomes.rbegin(), outcomes.rend(), arrives);
  return last == outcomes.rend() ? outcomes.size()
                                 : static_cast<std::size_t>(outcomes.rend() - last);
}

/// Inserts a number into an ascending list that lacks it.
void add_row(std::vector<std::size_t>& rows, std::size_t row) {
  const auto place = std::lower_bound(rows.begin(), rows.end(), row);
  if (place == rows.end() || *place != row) rows.insert(place, row);
}

/// Indices of the rows of a table of limited length, ascending; `always` is one of them.
std::vector<std::size_t> rows_of(std::size_t count, std::size_t always) {
  const std::size_t every = (count + max_rows - 1) / max_rows;
  std::vector<std::size_t> rows;
  for (std::size_t n = 0; n < count; n += every) rows.push_back(n);
  add_row(rows, always);
  return rows;
}

/// Text such as "leave 29 Oct 2024 06:00 UTC, arrival 2 Nov 2024 05:00 UTC (after 95 h),
/// probability 99 %".
std::string describe_departure(const Clock& clock, const DepartureOutcome& outcome) {
  const RolloutStatistics& flown = outcome.flights;
  return fmt::format(
      "leave {}, arrival {} (after {}), {}", clock.departure(outcome), clock.arrival(outcome),
      clock.span(flown.time.p50, clock.rounding(outcome).median),
      flown.has_probability
          ? "probability " + describe_chance(flown.arrival_rate, flown.effective_flights)
          : describe_arriving(flown) + " arrive");
}

std::string advice(const Clock& clock, const std::vector<DepartureOutcome>& outcomes,
                   const DepartureChoice& choice, Objective objective) {
  if (!choice.best) return "No flight arrives, whatever the departure.\n";
  std::string text =
      fmt::format("Earliest arrival: {}.\n", describe_departure(clock, outcomes[*choice.earliest]));
  if (choice.earliest != choice.best) {
    text += fmt::format("Best for the objective {}: {}.\n", to_string(objective),
                        describe_departure(clock, outcomes[*choice.best]));
  }
  if (choice.no_different.size() > 1) {
    text += fmt::format(
        "As good for the objective {}, within the noise: {}, the last of them {}.\n",
        to_string(objective), counted(choice.no_different.size() - 1, "later departure"),
        clock.departure(outcomes[choice.no_different.back()]));
  }
  return text;
}

nlohmann::ordered_json date_json(const std::optional<std::string>& date) {
  return date ? nlohmann::ordered_json(*date) : nlohmann::ordered_json(nullptr);
}

nlohmann::ordered_json departure_json(const Clock& clock, double first,
                                      const DepartureOutcome& outcome) {
  return {{"level", outcome.level.value},
          {"time", first + outcome.time},
          {"date", date_json(clock.date(outcome.time))},
          {"arrival_time", json_number(first + outcome.arrival())},
          {"arrival_date", date_json(clock.date(outcome.arrival()))},
          {"rollout", to_json(outcome.flights)}};
}

}  // namespace

std::string describe_departures(const MissionProblem& run,
                                const std::vector<DepartureOutcome>& outcomes) {
  const Clock clock(run);
  const DepartureChoice choice = choose_departure(outcomes, run.info(), run.mission);
  const std::string note = uncertainty_note(run.info().uncertainty);
  std::string text = note.empty() ? "" : note + "\n";
  text += advice(clock, outcomes, choice, run.mission.objective);
  const std::string window = supports_probability(run.info().uncertainty)
                                 ? fmt::format("  {:>9}  {:>9}", "5 %", "95 %")
                                 : "";
  text += fmt::format("\n  {:<21}  {:<21}  {:>9}{}  {:>8}{}\n", "leave", "arrival (median)",
                      "under way", window, "arriving", energy_column(run, "energy"));
  const std::size_t count = count_until_last_arrival(outcomes);
  std::vector<std::size_t> rows = rows_of(count, choice.best.value_or(0));
  add_row(rows, choice.earliest.value_or(0));
  const auto mark_of = [&](std::size_t n) {
    if (n == choice.best) return '*';
    if (n == choice.earliest) return '<';
    return std::ranges::binary_search(choice.no_different, n) ? '=' : ' ';
  };
  for (const std::size_t n : rows) text += row(clock, run, outcomes[n], mark_of(n));
  if (count < outcomes.size()) {
    text += fmt::format("  {} and later: no flight arrives before the policy ends\n",
                        clock.departure(outcomes[count]));
  }
  const std::int64_t flights = outcomes.front().flights.trajectories;
  std::string legend = !choice.best ? "" : "; * is the best for the objective";
  if (choice.no_different.size() > 1) legend += ", = as good";
  if (choice.earliest != choice.best) legend += ", < arrives first";
  text += fmt::format("{} of {} departures, {} flight(s) from each{}\n", rows.size(),
                      outcomes.size(), flights, legend);
  return text;
}

nlohmann::ordered_json departures_to_json(const MissionProblem& run,
                                          const std::vector<DepartureOutcome>& outcomes) {
  const Clock clock(run);
  const double first = run.info().time.first;
  nlohmann::ordered_json json{{"uncertainty", uncertainty_word(run.info().uncertainty)},
                              {"departures", nlohmann::ordered_json::array()},
                              {"best", nullptr},
                              {"no_different", nlohmann::ordered_json::array()},
                              {"earliest_arrival", nullptr}};
  for (const DepartureOutcome& outcome : outcomes) {
    json["departures"].push_back(departure_json(clock, first, outcome));
  }
  const DepartureChoice choice = choose_departure(outcomes, run.info(), run.mission);
  if (choice.best) {
    json["best"] = *choice.best;
    json["no_different"] = choice.no_different;
    json["earliest_arrival"] = *choice.earliest;
  }
  return json;
}

std::string departures_to_csv(const MissionProblem& run,
                              const std::vector<DepartureOutcome>& outcomes) {
  const Clock clock(run);
  const double first = run.info().time.first;
  std::string text =
      "level,time,date,flights,arrival_rate,time_mean,time_p05,time_p95,arrival_date,energy_mean,"
      "mean_total_reward,standard_error\n";
  for (const DepartureOutcome& outcome : outcomes) {
    const RolloutStatistics& flown = outcome.flights;
    text += fmt::format("{},{},{},{},{},{},{},{},{},{},{},{}\n", outcome.level.value,
                        first + outcome.time, clock.date(outcome.time).value_or(""),
                        flown.trajectories, flown.arrival_rate, flown.time.mean, flown.time.p05,
                        flown.time.p95, clock.date(outcome.arrival()).value_or(""),
                        flown.energy.mean, flown.mean_total_reward, flown.standard_error);
  }
  return text;
}

}  // namespace tidewise

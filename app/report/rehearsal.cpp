#include "app/report/rehearsal.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <tuple>
#include <vector>

#include "app/report/columns.h"
#include "app/report/pilot_words.h"
#include "env/file/uncertainty_words.h"
#include "env/levels/level_dates.h"
#include "output/json_number.h"
#include "output/route/text.h"
#include "planner/run/flight_figures.h"
#include "solver/fly/trajectory.h"
#include "solver/step/mission.h"

namespace tidewise {
namespace {

using Json = nlohmann::ordered_json;
using Row = std::vector<std::string>;

std::string hours(double seconds) {
  return std::isnan(seconds) ? "–" : fmt::format("{:.1f} h", seconds / 3600);
}

std::string percent(double share) { return fmt::format("{:.4g} %", 100 * share); }

/// A difference: "2.1 %" of the time or the distance, or "2.1 points" of the time within the
/// target.
std::string in_words(const Rehearsal& rehearsal, double difference, const char* format) {
  return fmt::format(fmt::runtime(format), 100 * difference) +
         (rehearsal.objective == Objective::stay ? " points" : " %");
}

/// The difference between the flights and the rehearsal; empty if it is unknown.
std::string difference_text(const Rehearsal& rehearsal, double difference) {
  return std::isfinite(difference) ? in_words(rehearsal, difference, "{:+.1f}") : "";
}

std::string keeping_text(const Rehearsal& rehearsal, double keeping) {
  if (std::isnan(keeping)) return "–";
  return rehearsal.objective == Objective::stay ? percent(keeping)
                                                : plain_number(keeping / 1000, 3) + " km";
}

std::string end_of(const Rehearsal& rehearsal, const RehearsalFlight& flight) {
  const std::string outcome(outcome_text(flight.outcome));
  if (!keeps(rehearsal.objective)) return arrives(flight) ? hours(flight.duration) : outcome;
  // A flight's share of the time is known to half a step.
  const std::string keeping =
      rehearsal.objective == Objective::stay && std::isfinite(flight.keeping)
          ? fmt::format("{:.0f} %", 100 * flight.keeping)
          : keeping_text(rehearsal, flight.keeping);
  return keeping + (succeeds(rehearsal, flight) ? "" : ", " + outcome);
}

/// The mean difference of the flights' times over members where both arrive, such as "−0.7 % of 4
/// pairs", or the difference of both means.
std::string mean_difference_text(const Rehearsal& rehearsal) {
  if (!rehearsal.paired || keeps(rehearsal.objective)) {
    return difference_text(rehearsal, difference_of_means(rehearsal));
  }
  double sum = 0;
  double count = 0;
  for (std::size_t n = 0; n < rehearsal.members.size(); ++n) {
    const auto difference = difference_of_pair(rehearsal, n);
    sum += difference.value_or(0);
    count += difference ? 1 : 0;
  }
  if (!(count > 0)) return "";
  // The means are over different flights if one of a pair does not arrive.
  const bool all_pairs = count == static_cast<double>(rehearsal.members.size());
  return difference_text(rehearsal, sum / count) +
         (all_pairs ? "" : fmt::format(" of {} pairs", count));
}

/// Text such as "9 of 9 end alike; where both arrive the flights' times are 0.3 % off in the
/// median, 1.1 % at most (6 h later)".
std::string describe_agreement(const Rehearsal& rehearsal) {
  std::size_t same_ends = 0;
  std::vector<std::pair<double, std::string>> differences;
  for (std::size_t n = 0; n < rehearsal.members.size(); ++n) {
    if (succeeds(rehearsal, rehearsal.members[n]) == succeeds(rehearsal, rehearsal.flights[n])) {
      ++same_ends;
    }
    const auto difference = difference_of_pair(rehearsal, n);
    if (difference) differences.emplace_back(std::abs(*difference), rehearsal.members[n].name);
  }
  std::string text = fmt::format("{} of {} end alike", same_ends, rehearsal.members.size());
  if (differences.empty()) return text;
  std::sort(differences.begin(), differences.end());
  const auto& [max, name] = differences.back();
  const auto words = [&](double difference) { return in_words(rehearsal, difference, "{:.1f}"); };
  const char* quantity = rehearsal.objective == Objective::stay     ? "time within"
                         : rehearsal.objective == Objective::follow ? "distance"
                                                                    : "time";
  if (differences.size() == 1) {
    return text + fmt::format("; the flight's {} is {} off", quantity, words(max));
  }
  return text + fmt::format("; {} {} off in the median, {} at most ({})",
                            keeps(rehearsal.objective) ? fmt::format("the flights' {} is", quantity)
                                                       : "where both arrive the flights' times are",
                            words(differences[(differences.size() - 1) / 2].first), words(max),
                            name);
}

/// The outlook of the members: median arrival and its window, or mean station keeping.
std::string describe_rehearsed(const Rehearsal& rehearsal) {
  constexpr const char* format = "in the forecast's own files: {}\n\n";
  const Outlook outlook = outlook_of(rehearsal);
  if (!outlook.keeping) {
    return fmt::format(format,
                       describe_outlook(outlook, rehearsal.departure, {60, 60, 60}, Units::metric));
  }
  std::string text =
      describe_outlook(*outlook.keeping, rehearsal.target_radius, rehearsal.lasts, Units::metric);
  if (outlook.lost > 0) {
    text += fmt::format("; {} of {} not until the end", outlook.lost, outlook.flights);
  }
  return fmt::format(format, text);
}

Json figures_json(const Rehearsal& rehearsal, const RehearsalFigures& figures) {
  if (keeps(rehearsal.objective)) {
    return {{name_of_keeping(rehearsal), json_number(figures.keeping)}};
  }
  return {{"arrival_rate", json_number(figures.arrival)}, {"time", json_number(figures.time)}};
}

Json flight_json(const Rehearsal& rehearsal, const RehearsalFlight& flight) {
  Json json{{"outcome", std::string(to_string(flight.outcome))},
            {"time", json_number(flight.duration)}};
  if (keeps(rehearsal.objective)) json[name_of_keeping(rehearsal)] = json_number(flight.keeping);
  return json;
}

std::vector<Row> rows_of_means(const Rehearsal& rehearsal) {
  const auto& [prediction, flown, rehearsed] =
      std::tie(rehearsal.promise, rehearsal.flown, rehearsal.rehearsed);
  if (keeps(rehearsal.objective)) {
    const auto text = [&](const RehearsalFigures& figures) {
      return keeping_text(rehearsal, figures.keeping);
    };
    return {{rehearsal.objective == Objective::stay ? "within the target" : "away, on average",
             prediction ? text(*prediction) : "–", text(flown), text(rehearsed),
             mean_difference_text(rehearsal)}};
  }
  const bool has_probability = supports_probability(rehearsal.uncertainty);
  const auto arriving = [&](const RehearsalFigures& figures,
                            const std::vector<RehearsalFlight>& flights) {
    return has_probability
               ? percent(figures.arrival)
               : fmt::format("{} of {}", std::ranges::count_if(flights, arrives), flights.size());
  };
  return {{"arrive", prediction && has_probability ? percent(prediction->arrival) : "–",
           arriving(flown, rehearsal.flights), arriving(rehearsed, rehearsal.members), ""},
          {"after, on average", prediction ? hours(prediction->time) : "–", hours(flown.time),
           hours(rehearsed.time), mean_difference_text(rehearsal)}};
}

}  // namespace

std::string describe_rehearsal(const Rehearsal& rehearsal) {
  const std::string note = uncertainty_note(rehearsal.uncertainty);
  std::string text = (note.empty() ? "" : note + "\n") + describe_rehearsed(rehearsal);
  for (const std::string& line : rehearsal.lines) text += line + "\n";
  std::vector<Row> rows{{"", "predicted", "flights", "rehearsal", "flights off by"}};
  for (Row& row : rows_of_means(rehearsal)) rows.push_back(std::move(row));
  for (std::size_t n = 0; n < rehearsal.members.size(); ++n) {
    Row row{rehearsal.members[n].name, "", "", end_of(rehearsal, rehearsal.members[n]), ""};
    if (rehearsal.paired) {
      const auto difference = difference_of_pair(rehearsal, n);
      row[2] = end_of(rehearsal, rehearsal.flights[n]);
      if (difference) row[4] = difference_text(rehearsal, *difference);
    }
    rows.push_back(std::move(row));
  }
  text += as_columns(rows);
  if (rehearsal.paired) text += describe_agreement(rehearsal) + "\n";
  return text;
}

std::string rehearsal_as_json(const Rehearsal& rehearsal) {
  const bool is_keeping = keeps(rehearsal.objective);
  Json members = Json::array();
  for (std::size_t n = 0; n < rehearsal.members.size(); ++n) {
    const RehearsalFlight& member = rehearsal.members[n];
    Json member_json{{"name", member.name}, {"rehearsal", flight_json(rehearsal, member)}};
    if (rehearsal.paired) {
      const auto difference = difference_of_pair(rehearsal, n);
      member_json["flight"] = flight_json(rehearsal, rehearsal.flights[n]);
      member_json[is_keeping ? name_of_keeping(rehearsal) + std::string("_off") : "time_off"] =
          difference ? json_number(*difference) : Json(nullptr);
    }
    member_json["end"] = {{"lon", member.track.back().place.longitude},
                          {"lat", member.track.back().place.latitude},
                          {"date", format_date(member.track.back().time)}};
    members.push_back(std::move(member_json));
  }
  const Json json{
      {"departure", format_date(rehearsal.departure)},
      {"uncertainty", uncertainty_word(rehearsal.uncertainty)},
      {"promise", rehearsal.promise ? figures_json(rehearsal, *rehearsal.promise) : Json(nullptr)},
      {"flights", figures_json(rehearsal, rehearsal.flown)},
      {"rehearsal", figures_json(rehearsal, rehearsal.rehearsed)},
      {"members", std::move(members)},
      {"notes", rehearsal.lines},
      {"warnings", rehearsal.warnings}};
  return json.dump(2, ' ', false, Json::error_handler_t::replace);
}

}  // namespace tidewise

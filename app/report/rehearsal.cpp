#include "app/report/rehearsal.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <vector>

#include "app/report/pilot_words.h"
#include "env/levels/level_dates.h"
#include "output/json_number.h"
#include "output/route/text.h"
#include "solver/fly/trajectory.h"

namespace tidewise {
namespace {

using Json = nlohmann::ordered_json;
using Row = std::array<std::string, 5>;

std::string hours(double seconds) {
  return std::isnan(seconds) ? "–" : fmt::format("{:.1f} h", seconds / 3600);
}

std::string percent(double share) { return fmt::format("{:.4g} %", 100 * share); }

/// Of the flights' time from the rehearsal's.
std::string off(double share) {
  return std::isfinite(share) ? fmt::format("{:+.1f} %", 100 * share) : "";
}

std::string end_of(const RehearsalFlight& flight) {
  return arrives(flight) ? hours(flight.duration) : std::string(outcome_text(flight.outcome));
}

/// How many letters a reader sees.
std::size_t width_of(const std::string& text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char letter) { return (letter & 0xC0) != 0x80; }));
}

std::string as_table(const std::vector<Row>& rows) {
  std::array<std::size_t, 5> width{};
  for (const Row& row : rows) {
    for (std::size_t n = 0; n < row.size(); ++n) width[n] = std::max(width[n], width_of(row[n]));
  }
  std::string text;
  for (const Row& row : rows) {
    std::string line = "  " + row[0] + std::string(width[0] - width_of(row[0]), ' ');
    for (std::size_t n = 1; n < row.size(); ++n) {
      line += "  " + std::string(width[n] - width_of(row[n]), ' ') + row[n];
    }
    text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  }
  return text;
}

/// "−0.7 % of 4 pairs": the flights' times on average, of members where both arrive, or of both
/// means.
std::string mean_off(const Rehearsal& rehearsal) {
  if (!rehearsal.paired) return off(rehearsal.flown.time / rehearsal.rehearsed.time - 1);
  double sum = 0;
  double count = 0;
  for (std::size_t n = 0; n < rehearsal.members.size(); ++n) {
    const auto difference = difference_of_times(rehearsal, n);
    sum += difference.value_or(0);
    count += difference ? 1 : 0;
  }
  if (!(count > 0)) return "";
  // The means beside it are of others, too, where one of the two does not arrive.
  const bool all = count == static_cast<double>(rehearsal.members.size());
  return off(sum / count) + (all ? "" : fmt::format(" of {} pairs", count));
}

/// "9 of 9 end alike; where both arrive the flights' times are 0.3 % off in the median, 1.1 % at
/// most (6 h later)".
std::string describe_agreement(const Rehearsal& rehearsal) {
  std::size_t alike = 0;
  std::vector<std::pair<double, std::string>> differences;
  for (std::size_t n = 0; n < rehearsal.members.size(); ++n) {
    if (arrives(rehearsal.members[n]) == arrives(rehearsal.flights[n])) ++alike;
    const auto difference = difference_of_times(rehearsal, n);
    if (difference) differences.emplace_back(std::abs(*difference), rehearsal.members[n].name);
  }
  std::string text = fmt::format("{} of {} end alike", alike, rehearsal.members.size());
  if (differences.empty()) return text;
  std::sort(differences.begin(), differences.end());
  const auto& [most, name] = differences.back();
  if (differences.size() == 1) {
    return text + fmt::format("; the flight's time is {:.1f} % off", 100 * most);
  }
  return text + fmt::format(
                    "; where both arrive the flights' times are {:.1f} % off in the median, "
                    "{:.1f} % at most ({})",
                    100 * differences[(differences.size() - 1) / 2].first, 100 * most, name);
}

/// When the members arrive, in the median, and how far the farthest is from it.
std::string describe_verdict(const Rehearsal& rehearsal) {
  std::vector<double> times;
  for (const RehearsalFlight& member : rehearsal.members) {
    if (arrives(member)) times.push_back(member.duration);
  }
  std::sort(times.begin(), times.end());
  Prospect prospect{rehearsal.rehearsed.arrival, 0, 0};
  if (!times.empty()) {
    prospect.time = times[(times.size() - 1) / 2];  // when half are there, as of flights
    prospect.margin = std::max(times.back() - prospect.time, prospect.time - times.front());
  }
  return fmt::format("in the forecast's own files: {}\n\n",
                     describe_prospect(prospect, rehearsal.departure, Units::metric));
}

Json figures_json(const RehearsalFigures& figures) {
  return {{"arrival_rate", json_number(figures.arrival)}, {"time", json_number(figures.time)}};
}

Json flight_json(const RehearsalFlight& flight) {
  return {{"outcome", std::string(to_string(flight.outcome))},
          {"time", json_number(flight.duration)}};
}

}  // namespace

std::string describe_rehearsal(const Rehearsal& rehearsal) {
  std::string text = describe_verdict(rehearsal);
  for (const std::string& line : rehearsal.lines) text += line + "\n";
  std::vector<Row> rows{{"", "promise", "flights", "rehearsal", "flights off by"}};
  const auto& promise = rehearsal.promise;
  rows.push_back({"arrive", promise ? percent(promise->arrival) : "–",
                  percent(rehearsal.flown.arrival), percent(rehearsal.rehearsed.arrival), ""});
  rows.push_back({"after, on average", promise ? hours(promise->time) : "–",
                  hours(rehearsal.flown.time), hours(rehearsal.rehearsed.time),
                  mean_off(rehearsal)});
  for (std::size_t n = 0; n < rehearsal.members.size(); ++n) {
    Row row{rehearsal.members[n].name, "", "", end_of(rehearsal.members[n]), ""};
    if (rehearsal.paired) {
      const auto difference = difference_of_times(rehearsal, n);
      row[2] = end_of(rehearsal.flights[n]);
      if (difference) row[4] = off(*difference);
    }
    rows.push_back(std::move(row));
  }
  text += as_table(rows);
  if (rehearsal.paired) text += describe_agreement(rehearsal) + "\n";
  return text;
}

std::string rehearsal_as_json(const Rehearsal& rehearsal) {
  Json members = Json::array();
  for (std::size_t n = 0; n < rehearsal.members.size(); ++n) {
    const RehearsalFlight& member = rehearsal.members[n];
    Json one{{"name", member.name}, {"rehearsal", flight_json(member)}};
    if (rehearsal.paired) {
      const auto difference = difference_of_times(rehearsal, n);
      one["flight"] = flight_json(rehearsal.flights[n]);
      one["time_off"] = difference ? json_number(*difference) : Json(nullptr);
    }
    one["end"] = {{"lon", member.track.back().place.longitude},
                  {"lat", member.track.back().place.latitude},
                  {"date", format_date(member.track.back().time)}};
    members.push_back(std::move(one));
  }
  const Json json{{"departure", format_date(rehearsal.departure)},
                  {"promise", rehearsal.promise ? figures_json(*rehearsal.promise) : Json(nullptr)},
                  {"flights", figures_json(rehearsal.flown)},
                  {"rehearsal", figures_json(rehearsal.rehearsed)},
                  {"members", std::move(members)},
                  {"notes", rehearsal.lines},
                  {"warnings", rehearsal.warnings}};
  return json.dump(2, ' ', false, Json::error_handler_t::replace);
}

}  // namespace tidewise

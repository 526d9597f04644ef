#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <utility>
#include <vector>

#include "planner/rehearsal/rehearsal.h"
#include "planner/run/flight_figures.h"
#include "planner/run/recommend.h"
#include "solver/fly/trajectory.h"
#include "solver/step/mission.h"

namespace tidewise {
namespace {

constexpr double max_difference = 0.05;  // share of the time, or of the arrivals

/// Distances are small in target following, so relative differences are larger.
double max_difference_of(Objective objective) {
  return objective == Objective::follow ? 0.1 : max_difference;
}

std::string describe(const Rehearsal& rehearsal, const RehearsalFlight& flight) {
  if (!std::isnan(flight.keeping)) {
    std::string text =
        describe_keeping(flight.keeping, rehearsal.objective == Objective::follow, Units::metric);
    if (succeeds(rehearsal, flight)) return text;
    return fmt::format("{} until it {} after {:.1f} h", text, in_words(flight.outcome),
                       flight.duration / 3600);
  }
  return arrives(flight) ? fmt::format("arrives after {:.1f} h", flight.duration / 3600)
                         : std::string(in_words(flight.outcome));
}

std::string describe(const Rehearsal& rehearsal, const RehearsalFigures& figures) {
  if (keeps(rehearsal.objective)) {
    return describe_keeping(figures.keeping, rehearsal.objective == Objective::follow,
                            Units::metric);
  }
  if (!(figures.arrival > 0)) return "none arrive";
  const std::string share = rehearsal.uncertainty == ForecastUncertainty::ensemble
                                ? fmt::format("{:.4g} % arrive", 100 * figures.arrival)
                            : figures.arrival < 1 ? "some arrive"
                                                  : "all arrive";
  return fmt::format("{}, after {:.1f} h on average", share, figures.time / 3600);
}

/// Descriptions of the members whose rehearsal differs from their flight.
std::vector<std::string> describe_differing_members(const Rehearsal& rehearsal) {
  std::vector<std::string> differences;
  for (std::size_t n = 0; n < rehearsal.members.size(); ++n) {
    const RehearsalFlight& member = rehearsal.members[n];
    const RehearsalFlight& flight = rehearsal.flights[n];
    const auto difference = difference_of_pair(rehearsal, n);
    const bool are_similar =
        succeeds(rehearsal, member) == succeeds(rehearsal, flight) &&
        (!difference || std::abs(*difference) <= max_difference_of(rehearsal.objective));
    if (are_similar) continue;
    differences.push_back(fmt::format("{}: flight {}, rehearsal {}", member.name,
                                      describe(rehearsal, flight), describe(rehearsal, member)));
  }
  return differences;
}

/// True if the source is a single forecast without the errors that the environment adds, and its
/// flight lies within the range of the others. It need not lie at their mean.
bool lies_among_flights(const Rehearsal& rehearsal) {
  const bool has_added_error = rehearsal.uncertainty == ForecastUncertainty::error_model ||
                               rehearsal.uncertainty == ForecastUncertainty::guess;
  if (!has_added_error || rehearsal.members.size() != 1 || keeps(rehearsal.objective)) return false;
  const RehearsalFlight& member = rehearsal.members.front();
  if (!arrives(member)) return rehearsal.flown.arrival < 1;
  double first = std::numeric_limits<double>::infinity();
  double last = 0;
  for (const RehearsalFlight& flight : rehearsal.flights) {
    if (!arrives(flight)) continue;
    first = std::min(first, flight.duration);
    last = std::max(last, flight.duration);
  }
  return first <= member.duration && member.duration <= last;
}

/// Compares the means of flights and members: a description if they differ, else none.
std::vector<std::string> describe_differing_means(const Rehearsal& rehearsal) {
  if (lies_among_flights(rehearsal)) return {};
  const RehearsalFigures& flown = rehearsal.flown;
  const RehearsalFigures& rehearsed = rehearsal.rehearsed;
  // With few members, their share has a resolution of one member.
  const double tolerance =
      std::max(max_difference, 1.0 / static_cast<double>(rehearsal.members.size()));
  const bool are_similar =
      std::abs(flown.arrival - rehearsed.arrival) <= tolerance + 1e-9 &&
      !(std::abs(difference_of_means(rehearsal)) > max_difference_of(rehearsal.objective));
  if (are_similar) return {};
  return {fmt::format("flights: {}; rehearsal: {}", describe(rehearsal, flown),
                      describe(rehearsal, rehearsed))};
}

double difference_of(Objective objective, double flown, double rehearsed) {
  return objective == Objective::stay ? flown - rehearsed : flown / rehearsed - 1;
}

}  // namespace

const char* name_of_keeping(const Rehearsal& rehearsal) {
  return rehearsal.objective == Objective::follow ? "distance" : "within";
}

bool succeeds(const Rehearsal& rehearsal, const RehearsalFlight& flight) {
  return keeps(rehearsal.objective) ? flight.outcome == TrajectoryOutcome::out_of_time
                                    : arrives(flight);
}

double difference_of_means(const Rehearsal& rehearsal) {
  const double RehearsalFigures::*figure =
      keeps(rehearsal.objective) ? &RehearsalFigures::keeping : &RehearsalFigures::time;
  return difference_of(rehearsal.objective, rehearsal.flown.*figure, rehearsal.rehearsed.*figure);
}

std::optional<double> difference_of_pair(const Rehearsal& rehearsal, std::size_t n) {
  const RehearsalFlight& flight = rehearsal.flights[n];
  const RehearsalFlight& member = rehearsal.members[n];
  const bool kept = keeps(rehearsal.objective);
  if (!kept && !(arrives(flight) && arrives(member) && member.duration > 0)) return {};
  const double difference =
      kept ? difference_of(rehearsal.objective, flight.keeping, member.keeping)
           : difference_of(rehearsal.objective, flight.duration, member.duration);
  return std::isfinite(difference) ? std::optional(difference) : std::nullopt;
}

std::string warn_of_differences(const Rehearsal& rehearsal) {
  constexpr std::size_t max = 3;
  std::vector<std::string> differences = rehearsal.paired ? describe_differing_members(rehearsal)
                                                          : describe_differing_means(rehearsal);
  if (differences.empty()) return "";
  const std::size_t left_out = differences.size() - std::min(differences.size(), max);
  differences.resize(differences.size() - left_out);
  // A heading that is held for several steps can miss a small target on either side.
  const bool may_pass = rehearsal.target_radius > 0 && rehearsal.distance_between_decisions > 0 &&
                        2 * rehearsal.target_radius < rehearsal.distance_between_decisions;
  const std::string remedy =
      may_pass
          ? fmt::format(
                "the vehicle moves {:.2g} km between decisions and may miss a target of "
                "{:.2g} km: give mission.target_radius of {:.2g}km, or decide more often "
                "(mission.decide_every)",
                rehearsal.distance_between_decisions / 1000, 2 * rehearsal.target_radius / 1000,
                rehearsal.distance_between_decisions / 1000)
      : rehearsal.changes_depth
          ? "the plan ignores the time of descent and ascent: let the vehicle decide less often "
            "(mission.decide_every), or dive less deep"
          : "a shorter --step and --spacing of 'tidewise env import' resolve more of the "
            "forecast";
  const char* max_allowed = rehearsal.objective == Objective::stay     ? "5 points"
                            : rehearsal.objective == Objective::follow ? "10 %"
                                                                       : "5 %";
  return fmt::format(
      "flights in the environment and in the forecast's own files differ by more than {} ({}{}); "
      "use the rehearsal's figures; {}",
      max_allowed, fmt::join(differences, "; "),
      left_out > 0 ? fmt::format("; and {} more", left_out) : "", remedy);
}

Outlook outlook_of(const Rehearsal& rehearsal) {
  std::vector<double> times;
  std::int64_t lost = 0;
  for (const RehearsalFlight& member : rehearsal.members) {
    if (arrives(member)) times.push_back(member.duration);
    if (!succeeds(rehearsal, member)) ++lost;
  }
  Outlook outlook = rehearsed_outlook(std::move(times), std::ssize(rehearsal.members));
  // Errors that were added to a forecast are not in its files.
  outlook.has_probability = rehearsal.uncertainty == ForecastUncertainty::ensemble;
  if (keeps(rehearsal.objective)) {
    outlook.keeping = {rehearsal.rehearsed.keeping, rehearsal.objective == Objective::follow};
    outlook.lost = lost;
  }
  return outlook;
}

}  // namespace tidewise

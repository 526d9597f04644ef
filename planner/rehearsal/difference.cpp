#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "planner/rehearsal/rehearsal.h"
#include "solver/fly/trajectory.h"

namespace tidewise {
namespace {

constexpr double allowed = 0.05;  // share of the time, or of the arrivals

std::string describe(const RehearsalFlight& flight) {
  return arrives(flight) ? fmt::format("arrives after {:.1f} h", flight.duration / 3600)
                         : std::string(in_words(flight.outcome));
}

std::string describe(const RehearsalFigures& figures) {
  if (!(figures.arrival > 0)) return "none arrive";
  return fmt::format("{:.4g} % arrive, after {:.1f} h on average", 100 * figures.arrival,
                     figures.time / 3600);
}

/// Members whose flights are otherwise, a text each.
std::vector<std::string> members_otherwise(const Rehearsal& rehearsal) {
  std::vector<std::string> otherwise;
  for (std::size_t n = 0; n < rehearsal.members.size(); ++n) {
    const RehearsalFlight& member = rehearsal.members[n];
    const RehearsalFlight& flight = rehearsal.flights[n];
    const auto difference = difference_of_times(rehearsal, n);
    const bool alike =
        difference ? std::abs(*difference) <= allowed : arrives(member) == arrives(flight);
    if (alike) continue;
    otherwise.push_back(fmt::format("{}: flight {}, rehearsal {}", member.name, describe(flight),
                                    describe(member)));
  }
  return otherwise;
}

/// The same of flights and members as a whole: one text, or none.
std::vector<std::string> means_otherwise(const Rehearsal& rehearsal) {
  const RehearsalFigures& flown = rehearsal.flown;
  const RehearsalFigures& rehearsed = rehearsal.rehearsed;
  // A share of few members is known to one of them at best.
  const double least = std::max(allowed, 1.0 / static_cast<double>(rehearsal.members.size()));
  const bool alike = std::abs(flown.arrival - rehearsed.arrival) <= least + 1e-9 &&
                     !(std::abs(flown.time / rehearsed.time - 1) > allowed);
  if (alike) return {};
  return {fmt::format("flights: {}; rehearsal: {}", describe(flown), describe(rehearsed))};
}

}  // namespace

std::optional<double> difference_of_times(const Rehearsal& rehearsal, std::size_t n) {
  const RehearsalFlight& flight = rehearsal.flights[n];
  const RehearsalFlight& member = rehearsal.members[n];
  if (!arrives(flight) || !arrives(member) || !(member.duration > 0)) return {};
  return flight.duration / member.duration - 1;
}

std::string warn_of_differences(const Rehearsal& rehearsal) {
  constexpr std::size_t most = 3;
  std::vector<std::string> otherwise =
      rehearsal.paired ? members_otherwise(rehearsal) : means_otherwise(rehearsal);
  if (otherwise.empty()) return "";
  const std::size_t more = otherwise.size() - std::min(otherwise.size(), most);
  otherwise.resize(otherwise.size() - more);
  // A heading that is held passes beside a small target, on one side or on the other.
  const bool may_pass = rehearsal.target_radius > 0 && rehearsal.held_way > 0 &&
                        2 * rehearsal.target_radius < rehearsal.held_way;
  const std::string remedy =
      may_pass
          ? fmt::format(
                "the vehicle makes {:.2g} km between decisions and passes beside a target of "
                "{:.2g} km: give mission.target_radius of {:.2g}km, or decide more often "
                "(mission.decide_every)",
                rehearsal.held_way / 1000, 2 * rehearsal.target_radius / 1000,
                rehearsal.held_way / 1000)
          : "a shorter --step and --spacing of 'tidewise env import' bring an environment nearer "
            "to its forecast";
  return fmt::format(
      "flights in the environment and in the forecast's own files differ by more than 5 % ({}{}); "
      "believe the rehearsal; {}",
      fmt::join(otherwise, "; "), more > 0 ? fmt::format("; and {} more", more) : "", remedy);
}

}  // namespace tidewise

#include "planner/route/route_cost.h"

#include <fmt/format.h>

#include <cmath>

#include "env/units/text.h"
#include "planner/run/flight_figures.h"
#include "solver/step/mission.h"

namespace tidewise {
namespace {

constexpr double max_arrival_lost = 0.02;
constexpr double max_time_lost = 0.03;
constexpr double max_energy_lost = 0.03;

std::string figures_of(const RolloutStatistics& flown, const Route& route) {
  const Units units = route.units;
  std::string text = flown.has_probability
                         ? fmt::format("{:.4g} % arrive", 100 * flown.arrival_rate)
                         : describe_arriving(flown) + " arrive";
  if (!std::isfinite(flown.time.mean)) return text;
  text += fmt::format(", after {} on average", describe_duration(flown.time.mean, units));
  if (flown.has_probability) {
    text += fmt::format(" (90 % within {} to {})", describe_duration(flown.time.p05, units),
                        describe_duration(flown.time.p95, units));
  }
  if (!reports_energy(route.objective, route.energy, units)) return text;
  return text + ", energy " + describe_energy(flown.energy.mean, route.energy, units);
}

/// True if flights along the waypoints have a better total reward, including failure penalties,
/// than the policy.
bool beats_policy(const RouteCost& cost) {
  constexpr double rounding = 1e-6;
  const double policy = cost.policy.mean_total_reward;
  return cost.waypoints.mean_total_reward > policy + rounding * std::abs(policy);
}

}  // namespace

std::string route_cost_warning(const Route& route) {
  const RolloutStatistics& policy = route.cost->policy;
  const RolloutStatistics& waypoints = route.cost->waypoints;
  const std::string count = counted(route.waypoints.size() - 1, "waypoint");
  if (beats_policy(*route.cost)) {
    return fmt::format(
        "{} give better flights than the policy in the same realizations: waypoints {}; policy {}",
        count, figures_of(waypoints, route), figures_of(policy, route));
  }
  const double arrival_loss = policy.arrival_rate - waypoints.arrival_rate;
  const double time_increase = waypoints.time.mean / policy.time.mean - 1;
  std::string differences;
  if (arrival_loss >= max_arrival_lost) {
    differences = waypoints.has_probability
                      ? fmt::format("{:.4g} % of the flights arrive, with the policy {:.4g} %",
                                    100 * waypoints.arrival_rate, 100 * policy.arrival_rate)
                      : fmt::format("{} arrive, with the policy {}", describe_arriving(waypoints),
                                    count_arrived(policy));
  }
  if (time_increase >= max_time_lost) {
    differences += fmt::format(
        "{}flights take {} on average, with the policy {} ({:+.1f} %)",
        differences.empty() ? "" : "; ", describe_duration(waypoints.time.mean, route.units),
        describe_duration(policy.time.mean, route.units), 100 * time_increase);
  }
  const double energy_increase = waypoints.energy.mean / policy.energy.mean - 1;
  if (counts_energy(route.objective) && energy_increase >= max_energy_lost) {
    differences += fmt::format("{}flights spend {} on average, with the policy {} ({:+.1f} %)",
                               differences.empty() ? "" : "; ",
                               describe_energy(waypoints.energy.mean, route.energy, route.units),
                               describe_energy(policy.energy.mean, route.energy, route.units),
                               100 * energy_increase);
  }
  if (differences.empty()) return {};
  return fmt::format(
      "following {} is worse than the policy: {}; export again at each surfacing, from the "
      "vehicle's position ('tidewise rollout {}', then export that)",
      count, differences, route.waypoints.front().place ? "--at" : "--at-xy");
}

std::vector<std::string> describe_route_cost(const Route& route) {
  const RouteCost& cost = *route.cost;
  std::vector<std::string> lines{
      fmt::format("waypoints flown without the policy, {} realizations: {}",
                  cost.waypoints.trajectories, figures_of(cost.waypoints, route)),
      fmt::format("the policy in the same realizations: {}", figures_of(cost.policy, route)),
  };
  if (!cost.note.empty()) lines.insert(lines.begin(), cost.note);
  return lines;
}

std::vector<std::string> route_cost_remarks(const Route& route) {
  std::vector<std::string> lines = describe_route_cost(route);
  const std::string warning = route_cost_warning(route);
  if (!warning.empty()) lines.insert(lines.begin(), "warning: " + warning);
  return lines;
}

}  // namespace tidewise

#include "planner/run/recommend.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "output/run/policy_description.h"
#include "planner/figures/rounding.h"
#include "planner/run/flight_figures.h"

namespace tidewise {
namespace {

double mean_keeping(const PlanOutcome& plan) {
  return plan.rollout && plan.rollout->keeping ? plan.rollout->keeping->mean
                                               : keeping_of(plan.expected)->mean;
}

Advice advise_keeping(const PlanCost& cost, double min_gain) {
  const double own = mean_keeping(cost.own);
  const double old = mean_keeping(cost.old);
  if (keeping_of(cost.own.expected)->is_distance) {
    const double nearer = old > 0 ? 1 - own / old : 0;
    return {nearer >= min_gain ? Advice::Plan::change : Advice::Plan::stay,
            fmt::format("keeps {:.1f} % {}", 100 * std::abs(nearer),
                        nearer < 0 ? "farther away" : "nearer")};
  }
  return {own - old >= min_gain ? Advice::Plan::change : Advice::Plan::stay,
          fmt::format("is within the target {:.1f} % of the time in place of {:.1f} %", 100 * own,
                      100 * old)};
}

/// Describes a new plan with another arrival probability, which is higher than the old one's by
/// `probability_gain`.
std::string describe_probability_gain(const PlanCost& cost, double probability_gain) {
  if (!cost.own.rollout || !cost.old.rollout) {
    return probability_gain > 0 ? "arrives more often by the model"
                                : "arrives less often by the model";
  }
  const RolloutStatistics& own = *cost.own.rollout;
  const RolloutStatistics& old = *cost.old.rollout;
  if (!own.has_probability) {
    return fmt::format("arrives in {} of {} simulated missions in place of {}", count_arrived(own),
                       own.trajectories, count_arrived(old));
  }
  return fmt::format("arrives with {} in place of {}", describe_chance(own.arrival_rate),
                     describe_chance(old.arrival_rate));
}

/// Formats a time that the new plan saves or loses, rounded by the standard error of its flights if
/// any.
std::string describe_saving(double time, const PlanOutcome& own, Units units) {
  const bool has_error = own.rollout && own.rollout->has_probability;
  const double error = has_error ? own.rollout->time_standard_error : 0;
  if (error > 0) return describe_duration(time, units, rounding_step(error, units));
  return units == Units::metric ? fmt::format("{:.1f} h", time / 3600) : plain_number(time, 3);
}

/// True if the second run has another target than the first.
bool has_other_target(const RunComparison& comparison) {
  const auto is_other = [](const MissionDifference& difference) {
    return !difference.second.is_null() &&
           (difference.key.starts_with("mission.target") || difference.key == "mission.follow");
  };
  return std::any_of(comparison.mission.begin(), comparison.mission.end(), is_other);
}

/// True if the first plan starts after the second one's departure.
bool begins_after_departure(const RunComparison& comparison, const ComparedRun& first,
                            const ComparedRun& second) {
  const auto departure = [](const ComparedRun& run) {
    const auto part = run.summary.find("departure");
    if (part == run.summary.end() || !part->is_object()) return 0;
    const auto level = part->find("level");
    return level != part->end() && level->is_number_integer() ? level->get<std::int32_t>() : 0;
  };
  const bool is_whole = first.policy.extent() == PolicyExtent::whole;
  return departure(second) + comparison.alignment.levels < (is_whole ? 0 : departure(first));
}

/// Returns the recommendation for one plan: by its flights, if any, else by the evaluation.
Recommendation recommend_of(const std::optional<ExpectedOutcome>& expected,
                            const std::optional<RolloutStatistics>& rollout,
                            const std::optional<WindowCalibration>& calibration) {
  Recommendation recommendation;
  const bool flown = rollout && rollout->trajectories > 0;
  if (!flown && !expected) return recommendation;
  recommendation.action = Recommendation::Action::go;
  recommendation.outlook = flown ? outlook_of(*rollout, calibration) : outlook_of(*expected);
  // Flights may lack the figure of station keeping; the prediction has it.
  if (expected && !recommendation.outlook.keeping)
    recommendation.outlook.keeping = keeping_of(*expected);
  return recommendation;
}

Recommendation completed(Recommendation recommendation, const RunSummary& summary) {
  using enum Recommendation::Action;
  recommendation.note = uncertainty_note(summary.uncertainty);
  if (recommendation.action == none) return recommendation;
  recommendation.outlook.has_probability = supports_probability(summary.uncertainty);
  if (summary.places) recommendation.departure = summary.places->departure_instant;
  if (!recommendation.outlook.keeping) {
    const bool arrives = recommendation.outlook.chance > 0;
    if (!arrives && recommendation.action == go) recommendation.action = do_not_go;
    if (arrives && !summary.first_action) recommendation.action = at_target;
  }
  if (recommendation.action == go || recommendation.action == change)
    recommendation.first = summary.first_action;
  return recommendation;
}

}  // namespace

RolloutStatistics with_window(RolloutStatistics flown, const WindowCalibration& calibration) {
  Spread& time = flown.time;
  const auto side = [&](double length) {
    return calibration.factor * std::max(length, shortest_window_side);
  };
  const double earlier = side(time.p50 - time.p05);
  time.p95 = time.p50 + side(time.p95 - time.p50);
  time.p05 = std::max(0.0, time.p50 - earlier);
  return flown;
}

Outlook outlook_of(const RolloutStatistics& flown,
                   const std::optional<WindowCalibration>& calibration) {
  if (calibration && flown.has_probability && !flown.keeping && flown.arrival_rate > 0) {
    Outlook outlook = outlook_of(with_window(flown, *calibration));
    outlook.calibrated_on = calibration->missions;
    return outlook;
  }
  const Spread& time = flown.time;
  Outlook outlook{Outlook::Basis::flights, flown.trajectories};
  if (flown.keeping) {
    outlook.keeping = {flown.keeping->mean, flown.keeping->is_distance};
    for (const FailureKind& kind : failure_kinds) outlook.lost += flown.failures.*kind.count;
    return outlook;
  }
  outlook.arrived = count_arrived(flown);
  outlook.chance = flown.arrival_rate;
  outlook.has_probability = flown.has_probability;
  outlook.chance_range = flown.arrival_range;
  outlook.time = time.p50;
  outlook.earlier = time.p50 - time.p05;
  outlook.later = time.p95 - time.p50;
  for (const auto& [share, by] : flown.arrived_by) {
    if (share == 0.5) outlook.half = by;
  }
  return outlook;
}

Outlook outlook_of(const ExpectedOutcome& expected) {
  Outlook outlook{.chance = expected.arrival_probability, .time = expected.time};
  outlook.keeping = keeping_of(expected);
  return outlook;
}

Outlook rehearsed_outlook(std::vector<double> times, std::int64_t flights) {
  Outlook outlook{Outlook::Basis::rehearsal, flights};
  if (times.empty()) return outlook;
  std::sort(times.begin(), times.end());
  const auto half_of = [](std::size_t count) { return (count + 1) / 2; };
  const std::size_t half = half_of(static_cast<std::size_t>(flights));
  outlook.arrived = std::ssize(times);
  outlook.chance = static_cast<double>(times.size()) / static_cast<double>(flights);
  outlook.time = times[half_of(times.size()) - 1];
  outlook.earlier = outlook.time - times.front();
  outlook.later = times.back() - outlook.time;
  if (half <= times.size()) outlook.half = times[half - 1];
  return outlook;
}

namespace {

/// Returns two standard errors of the difference between the arrival rates of both plans' flights,
/// so that a single flight among many does not exceed it; 0 for the model and for flights without
/// probability.
double noise_of_arrivals(const PlanCost& cost) {
  if (!cost.own.rollout || !cost.old.rollout) return 0;
  double variance = 0;
  for (const PlanOutcome* plan : {&cost.own, &cost.old}) {
    const RolloutStatistics& flown = *plan->rollout;
    if (!flown.has_probability) return 0;
    const double flights = flown.effective_flights > 0 ? flown.effective_flights
                                                       : static_cast<double>(flown.trajectories);
    variance += flown.arrival_rate * (1 - flown.arrival_rate) / flights;
  }
  return 2 * std::sqrt(variance);
}

}  // namespace

Advice advise(const PlanCost& cost, const RunRequest::Goal& goal, Units units) {
  struct Figures {
    double arrival, time, energy, net_energy;
  };
  const auto figures_of = [&](const PlanOutcome& plan) -> Figures {
    if (cost.own.rollout && cost.old.rollout) {
      const RolloutStatistics& flown = *plan.rollout;
      return {flown.arrival_rate, flown.time.mean, flown.energy.mean, flown.net_energy.mean};
    }
    return {plan.expected.arrival_probability, plan.expected.time, plan.expected.energy,
            plan.expected.net_energy};
  };
  // the smallest gain, as a share, for which a vehicle should change its plan
  constexpr double min_gain = 0.01;
  if (keeping_of(cost.own.expected)) return advise_keeping(cost, min_gain);
  const Figures own = figures_of(cost.own);
  const Figures old = figures_of(cost.old);
  const double probability_gain = own.arrival - old.arrival;
  if (!(own.arrival > 0) && !(old.arrival > 0)) {
    return {Advice::Plan::stay, "never arrives either"};
  }
  if (!(old.arrival > 0) && own.arrival > 0) {
    return {Advice::Plan::change, "arrives, and the old one never does"};
  }
  if (std::abs(probability_gain) >= std::max(min_gain, noise_of_arrivals(cost))) {
    return {probability_gain > 0 ? Advice::Plan::change : Advice::Plan::stay,
            describe_probability_gain(cost, probability_gain)};
  }
  const auto plan_of = [&](double saved, double total) {
    const bool gains = saved >= min_gain * std::abs(total) && saved > 0;
    return gains ? Advice::Plan::change : Advice::Plan::stay;
  };
  if (goal.objective == Objective::energy || goal.objective == Objective::net_energy) {
    const double saved = goal.objective == Objective::energy ? old.energy - own.energy
                                                             : old.net_energy - own.net_energy;
    return {plan_of(saved, old.energy),
            fmt::format("{} {} of energy", saved < 0 ? "costs" : "saves",
                        describe_energy(std::abs(saved), goal.energy, units))};
  }
  const double saved = old.time - own.time;
  if (!(std::abs(saved) > 0)) return {Advice::Plan::stay, "gains nothing"};
  return {plan_of(saved, old.time),
          (saved < 0 ? "loses " : "gains ") + describe_saving(std::abs(saved), cost.own, units)};
}

PlanChoice choose_plan(const RunComparison& comparison, const ComparedRun& first,
                       const ComparedRun& second) {
  using enum PlanChoice::Kind;
  if (!comparison.cost) return {no_cost};
  if (has_other_target(comparison)) return {two_targets};
  if (begins_after_departure(comparison, first, second)) return {begins_later};
  const RunRequest::Goal& goal = second.request.goal;
  if (first.request.goal.objective != goal.objective) return {two_objectives};
  return {advised, advise(*comparison.cost, goal, describe_environment_of(second.policy).units)};
}

Recommendation recommend(const RunSummary& summary) {
  return completed(recommend_of(summary.expected, summary.rollout, summary.calibration), summary);
}

Recommendation recommend(const RunSummary& summary, const PlanCost& cost,
                         const RunRequest::Goal& goal, Units units) {
  Advice advice = advise(cost, goal, units);
  const bool stays = advice.plan == Advice::Plan::stay;
  Recommendation recommendation =
      stays ? recommend_of(cost.old.expected, cost.old.rollout, summary.calibration)
            : recommend_of(summary.expected, summary.rollout, summary.calibration);
  recommendation.action = stays ? Recommendation::Action::stay : Recommendation::Action::change;
  recommendation.gain = std::move(advice.gain);
  if (stays) recommendation.first = cost.old.first;
  return completed(std::move(recommendation), summary);
}

}  // namespace tidewise

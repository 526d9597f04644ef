#include "planner/run/baselines.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "output/run/summary.h"
#include "planner/run/flight_figures.h"
#include "planner/run/prediction_check.h"

namespace tidewise {

std::vector<BaselineSpeed> baseline_speeds(const RunRequest& request,
                                           const std::vector<Action>& actions) {
  const Objective objective = request.goal.objective;
  const bool all = counts_energy(objective) || keeps(objective);
  std::vector<BaselineSpeed> speeds;
  for (const Action& action : actions) {
    const bool is_new = speeds.empty() || speeds.back().profile != action.profile;
    if (is_new || (all && speeds.back().speed != action.speed)) {
      speeds.emplace_back(action.speed, action.profile);
    } else {
      speeds.back().speed = std::max(speeds.back().speed, action.speed);
    }
  }
  return speeds;
}

std::vector<BaselineOutcome> compare_with_baselines(const RolloutResult& plan,
                                                    const std::vector<BaselineFlights>& flown,
                                                    const Mission& mission,
                                                    const EnvironmentInfo& info) {
  const std::vector<FlightEnd> plan_ends = flight_ends(plan, info.time);
  std::vector<BaselineOutcome> outcomes;
  for (const BaselineFlights& flights : flown) {
    RolloutStatistics rollout = summarize(flights.ends, RolloutMode::continuous, info);
    set_keeping(flights.ends, RolloutMode::continuous, mission, info, rollout);
    const bool is_new = outcomes.empty() || outcomes.back().baseline != flights.baseline;
    if (is_new) {
      outcomes.emplace_back();
    } else if (!(rollout.mean_total_reward > outcomes.back().rollout.mean_total_reward)) {
      continue;
    }
    outcomes.back() = {flights.baseline, flights.speed, profile_name(info, flights.profile),
                       rollout, gain_over(plan_ends, flights.ends, info)};
    if (flights.baseline == Baseline::fixed) outcomes.back().heading = flights.heading;
  }
  return outcomes;
}

std::string validate_against_baselines(const std::vector<BaselineOutcome>& baselines,
                                       const RolloutStatistics& flown, const Mission& mission,
                                       const EnvironmentInfo& info) {
  constexpr double standard_errors = 3;
  constexpr double min_share = 0.01;
  const BaselineOutcome* best = best_baseline(baselines);
  if (best == nullptr) return {};
  const double loss = -best->plan_gain.total_reward;
  const double cost = mission.objective == Objective::stay
                          ? mission_duration(info.time, mission)
                          : std::abs(mission.arrival_reward - flown.mean_total_reward);
  const double error = is_sample(flown, info) ? best->plan_gain.standard_error : 0;
  // The error of a single flight among several realizations is NaN, so that no warning follows.
  if (!(loss > min_share * cost && loss > standard_errors * error)) return {};
  const char* remedy =
      !mission.kept ? "plan with more headings or a smaller spacing, or "
      : best->speed > 0
          ? "it uses the local current and any speed up to its own: plan with slower speeds, "
            "too (vehicle.speeds), or "
          : "";
  return fmt::format(
      "the baseline controller '{}' at speed {:.4g}{} does better than the plan in the same "
      "realizations: {}, with the plan {}; {}steer by that controller (docs/trust/accuracy.md)",
      to_string(best->baseline), best->speed,
      best->profile.empty() ? "" : " on dives of the profile " + best->profile,
      describe_figures(best->rollout, mission.objective, mission.energy, info.units),
      describe_figures(flown, mission.objective, mission.energy, info.units), remedy);
}

}  // namespace tidewise

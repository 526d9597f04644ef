#include "planner/departures/departures.h"

#include <algorithm>
#include <cmath>
#include <exception>

#include "base/error.h"
#include "base/memory/view.h"
#include "planner/error/codes.h"
#include "solver/fly/rollout_statistics.h"

namespace tidewise {
namespace {

constexpr std::size_t memory_for_flights = std::size_t{256} << 20;
constexpr double as_good = 0.01;  // tolerated difference of the share of arrivals

std::vector<TimeLevel> levels_to_leave_at(const MissionProblem& run, const PolicyFile& policy,
                                          const DepartureRange& range) {
  const Mission& mission = run.mission;
  std::vector<float> value(static_cast<std::size_t>(policy.grid().cell_count()));
  const auto covers_start = [&](TimeLevel k) {
    if (policy.extent() == PolicyExtent::whole) return true;
    policy.read_value(k, value);
    return !std::isnan(value[static_cast<std::size_t>(mission.start.value)]);
  };
  std::vector<TimeLevel> levels;
  const std::int32_t every = std::min(range.every, mission.last.value + 1);
  for (TimeLevel k = range.first; k <= range.last && k < mission.last; k.value += every) {
    if (policy.decisions().since(k) == 0 && covers_start(k)) levels.push_back(k);
  }
  if (levels.empty()) {
    throw input_error(
        errors::no_departure_in_range, policy.path().string(), range.first.value, range.last.value,
        range.every, mission.last.value,
        policy.decisions().hold() ? " and decides only at some (mission.decide_every)" : "");
  }
  return levels;
}

/// Returns the run's mission with a departure at each of the levels.
std::vector<Mission> missions_from(const Mission& mission, View<const TimeLevel> levels) {
  std::vector<Mission> missions(levels.size, mission);
  for (std::size_t n = 0; n < levels.size; ++n) {
    missions[n].departure = levels[n];
    missions[n].begun = 0;
  }
  return missions;
}

/// Number of departures whose flights fit into memory together, at least one.
std::size_t departures_together(const MissionProblem& run, const RolloutOptions& options) {
  const std::size_t flights = options.realizations.empty()
                                  ? static_cast<std::size_t>(run.info().realization_count)
                                  : options.realizations.size();
  const auto points = static_cast<std::size_t>(run.mission.last.value) + 1;
  return std::max<std::size_t>(1,
                               memory_for_flights / (flights * points * sizeof(TrajectoryPoint)));
}

/// The price of a unit of time for flights that arrive, in units of the total reward; 0 if the
/// objective counts neither time nor energy.
double reward_per_time(const RolloutStatistics& flights, const Mission& mission) {
  const double power = flights.energy.mean / flights.time.mean;
  if (mission.objective == Objective::time) return 1;
  if (mission.objective == Objective::arrival || !std::isfinite(power)) return 0;
  if (mission.objective != Objective::weighted) return power;
  return mission.energy.alpha * power + (1 - mission.energy.alpha);
}

}  // namespace

std::vector<DepartureOutcome> fly_departures(const MissionProblem& run, const PolicyFile& policy,
                                             const DepartureRange& range, Progress& progress) {
  const EnvironmentInfo& info = run.info();
  const std::vector<TimeLevel> levels = levels_to_leave_at(run, policy, range);
  const RolloutOptions options = run.rollout;
  const std::size_t batch_size = departures_together(run, options);
  std::vector<DepartureOutcome> outcomes;
  for (std::size_t first = 0; first < levels.size(); first += batch_size) {
    const View<const TimeLevel> batch =
        View<const TimeLevel>(levels).part(first, std::min(batch_size, levels.size() - first));
    const std::vector<Mission> missions = missions_from(run.mission, batch);
    std::vector<FlightMember> members;
    members.reserve(missions.size());
    for (const Mission& mission : missions) members.push_back({&mission, &policy, options});
    std::vector<MemberFlights> flown = run.context->planner().fly_group(members, progress);
    for (std::size_t n = 0; n < flown.size(); ++n) {
      if (flown[n].failure) std::rethrow_exception(flown[n].failure);
      outcomes.push_back({batch[n], batch[n].value * info.time.step,
                          summarize(flown[n].rollout, info),
                          flight_ends(flown[n].rollout, info.time)});
    }
  }
  return outcomes;
}

namespace {

std::optional<std::size_t> earliest_arrival(const std::vector<DepartureOutcome>& outcomes) {
  double max = 0;
  for (const DepartureOutcome& outcome : outcomes) {
    max = std::max(max, outcome.flights.arrival_rate);
  }
  std::optional<std::size_t> earliest;
  for (std::size_t n = 0; n < outcomes.size(); ++n) {
    const DepartureOutcome& outcome = outcomes[n];
    if (!std::isfinite(outcome.arrival()) || outcome.flights.arrival_rate < max - as_good) continue;
    if (!earliest || outcome.arrival() < outcomes[*earliest].arrival()) earliest = n;
  }
  return earliest;
}

}  // namespace

DepartureChoice choose_departure(const std::vector<DepartureOutcome>& outcomes,
                                 const EnvironmentInfo& info, const Mission& mission) {
  const DepartureOutcome& top =
      *std::max_element(outcomes.begin(), outcomes.end(), [](const auto& a, const auto& b) {
        return a.flights.mean_total_reward < b.flights.mean_total_reward;
      });
  const double resolution = 0.5 * info.time.step * reward_per_time(top.flights, mission);
  DepartureChoice choice;
  choice.earliest = earliest_arrival(outcomes);
  if (!choice.earliest) return choice;
  for (std::size_t n = 0; n < outcomes.size(); ++n) {
    const DepartureOutcome& outcome = outcomes[n];
    if (outcome.flights.arrival_rate < top.flights.arrival_rate - as_good) continue;
    const PlanGain gain = gain_over(top.ends, outcome.ends, info);
    const double sampling = std::isfinite(gain.standard_error) ? 2 * gain.standard_error : 0;
    if (gain.total_reward <= std::max(sampling, resolution)) choice.no_different.push_back(n);
  }
  choice.best = choice.no_different.front();
  return choice;
}

}  // namespace tidewise

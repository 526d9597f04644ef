#include "planner/view/read_departures.h"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/progress.h"
#include "env/level_fields.h"
#include "output/json_number.h"
#include "planner/departures/departures.h"
#include "planner/problem/mission_problem.h"
#include "planner/run/policy_validation.h"

namespace tidewise {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::int32_t most_departures = 24;
constexpr std::int32_t most_flights = 3000;
constexpr double most_bytes = 5e8;  // of velocities that flights read

double bytes_to_read(const EnvironmentInfo& info, TimeLevel last) {
  const double fields = 2.0 * (1 + (shares_modes(info) ? 0 : info.mode_count)) * sizeof(float);
  const auto velocities = static_cast<double>(info.velocities);
  return fields * velocities * info.grid.cell_count() * (last.value + 1.0);
}

/// Steps between two levels that the policy can be begun with.
std::int32_t held_steps(const Decisions& decisions) {
  return decisions.hold() && !decisions.for_all_departures ? decisions.every : 1;
}

/// At levels that decide, so far apart that there are few enough.
DepartureRange spread(const PolicyFile& policy, TimeLevel last) {
  const Decisions& decisions = policy.decisions();
  DepartureRange range{TimeLevel(0), last, 1};
  while (range.first < last && decisions.since(range.first) != 0) ++range.first.value;
  const std::int32_t held = held_steps(decisions);
  const std::int32_t places = (last.value - range.first.value + held - 1) / held;
  range.every = held * std::max(1, (places + most_departures - 1) / most_departures);
  return range;
}

/// As many as fit, evenly over all that the mission flies through.
std::vector<std::int32_t> thinned(std::vector<std::int32_t> realizations, std::int32_t all) {
  constexpr std::size_t most = most_flights / most_departures;
  if (realizations.empty()) {
    for (std::int32_t n = 0; n < all; ++n) realizations.push_back(n);
  }
  std::vector<std::int32_t> kept;
  const std::size_t count = std::min(most, realizations.size());
  for (std::size_t n = 0; n < count; ++n) {
    kept.push_back(realizations[n * realizations.size() / count]);
  }
  return kept;
}

Json to_columns(const std::vector<DepartureOutcome>& outcomes, double step) {
  Json columns;
  for (const DepartureOutcome& one : outcomes) {
    const RolloutStatistics& flown = one.flights;
    columns["level"].push_back(one.level.value);
    columns["arrival"].push_back(json_number(one.arrival() / step));
    columns["arrival_p05"].push_back(json_number((one.time + flown.time.p05) / step));
    columns["arrival_p95"].push_back(json_number((one.time + flown.time.p95) / step));
    columns["chance"].push_back(flown.arrival_rate);
  }
  return columns;
}

}  // namespace

void read_departures(const PolicyFile& policy, RunRequest request, const PlanePoint& start,
                     RunView& view) {
  request.goal.start = {Position::Frame::plane, start.x, start.y, {}, {}};
  request.rollout.mode = RolloutChoice::continuous;
  request.planner.backend = BackendChoice::cpu;
  const auto context = std::make_shared<PlanningContext>(request);
  const EnvironmentInfo& info = context->environment().info();
  if (bytes_to_read(info, policy.last_level()) > most_bytes) {
    view.notes.push_back(
        "When to leave is not shown, as this forecast is large: 'tidewise departures' says it.");
    return;
  }
  bool sampled = false;  // fewer departures or flights than 'tidewise departures' compares
  {
    const MissionProblem asked(request, context);
    if (asked.mission.kept) return;
    request.goal.horizon = policy.last_level().value - asked.mission.departure.value;
    const auto all = asked.rollout.realizations;
    auto kept = thinned(all, info.realization_count);
    const auto count = static_cast<std::size_t>(info.realization_count);
    sampled = kept.size() < (all.empty() ? count : all.size());
    request.rollout.realizations = std::move(kept);
  }
  const MissionProblem run(std::move(request), context);
  validate_policy(policy, run, PlannedHere::no);
  SilentProgress silent;
  const DepartureRange range = spread(policy, run.mission.last);
  sampled = sampled || range.every > held_steps(policy.decisions());
  const auto outcomes = fly_departures(run, policy, range, silent);
  if (outcomes.size() < 2) return;
  Json departures = to_columns(outcomes, info.time.step);
  const DepartureChoice choice = choose_departure(outcomes, info, run.mission);
  departures["best"] = choice.best ? Json(*choice.best) : Json(nullptr);
  departures["earliest"] = choice.earliest ? Json(*choice.earliest) : Json(nullptr);
  departures["no_different"] = choice.no_different;
  departures["flights"] = outcomes.front().flights.trajectories;
  departures["sampled"] = sampled;
  view.facts["departures"] = std::move(departures);
}

}  // namespace tidewise

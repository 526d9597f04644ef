#include "planner/view/read_departures.h"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/progress.h"
#include "env/level_fields.h"
#include "output/json_number.h"
#include "planner/departures/departures.h"
#include "planner/figures/rounding.h"
#include "planner/problem/mission_problem.h"
#include "planner/run/policy_validation.h"

namespace tidewise {
namespace {

using Json = nlohmann::ordered_json;

// All departures and realizations, as 'tidewise departures' compares, where that is no more
// flights.
constexpr std::int64_t max_flights = 10'000;
// Limit of a sample.
constexpr std::int32_t max_sampled_departures = 24;
constexpr std::int32_t max_sampled_realizations = 125;
constexpr double max_bytes = 5e8;  // maximum size of velocities that flights read [B]

double bytes_to_read(const EnvironmentInfo& info, TimeLevel last) {
  const double fields = 2.0 * (1 + (shares_modes(info) ? 0 : info.mode_count)) * sizeof(float);
  const auto velocities = static_cast<double>(info.velocities);
  return fields * velocities * info.grid.cell_count() * (last.value + 1.0);
}

/// Steps between two levels that the policy can be begun with.
std::int32_t held_steps(const Decisions& decisions) {
  return decisions.hold() && !decisions.for_all_departures ? decisions.every : 1;
}

/// All departures and realizations of the mission, or a sample of them.
struct Sample {
  DepartureRange range;
  std::vector<std::int32_t> realizations;  ///< empty: all of the forecast
  bool is_part = false;
};

/// `realizations`: of the mission; empty: all `count` of the forecast.
Sample sample(const PolicyFile& policy, TimeLevel last, std::vector<std::int32_t> realizations,
              std::int32_t count) {
  const Decisions& decisions = policy.decisions();
  Sample taken{{TimeLevel(0), last, 1}, std::move(realizations)};
  while (taken.range.first < last && decisions.since(taken.range.first) != 0) {
    ++taken.range.first.value;
  }
  const std::int32_t held = held_steps(decisions);
  taken.range.every = held;
  const std::int32_t departures = (last.value - taken.range.first.value + held - 1) / held;
  if (taken.realizations.empty()) {
    for (std::int32_t n = 0; n < count; ++n) taken.realizations.push_back(n);
  }
  const std::size_t all = taken.realizations.size();
  if (departures * static_cast<std::int64_t>(all) <= max_flights) return taken;
  taken.is_part = true;
  taken.range.every =
      held * std::max(1, (departures + max_sampled_departures - 1) / max_sampled_departures);
  const std::size_t kept = std::min<std::size_t>(max_sampled_realizations, all);
  for (std::size_t n = 0; n < kept; ++n) taken.realizations[n] = taken.realizations[n * all / kept];
  taken.realizations.resize(kept);
  return taken;
}

Json to_columns(const std::vector<DepartureOutcome>& outcomes, const EnvironmentInfo& info) {
  const double step = info.time.step;
  Json columns;
  for (const DepartureOutcome& outcome : outcomes) {
    const RolloutStatistics& flown = outcome.flights;
    columns["level"].push_back(outcome.level.value);
    columns["arrival"].push_back(json_number(outcome.arrival() / step));
    columns["arrival_p05"].push_back(json_number((outcome.time + flown.time.p05) / step));
    columns["arrival_p95"].push_back(json_number((outcome.time + flown.time.p95) / step));
    columns["chance"].push_back(flown.arrival_rate);
    columns["rounding"].push_back(round_times(flown, info).median);
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
  if (bytes_to_read(info, policy.last_level()) > max_bytes) {
    view.notes.push_back(
        "Departures are not compared here, because this forecast is large; use 'tidewise "
        "departures'.");
    return;
  }
  Sample taken;
  {
    const MissionProblem asked(request, context);
    if (asked.mission.kept) return;
    request.goal.horizon = policy.last_level().value - asked.mission.departure.value;
    taken = sample(policy, policy.last_level(), asked.rollout.realizations, info.realization_count);
    request.rollout.realizations = taken.realizations;
  }
  const MissionProblem run(std::move(request), context);
  validate_policy(policy, run, PlannedHere::no);
  SilentProgress silent;
  const auto outcomes = fly_departures(run, policy, taken.range, silent);
  if (outcomes.size() < 2) return;
  Json departures = to_columns(outcomes, info);
  const DepartureChoice choice = choose_departure(outcomes, info, run.mission);
  departures["best"] = choice.best ? Json(*choice.best) : Json(nullptr);
  departures["earliest"] = choice.earliest ? Json(*choice.earliest) : Json(nullptr);
  departures["no_different"] = choice.no_different;
  departures["flights"] = outcomes.front().flights.trajectories;
  departures["sampled"] = taken.is_part;
  view.facts["departures"] = std::move(departures);
}

}  // namespace tidewise

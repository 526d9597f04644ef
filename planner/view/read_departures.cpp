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

// Maximum number of flights for all departures and realizations, as 'tidewise departures' compares
// them.
constexpr std::int64_t max_flights = 10'000;
// Limits of the sample that is taken otherwise.
constexpr std::int32_t max_sampled_departures = 24;
constexpr std::int32_t max_sampled_realizations = 125;
constexpr double max_bytes = 5e8;  // maximum size of velocities that flights read [B]

double bytes_to_read(const EnvironmentInfo& info, TimeLevel last) {
  const double fields = 2.0 * (1 + (shares_modes(info) ? 0 : info.mode_count)) * sizeof(float);
  const auto velocities = static_cast<double>(info.velocities);
  return fields * velocities * info.grid.cell_count() * (last.value + 1.0);
}

/// Returns the number of steps between levels at which the policy can depart.
std::int32_t departure_interval(const Decisions& decisions) {
  return decisions.hold() && !decisions.for_all_departures ? decisions.every : 1;
}

/// All departures and realizations of the mission, or a sample of them.
struct Sample {
  DepartureRange range;
  std::vector<std::int32_t> realizations;  ///< empty: all of the forecast
  bool is_part = false;
};

/// Returns all departures and realizations, or a sample. `realizations`: those of the mission;
/// empty: all `count` of the forecast.
Sample sample(const PolicyFile& policy, TimeLevel last, std::vector<std::int32_t> realizations,
              std::int32_t count) {
  const Decisions& decisions = policy.decisions();
  Sample chosen{{TimeLevel(0), last, 1}, std::move(realizations)};
  while (chosen.range.first < last && decisions.since(chosen.range.first) != 0) {
    ++chosen.range.first.value;
  }
  const std::int32_t interval = departure_interval(decisions);
  chosen.range.every = interval;
  const std::int32_t departures = (last.value - chosen.range.first.value + interval - 1) / interval;
  if (chosen.realizations.empty()) {
    for (std::int32_t n = 0; n < count; ++n) chosen.realizations.push_back(n);
  }
  const std::size_t all = chosen.realizations.size();
  if (departures * static_cast<std::int64_t>(all) <= max_flights) return chosen;
  chosen.is_part = true;
  chosen.range.every =
      interval * std::max(1, (departures + max_sampled_departures - 1) / max_sampled_departures);
  const std::size_t count_kept = std::min<std::size_t>(max_sampled_realizations, all);
  for (std::size_t n = 0; n < count_kept; ++n)
    chosen.realizations[n] = chosen.realizations[n * all / count_kept];
  chosen.realizations.resize(count_kept);
  return chosen;
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
  Sample chosen;
  {
    const MissionProblem planned(request, context);
    if (planned.mission.kept) return;
    request.goal.horizon = policy.last_level().value - planned.mission.departure.value;
    chosen =
        sample(policy, policy.last_level(), planned.rollout.realizations, info.realization_count);
    request.rollout.realizations = chosen.realizations;
  }
  const MissionProblem run(std::move(request), context);
  validate_policy(policy, run, PlannedHere::no);
  SilentProgress silent;
  const auto outcomes = fly_departures(run, policy, chosen.range, silent);
  if (outcomes.size() < 2) return;
  Json departures = to_columns(outcomes, info);
  const DepartureChoice choice = choose_departure(outcomes, info, run.mission);
  departures["best"] = choice.best ? Json(*choice.best) : Json(nullptr);
  departures["earliest"] = choice.earliest ? Json(*choice.earliest) : Json(nullptr);
  departures["no_different"] = choice.no_different;
  departures["flights"] = outcomes.front().flights.trajectories;
  departures["sampled"] = chosen.is_part;
  view.facts["departures"] = std::move(departures);
}

}  // namespace tidewise

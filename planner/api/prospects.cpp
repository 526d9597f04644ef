#include "tidewise/prospects.h"

#include <limits>
#include <utility>

#include "base/progress.h"
#include "planner/api/plan_content.h"
#include "planner/departures/departures.h"
#include "planner/error/codes.h"
#include "planner/mission/read/key_table.h"
#include "planner/problem/mission_problem.h"
#include "solver/evaluate/to_go.h"

namespace tidewise {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double min_arrival = 1e-7;  // below this, the means are rounding errors

Reach reach_of(const ToGo& to_go, bool is_closed) {
  if (is_closed) return {nan, nan, nan};
  if (!(to_go.arrival > min_arrival)) return {to_go.arrival, nan, nan};
  return {to_go.arrival, to_go.time / to_go.arrival, to_go.energy / to_go.arrival};
}

}  // namespace

std::vector<Departure> departures(const Plan& plan, const DepartureOptions& options,
                                  Progress* progress) {
  const Plan::Content& planned = plan.content();
  if (options.first < 0 || options.every < 1) {
    throw input_error(errors::departure_range_invalid);
  }
  RunRequest request = planned.request;
  request.rollout = FlightOptions{.realizations = options.realizations};
  validate_request(request);
  const MissionProblem run(std::move(request), planned.planning);
  const TimeLevel last = options.last ? TimeLevel(*options.last) : run.mission.last;
  SilentProgress silent;
  std::vector<Departure> outcomes;
  for (DepartureOutcome& outcome :
       fly_departures(run, planned.policy->file(), {TimeLevel(options.first), last, options.every},
                      progress != nullptr ? *progress : silent)) {
    outcomes.push_back({outcome.level.value, outcome.time, std::move(outcome.flights)});
  }
  return outcomes;
}

void reach(const Plan& plan,
           const std::function<void(std::int32_t level, std::span<const Reach> cells)>& take,
           Progress* progress) {
  const Plan::Content& planned = plan.content();
  const MissionProblem run(planned.request, planned.planning);
  SilentProgress silent;
  std::vector<Reach> cells(static_cast<std::size_t>(run.info().grid.cell_count()));
  sweep_to_go(run.environment(), run.planning_problem(), planned.policy->file(),
              run.rollout.threads, progress != nullptr ? *progress : silent,
              [&](TimeLevel k, View<const ToGo> to_go, View<const std::uint8_t> closed) {
                for (std::size_t cell = 0; cell < cells.size(); ++cell) {
                  cells[cell] = reach_of(to_go[cell], closed[cell] != 0);
                }
                take(k.value, cells);
              });
}

}  // namespace tidewise

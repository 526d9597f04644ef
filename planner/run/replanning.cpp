#include "planner/run/replanning.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "env/file/time_reference.h"
#include "env/levels/level_dates.h"
#include "output/run/policy_description.h"
#include "planner/error/codes.h"
#include "planner/mission/resolve/resolved_times.h"

namespace tidewise {

void take_out_passed(RunRequest& request, std::size_t passed) {
  auto& via = request.goal.via;
  if (passed > via.size()) {
    throw input_error(errors::leg_outside, passed + 1, via.size() + 1);
  }
  via.erase(via.begin(), via.begin() + static_cast<std::ptrdiff_t>(passed));
}

void end_as_before(RunRequest& request, const PolicyFile& before,
                   const EnvironmentReader& environment, std::vector<std::string>& notes) {
  const TimeAxis& time = environment.info().time;
  const LevelDates dates(environment);
  const double origin_before = place_of(before, "").origin;
  const double origin = time_reference(environment).value_or(0);
  const double end = before.time().at(before.last_level()) + origin_before - origin;
  constexpr double rounding = 1e-6;  // share of a step
  auto last = static_cast<std::int32_t>(
      std::clamp(std::floor((end - time.first) / time.step + rounding), -1.0, 1e9));
  if (last >= time.level_count) {
    last = time.level_count - 1;
    notes.push_back(
        fmt::format("{} ends before the mission's time is up: it is planned to its last level, {}",
                    environment.path().string(), describe_level(TimeLevel(last), dates)));
  }
  const TimeLevel departure = resolve_departure(request, environment).departure;
  if (last <= departure.value) {
    throw input_error(errors::replan_after_horizon, request.place("mission.departure"),
                      describe_level(departure, dates),
                      last < 0 ? "an earlier time than any of " + environment.path().string()
                               : "level " + describe_level(TimeLevel(last), dates));
  }
  request.goal.deadline.reset();
  request.goal.horizon = TimeSpan(last - departure.value);
}

}  // namespace tidewise

#include "planner/run/no_arrival.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "env/levels/level_dates.h"
#include "env/mask.h"
#include "output/run/policy_file.h"
#include "planner/figures/rounding.h"
#include "planner/folder/temporary_folder.h"
#include "planner/mission/resolve/resolved_times.h"
#include "planner/mission/resolve/validation.h"
#include "planner/run/run_mission.h"
#include "solver/fly/rollout_statistics.h"
#include "solver/step/target_circles.h"

namespace tidewise {
namespace {

constexpr double rare_arrival = 0.001;  // probability of arrival

/// Returns 1 for cells that are open at some level from the mission's departure on, else 0 (y, x).
std::vector<std::uint8_t> ever_open(const EnvironmentReader& environment, TimeLevel departure) {
  const EnvironmentInfo& info = environment.info();
  const bool fixed = info.obstacles != Obstacles::moving;
  const std::int32_t end = fixed ? departure.value + 1 : info.time.level_count;
  std::vector<std::uint8_t> open(static_cast<std::size_t>(info.grid.cell_count()), 0);
  for (TimeLevel k = departure; k.value < end; ++k.value) {
    const auto masked = environment.read_masked(k);
    for (std::size_t cell = 0; cell < open.size(); ++cell) open[cell] |= masked[cell] == 0 ? 1 : 0;
  }
  return open;
}

/// True if cells that share edges connect the start with the target. No straight line passes
/// between two closed cells that share only a corner (docs/model.md, 3.3). `from`: cells; `target`:
/// (y, x).
bool is_connected(const Grid& grid, const std::vector<CellIndex>& from,
                  const std::vector<std::uint8_t>& target, std::vector<std::uint8_t> open) {
  std::vector<CellIndex> waiting = from;
  for (const CellIndex cell : from) open[static_cast<std::size_t>(cell.value)] = 0;
  while (!waiting.empty()) {
    const CellIndex cell = waiting.back();
    waiting.pop_back();
    if (target[static_cast<std::size_t>(cell.value)] != 0) return true;
    const std::int32_t i = grid.column(cell);
    const std::int32_t j = grid.row(cell);
    for (const auto& [di, dj] : {std::pair(1, 0), {-1, 0}, {0, 1}, {0, -1}}) {
      if (!grid.contains(i + di, j + dj)) continue;
      const CellIndex next = grid.cell(i + di, j + dj);
      if (open[static_cast<std::size_t>(next.value)] == 0) continue;
      open[static_cast<std::size_t>(next.value)] = 0;
      waiting.push_back(next);
    }
  }
  return false;
}

class NoArrival {
 public:
  NoArrival(const MissionProblem& run, bool under_way, Progress& progress)
      : run_(run),
        under_way_(under_way),
        info_(run.info()),
        dates_(run.environment()),
        progress_(progress) {}

  std::string explain() {
    const Mission& mission = run_.mission;
    const auto open = ever_open(run_.environment(), mission.departure);
    const std::vector<CellIndex> start{mission.start};
    for (std::size_t n = 0; n < mission.via.size(); ++n) {
      const auto place = place_plane(info_.grid, mission.via[n].cells);
      if (is_connected(info_.grid, start, place, open)) continue;
      return fmt::format(
          "nothing arrives: {} separate the start from place {} of mission.via at every "
          "level; choose another place, or open a path to it",
          barriers(), n + 1);
    }
    if (!is_connected(info_.grid, start, mission.target, open)) {
      return fmt::format(
          "nothing arrives: {} separate the start from the target at every level; start "
          "elsewhere, choose another target, or open a path between them",
          barriers());
    }
    return explain_times();
  }

 private:
  bool has_zones() const { return !run_.request.goal.no_go.empty(); }

  std::string barriers() const {
    const auto masked = run_.environment().read_masked(run_.mission.departure);
    const bool meets_forecast_end =
        std::find(masked.begin(), masked.end(), beyond_forecast) != masked.end();
    return fmt::format(
        "obstacles{}{}",
        meets_forecast_end ? has_zones() ? ", the forecast's end" : " and the forecast's end" : "",
        has_zones() ? " and no-go zones (mission.no_go)" : "");
  }

  /// Describes a level, with its date if levels have dates.
  std::string at(std::int32_t level) const {
    return "level " + describe_level(TimeLevel(level), dates_);
  }

  std::string explain_times() {
    RunRequest request = run_.request;
    request.goal.objective = Objective::arrival;
    request.goal.horizon.reset();
    request.goal.start = {Position::Frame::plane, run_.mission.start_x, run_.mission.start_y};
    request.rollout.mode = RolloutChoice::continuous;
    const MissionProblem longest(std::move(request), run_.context);
    const TemporaryFolder folder;
    const auto file = folder.path() / "policy.h5";
    const auto store = open_store(longest, file);
    RunSummary summary;
    solve(longest, nullptr, ExplicitMethod::padded, *store, summary, progress_);
    store->finish();
    const PolicyFile policy(file);
    const RolloutResult flights =
        longest.context->planner().fly(longest.mission, policy, longest.rollout, progress_);
    const auto ends = flight_ends(flights, info_.time);
    std::vector<double> steps;
    for (const FlightEnd& end : ends) {
      if (end.arrived()) steps.push_back(end.time / info_.time.step);
    }
    if (!steps.empty()) {
      if (longest.mission.last > run_.mission.last) {
        return explain_horizon(std::move(steps), ends.size());
      }
      return fmt::format(
          "nothing arrives by this plan; with mission.objective = \"arrival\" {} of {} flights do",
          steps.size(), ends.size());
    }
    const std::string departure = under_way_ ? "" : better_departure(longest, policy);
    return departure.empty() ? explain_forecast(flights) : departure;
  }

  std::string explain_horizon(std::vector<double> steps, std::size_t flights) const {
    std::sort(steps.begin(), steps.end());
    const std::size_t covered = (steps.size() * 19 + 19) / 20;  // 95 % of them, rounded up
    const auto horizon = static_cast<std::int32_t>(std::ceil(steps[covered - 1]));
    const auto arrived =
        std::upper_bound(steps.begin(), steps.end(), double(horizon)) - steps.begin();
    const std::int32_t departure = run_.mission.departure.value;
    return fmt::format(
        "nothing arrives before the mission ends, at {}; with mission.horizon = {}, until {}, {} "
        "of {} flights arrive with mission.objective = \"arrival\"",
        at(run_.mission.last.value), horizon, at(departure + horizon), arrived, flights);
  }

  /// Recommends the departure with the greatest probability of arrival; empty if none is better.
  std::string better_departure(const MissionProblem& longest, const PolicySource& policy) const {
    std::vector<float> value(static_cast<std::size_t>(info_.grid.cell_count()));
    double best = 0;
    std::int32_t best_level = -1;
    for (TimeLevel k(0); k < longest.mission.last; ++k.value) {
      // a mission departs only at a level with a decision
      if (longest.mission.decisions.since(k) > 0) continue;
      policy.read_value(k, value);
      const double start_value = value[static_cast<std::size_t>(run_.mission.start.value)];
      if (start_value > best) {
        best = start_value;
        best_level = k.value;
      }
    }
    constexpr double min_value = 0.05;
    if (best < min_value || best_level >= run_.mission.departure.value) return {};
    return fmt::format(
        "nothing that leaves at {} arrives before the forecast ends; a departure at {} "
        "(mission.departure = {}, without mission.horizon or mission.deadline) can arrive by the "
        "model",
        at(run_.mission.departure.value), at(best_level), best_level);
  }

  std::string explain_forecast(const RolloutResult& flights) const {
    const Mission& mission = run_.mission;
    double nearest = std::numeric_limits<double>::infinity();
    std::size_t under_way = 0;
    for (const Trajectory& flight : flights.trajectories) {
      const auto distance = [&](const TrajectoryPoint& p) {
        return std::hypot(p.x - mission.target_x, p.y - mission.target_y);
      };
      const auto closest =
          std::min_element(flight.points.begin(), flight.points.end(),
                           [&](const auto& a, const auto& b) { return distance(a) < distance(b); });
      nearest = std::min(nearest, distance(*closest));
      if (flight.points.end() - closest <= 2) ++under_way;
    }
    const bool metric = info_.units == Units::metric;
    const std::string length =
        metric ? fmt::format("{:.3g} km", nearest / 1000) : fmt::format("{:.4g}", nearest);
    const bool is_approaching = 2 * under_way >= flights.trajectories.size();
    const double straight =
        std::hypot(mission.target_x - mission.start_x, mission.target_y - mission.start_y);
    const double direct = straight / greatest_speed(run_.request);  // infinite for a drifter
    const double end = info_.time.at(TimeLevel(info_.time.level_count - 1));
    const double remaining = end - departure_time(info_.time, mission);
    if (std::isfinite(direct) && direct > remaining) {
      return fmt::format(
          "nothing arrives before the forecast ends, {} after the departure: the direct path takes "
          "{} in still water; use a longer forecast, a later deadline, an earlier departure or a "
          "nearer target",
          describe_duration(remaining, info_.units, info_.time.step / 10),
          describe_duration(direct, info_.units, info_.time.step / 10));
    }
    return fmt::format(
        "nothing arrives before the forecast ends, at {}: the nearest flight stays {} from the "
        "target, and {}; {}",
        at(info_.time.level_count - 1), length,
        is_approaching ? "flights are still approaching" : "the current then carries flights away",
        is_approaching ? "use a longer forecast, a faster vehicle or a nearer target"
        : has_zones()
            ? "open a path through the mission's no-go zones (mission.no_go), or give the "
              "vehicle a higher speed"
            : "the currents are faster than the vehicle: give it a higher speed, or choose "
              "another start or target");
  }

  const MissionProblem& run_;
  bool under_way_;
  const EnvironmentInfo& info_;
  const LevelDates dates_;
  Progress& progress_;
};

}  // namespace

bool hardly_arrives(const ExpectedOutcome& expected,
                    const std::optional<RolloutStatistics>& rollout) {
  return expected.arrival_probability < rare_arrival || (rollout && rollout->arrival_rate == 0);
}

std::string explain_no_arrival(const MissionProblem& run, bool under_way, Progress& progress) {
  return NoArrival(run, under_way, progress).explain();
}

}  // namespace tidewise

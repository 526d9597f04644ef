#include "planner/problem/mission_problem.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "env/file/time_reference.h"
#include "env/levels/level_dates.h"
#include "env/units/geographic_position.h"
#include "planner/backend/problem_estimate.h"
#include "planner/backend/unsupported.h"
#include "planner/error/codes.h"
#include "planner/mission/read/echo.h"
#include "planner/mission/read/formats.h"
#include "planner/mission/resolve/followed_track.h"
#include "planner/mission/resolve/resolved_times.h"
#include "planner/mission/resolve/validation.h"

namespace tidewise {
namespace {

using Goal = RunRequest::Goal;

/// Returns the mission with explicit values in place of defaults.
RunRequest without_defaults(RunRequest request, const Mission& mission, const LevelDates& dates) {
  Moment& departure = request.goal.departure;
  if (mission.begun == 0) {
    departure = departure.date ? Moment::at_date(dates.at(mission.departure))
                               : Moment(mission.departure.value);
  }
  request.goal.horizon = mission.last.value - mission.departure.value;
  request.goal.deadline.reset();
  const TargetDisc& disc = mission.kept ? mission.kept->disc : mission.disc;
  if (mission.objective != Objective::follow && request.goal.target.polygons.empty()) {
    request.goal.target_radius = disc.radius;
  }
  if (!request.goal.failure_penalty && mission.objective != Objective::arrival) {
    request.goal.failure = {mission.failure.obstacle, mission.failure.outside,
                            mission.failure.late};
    if (mission.kept) request.goal.failure.late.reset();
  }
  return request;
}

/// Returns the points of a place that is given by several points; empty for other places.
std::vector<RunPoint> points_of(const std::vector<PlanePoint>& points, const Position& requested) {
  std::vector<RunPoint> run_points;
  if (requested.others.empty() || !requested.polygons.empty()) return run_points;
  for (const PlanePoint& point : points) run_points.push_back({point.x, point.y, {}, {}});
  return run_points;
}

/// The mission without the number of threads, so that equal runs write equal files.
std::string echo_of(RunRequest request) {
  request.planner.threads.reset();
  return to_toml(request);
}

RolloutOptions rollout_of(const RunRequest& request, const EnvironmentInfo& info) {
  RolloutOptions options;
  options.mode =
      request.rollout.mode == RolloutChoice::chain ? RolloutMode::chain : RolloutMode::continuous;
  options.realizations = resolve_realizations(request, info);
  options.flights = request.rollout.flights;
  options.seed = request.rollout.seed;
  return options;
}

}  // namespace

MissionProblem::MissionProblem(RunRequest requested, std::shared_ptr<PlanningContext> shared)
    : request(std::move(requested)),
      context(shared ? std::move(shared) : std::make_shared<PlanningContext>(request)) {
  ResolvedMission::operator=(resolve_mission(request, environment()));
  rollout = rollout_of(request, info());
  deadlines = resolve_deadlines(request, environment(), mission);
  require_formats(request, info());
  require_flights_fit(request, rollout.realizations, mission.last.value - mission.departure.value);
  require_held_fit(request, mission, info().grid, actions.size());
  request = without_defaults(std::move(request), mission, LevelDates(environment()));
  echo = echo_of(request);
  for (std::string& line : context->planner().moved_to_cpu(mission, max_flights())) {
    notes.push_back(std::move(line));
  }
  rollout.threads = context->backend().threads;
}

std::size_t MissionProblem::max_flights() const {
  if (!flies()) return 0;
  const auto planned = static_cast<std::size_t>(flight_count(rollout));
  if (request.rollout.baselines != BaselineChoice::all) return planned;
  return std::max(planned, max_baseline_flights(mission, actions, info().time, rollout));
}

std::vector<std::string> warnings_of(const MissionProblem& problem) {
  return validate_mission(problem.request, problem.info(), problem);
}

void refuse_held(const MissionProblem& problem, const char* what) {
  const Decisions& decisions = problem.mission.decisions;
  if (!decisions.hold()) return;
  throw input_error(errors::held_actions_not_possible,
                    problem.request.place("mission.decide_every"), decisions.every, what);
}

void refuse_vehicle_error(const RunRequest& request, const char* what) {
  const RunRequest::Vehicle& vehicle = request.vehicle;
  if (!(vehicle.speed_error > 0 || vehicle.heading_error > 0)) return;
  const char* key = vehicle.speed_error > 0 ? "vehicle.speed_error" : "vehicle.heading_error";
  throw input_error(errors::vehicle_error_not_possible, request.place(key), vehicle.speed_error,
                    vehicle.heading_error, what);
}

void refuse_keeping(const MissionProblem& problem, const char* what) {
  if (!problem.mission.kept) return;
  throw input_error(errors::keeping_not_possible, problem.request.place("mission.objective"),
                    to_string(problem.mission.objective), what);
}

RunPlaces places_of(const MissionProblem& problem) {
  const EnvironmentReader& environment = problem.environment();
  const EnvironmentInfo& info = environment.info();
  const Mission& mission = problem.mission;
  RunPlaces places;
  const Goal& goal = problem.request.goal;
  const auto& cells = mission.kept ? mission.kept->cells : mission.target;
  places.start = {mission.start_x, mission.start_y, {}, {}};
  places.target = {mission.target_x, mission.target_y, {}, {}};
  places.start_area = {points_of(problem.starts, goal.start), goal.start.polygons,
                       goal.start.frame == Position::Frame::geographic,
                       static_cast<std::int64_t>(problem.starts.size())};
  places.target_area = {points_of(problem.targets, goal.target), goal.target.polygons,
                        goal.target.frame == Position::Frame::geographic,
                        std::count(cells.begin(), cells.end(), 1)};
  places.target_radius = goal.target_radius.value_or(0);
  places.followed = problem.followed;
  if (mission.objective == Objective::follow) {
    for (const PlanePoint& point : followed_points(mission)) {
      places.target_area.points.push_back({point.x, point.y, {}, {}});
    }
  }
  for (std::size_t n = 0; n < mission.via.size(); ++n) {
    const ViaPoint& requested = goal.via[n];
    const auto& points = problem.via[n];
    RunVia& via = places.via.emplace_back();
    for (const PlanePoint& point : points) {
      via.point.x += point.x / static_cast<double>(points.size());
      via.point.y += point.y / static_cast<double>(points.size());
    }
    if (requested.place.polygons.empty()) via.point = {points.front().x, points.front().y, {}, {}};
    via.area = {points_of(points, requested.place), requested.place.polygons,
                requested.place.frame == Position::Frame::geographic,
                static_cast<std::int64_t>(mission.via[n].cells.size())};
    via.radius = requested.radius;
  }
  if (info.coordinates == Coordinates::geographic) {
    const auto longitude = environment.read_longitude();
    const auto latitude = environment.read_latitude();
    std::vector<RunPoint*> points{&places.start, &places.target};
    std::vector<RunArea*> areas{&places.start_area, &places.target_area};
    for (RunVia& via : places.via) {
      points.push_back(&via.point);
      areas.push_back(&via.area);
    }
    for (RunArea* area : areas) {
      for (RunPoint& point : area->points) points.push_back(&point);
    }
    for (RunPoint* point : points) {
      const auto position = to_globe(info.grid, longitude, latitude, {point->x, point->y});
      point->longitude = position.longitude;
      point->latitude = position.latitude;
    }
  }
  places.departure_level = mission.departure.value;
  places.departure_time = departure_time(info.time, mission);
  places.last_level = mission.last.value;
  places.last_time = info.time.at(mission.last);
  places.decide_every = mission.decisions.every;
  places.decide_every_time = mission.decisions.every * info.time.step;
  if (const auto reference = time_reference(environment)) {
    places.departure_instant = *reference + places.departure_time;
    places.last_instant = *reference + places.last_time;
  }
  return places;
}

RunSummary begin_summary(const MissionProblem& problem) {
  const EnvironmentInfo& info = problem.info();
  const Backend& backend = problem.context->backend();
  RunSummary summary;
  summary.places = places_of(problem);
  summary.notes = problem.notes;
  summary.problem.nx = info.grid.nx;
  summary.problem.ny = info.grid.ny;
  summary.problem.levels = problem.mission.last.value + 1;
  summary.problem.states = info.grid.cell_count() * summary.problem.levels;
  summary.problem.actions = static_cast<std::int64_t>(problem.actions.size());
  summary.problem.realizations = info.realization_count;
  summary.problem.modes = info.mode_count;
  summary.uncertainty = info.uncertainty;
  summary.engine = to_string(problem.request.planner.engine);
  summary.backend = backend.name;
  summary.device = backend.device;
  summary.threads = backend.threads;
  summary.mission = to_json(problem.request);
  summary.arrival_at_least = problem.request.arrival_at_least;
  summary.seconds.prepare = problem.since_begin.seconds();
  return summary;
}

}  // namespace tidewise

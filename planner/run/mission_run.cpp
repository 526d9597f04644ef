#include "planner/run/mission_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "base/error.h"
#include "base/memory/memory.h"
#include "base/memory/peak_memory.h"
#include "env/file/time_reference.h"
#include "env/levels/level_dates.h"
#include "env/units/geographic_position.h"
#include "env/units/meridian_convergence.h"
#include "output/run/trajectory_file.h"
#include "planner/backend/model_source.h"
#include "planner/backend/problem_estimate.h"
#include "planner/mission/read/echo.h"
#include "planner/mission/read/formats.h"
#include "planner/mission/resolve/followed_track.h"
#include "planner/mission/resolve/resolved_times.h"
#include "planner/mission/resolve/validation.h"
#include "planner/run/baselines.h"
#include "planner/run/flight_figures.h"
#include "planner/run/no_arrival.h"
#include "planner/run/promise.h"
#include "planner/run/recommend.h"
#include "planner/run/way.h"
#include "solver/fly/rollout_statistics.h"
#include "solver/legs/legs.h"
#include "solver/step/value_at_departure.h"
#include "solver/subdomains/induction.h"

namespace tidewise {
namespace {

using Goal = RunRequest::Goal;

/// The mission with what its defaults came to.
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

/// The points that a place was given by, where there are several.
std::vector<RunPoint> points_of(const std::vector<PlanePoint>& points, const Position& asked) {
  std::vector<RunPoint> found;
  if (asked.others.empty() || !asked.polygons.empty()) return found;
  for (const PlanePoint& point : points) found.push_back({point.x, point.y, {}, {}});
  return found;
}

/// Hands those levels on that decide.
class DecidingLevels final : public PolicySink {
 public:
  DecidingLevels(const Decisions& decisions, PolicySink& sink)
      : decisions_(decisions), sink_(sink) {}
  void accept(TimeLevel k, View<const std::int16_t> action, View<const float> value) override {
    if (decisions_.since(k) == 0) sink_.accept(k, action, value);
  }

 private:
  Decisions decisions_;
  PolicySink& sink_;
};

/// Notes in `summary` what solving came to, which took so long in all [s].
void note(const SolveReport& report, double seconds, double waited, RunSummary& summary) {
  summary.subdomains = report.subdomains;
  summary.seconds.write = waited;
  summary.seconds.read = report.read_seconds;
  summary.seconds.solve = seconds - summary.seconds.read - summary.seconds.write;
  summary.problem.rows = report.rows;
  summary.problem.transitions = report.transitions;
}

}  // namespace

MissionRun::MissionRun(RunRequest request, std::shared_ptr<PlanningContext> context)
    : request_(std::move(request)),
      context_(context ? std::move(context) : std::make_shared<PlanningContext>(request_)),
      resolved_(resolve_mission(request_, environment())),
      realizations_(resolve_realizations(request_, environment().info())),
      deadlines_(resolve_deadlines(request_, environment(), resolved_.mission)) {
  require_formats(request_, environment().info());
  const Mission& mission = resolved_.mission;
  require_flights_fit(request_, realizations_, mission.last.value - mission.departure.value);
  require_held_fit(request_, mission, environment().info().grid, resolved_.actions.size());
  request_ = without_defaults(std::move(request_), mission, LevelDates(environment()));
  // How many threads worked is no part of a mission: equal runs leave equal files.
  RunRequest told = request_;
  told.planner.threads.reset();
  echo_ = to_toml(told);
  (void)context_->planner();
}

std::vector<std::string> MissionRun::warnings() const {
  return validate_mission(request_, environment().info(), resolved_);
}

void MissionRun::refuse_via(const char* what) const {
  if (resolved_.mission.via.empty()) return;
  throw InputError(
      fmt::format("{}: mission.via is given, and {}", request_.place("mission.via"), what));
}

void MissionRun::refuse_held(const char* what) const {
  if (!resolved_.mission.decisions.hold()) return;
  throw InputError(fmt::format("{}: mission.decide_every is {} steps, and {}",
                               request_.place("mission.decide_every"),
                               resolved_.mission.decisions.every, what));
}

void MissionRun::refuse_keeping(const char* what) const {
  if (!resolved_.mission.kept) return;
  throw InputError(fmt::format("{}: mission.objective is {}, and {}",
                               request_.place("mission.objective"),
                               to_string(resolved_.mission.objective), what));
}

RolloutOptions MissionRun::rollout_options() const {
  RolloutOptions options;
  options.mode =
      request_.rollout.mode == RolloutChoice::chain ? RolloutMode::chain : RolloutMode::continuous;
  options.realizations = realizations_;
  options.flights = request_.rollout.flights;
  options.seed = request_.rollout.seed;
  options.threads = backend().threads;
  return options;
}

void MissionRun::choose_start(const PolicySource& policy) {
  resolved_.start_best(environment().info().grid, policy);
}

void MissionRun::start_from(const PlanePoint& start) {
  const Grid& grid = environment().info().grid;
  if (!grid.contains(grid.column_at(start.x), grid.row_at(start.y))) {
    throw InputError(
        fmt::format("{}: its flights start at ({:.6g}, {:.6g}), which is in no cell; "
                    "plan anew",
                    request_.name, start.x, start.y));
  }
  resolved_.start_from(grid, start);
}

RunPlaces MissionRun::places() const {
  const EnvironmentInfo& info = environment().info();
  const Mission& mission = resolved_.mission;
  RunPlaces places;
  const Goal& goal = request_.goal;
  const auto& cells = mission.kept ? mission.kept->cells : mission.target;
  places.start = {mission.start_x, mission.start_y, {}, {}};
  places.target = {mission.target_x, mission.target_y, {}, {}};
  places.start_area = {points_of(resolved_.starts, goal.start), goal.start.polygons,
                       goal.start.frame == Position::Frame::geographic,
                       static_cast<std::int64_t>(resolved_.starts.size())};
  places.target_area = {points_of(resolved_.targets, goal.target), goal.target.polygons,
                        goal.target.frame == Position::Frame::geographic,
                        std::count(cells.begin(), cells.end(), 1)};
  places.target_radius = goal.target_radius.value_or(0);
  places.followed = resolved_.followed;
  if (mission.objective == Objective::follow) {
    for (const PlanePoint& point : followed_way(mission)) {
      places.target_area.points.push_back({point.x, point.y, {}, {}});
    }
  }
  for (std::size_t n = 0; n < mission.via.size(); ++n) {
    const ViaPoint& asked = goal.via[n];
    const auto& points = resolved_.via[n];
    RunVia& via = places.via.emplace_back();
    for (const PlanePoint& point : points) {
      via.point.x += point.x / static_cast<double>(points.size());
      via.point.y += point.y / static_cast<double>(points.size());
    }
    if (asked.place.polygons.empty()) via.point = {points.front().x, points.front().y, {}, {}};
    via.area = {points_of(points, asked.place), asked.place.polygons,
                asked.place.frame == Position::Frame::geographic,
                static_cast<std::int64_t>(mission.via[n].cells.size())};
    via.radius = asked.radius;
  }
  if (info.coordinates == Coordinates::geographic) {
    const auto longitude = environment().read_longitude();
    const auto latitude = environment().read_latitude();
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
      const auto there = to_globe(info.grid, longitude, latitude, {point->x, point->y});
      point->longitude = there.longitude;
      point->latitude = there.latitude;
    }
  }
  places.departure_level = mission.departure.value;
  places.departure_time = departure_time(info.time, mission);
  places.last_level = mission.last.value;
  places.last_time = info.time.at(mission.last);
  places.decide_every = mission.decisions.every;
  places.decide_every_time = mission.decisions.every * info.time.step;
  if (const auto reference = time_reference(environment())) {
    places.departure_instant = *reference + places.departure_time;
    places.last_instant = *reference + places.last_time;
  }
  return places;
}

std::optional<FirstAction> MissionRun::first_action(const PolicySource& policy) const {
  const EnvironmentInfo& info = environment().info();
  const Mission& mission = resolved_.mission;
  std::vector<std::int16_t> taken(static_cast<std::size_t>(info.grid.cell_count()));
  policy.read_action(mission.departure, taken);
  const std::int16_t index = taken[static_cast<std::size_t>(mission.start.value)];
  if (index == no_action) return std::nullopt;
  const Action& action = resolved_.actions[static_cast<std::size_t>(index)];
  FirstAction first{action.heading, action.speed, {}, {}};
  if (!info.profiles.empty()) {
    first.profile = info.profiles[static_cast<std::size_t>(action.profile)];
  }
  if (info.coordinates == Coordinates::geographic && action.speed > 0) {
    const MeridianConvergence convergence(info.grid, environment().read_longitude(),
                                          environment().read_latitude());
    first.bearing = true_bearing(action.heading, convergence.at(mission.start_x, mission.start_y));
  }
  return first;
}

RunSummary MissionRun::begin_summary() const {
  const EnvironmentInfo& info = environment().info();
  RunSummary summary;
  summary.places = places();
  summary.notes = resolved_.notes;
  summary.problem.nx = info.grid.nx;
  summary.problem.ny = info.grid.ny;
  summary.problem.levels = resolved_.mission.last.value + 1;
  summary.problem.states = info.grid.cell_count() * summary.problem.levels;
  summary.problem.actions = static_cast<std::int64_t>(resolved_.actions.size());
  summary.problem.realizations = info.realization_count;
  summary.problem.modes = info.mode_count;
  summary.engine = to_string(request_.planner.engine);
  summary.backend = backend().name;
  summary.device = backend().device;
  summary.threads = backend().threads;
  summary.mission = to_json(request_);
  summary.arrival_at_least = request_.arrival_at_least;
  summary.seconds.prepare = since_begin_.seconds();
  return summary;
}

std::unique_ptr<PolicyStore> MissionRun::open_store(const std::filesystem::path& file,
                                                    std::vector<TimeLevel> departures,
                                                    PolicyPool* pool, PolicyExtent extent) const {
  return std::make_unique<PolicyStore>(
      file, environment(), problem(), echo_, PolicyStore::most_memory, std::move(departures), pool,
      environment_fingerprint(), extent, request_.planner.all_departures);
}

void MissionRun::solve(const ModelFile* model, ExplicitMethod method, PolicyStore& store,
                       RunSummary& summary, Progress& progress) const {
  if (model != nullptr && backend().kind == BackendKind::cuda) {
    refuse_held(
        "a GPU solves from a model for missions that decide at each step; leave --model out, or "
        "take --backend cpu");
  }
  const Stopwatch solving;
  if (request_.planner.all_departures && resolved_.mission.decisions.hold()) {
    note(solve_each_phase(model, method, store, progress), solving.seconds(),
         store.waited_seconds(), summary);
    return;
  }
  const SolveReport report =
      solve_legs(resolved_.mission, store, [&](const Mission& leg, PolicySink& sink) {
        return context_->planner().solve(leg, model, method, sink, progress);
      });
  note(report, solving.seconds(), store.waited_seconds(), summary);
}

SolveReport MissionRun::solve_each_phase(const ModelFile* model, ExplicitMethod method,
                                         PolicySink& sink, Progress& progress) const {
  SolveReport report;
  Mission mission = resolved_.mission;
  for (std::int32_t phase = 0; phase < mission.decisions.every; ++phase) {
    mission.decisions.phase = TimeLevel(phase);
    DecidingLevels deciding(mission.decisions, sink);
    report += context_->planner().solve(mission, model, method, deciding, progress);
  }
  return report;
}

void MissionRun::solve_from_start(PolicyStore& store, RunSummary& summary,
                                  Progress& progress) const {
  const Stopwatch solving;
  const ReachableReport report =
      context_->planner().solve_from_start(resolved_.mission, store, progress);
  note(report.solve, solving.seconds(), store.waited_seconds(), summary);
  if (summary.replanned_from) summary.replanned_from->states = report.solve.states;
}

void MissionRun::solve_in_subdomains(Communicator& communicator, PolicyStore* store,
                                     RunSummary& summary, Progress& progress) const {
  refuse_held("one process plans for actions that are held; start one");
  const Stopwatch solving;
  const SolveReport report = solve_legs_by_ranks(
      resolved_.mission, communicator, store, [&](const Mission& leg, PolicySink* sink) {
        return context_->planner().solve_in_subdomains(leg, communicator, sink, progress);
      });
  summary.processes = communicator.size();
  note(report, solving.seconds(), store == nullptr ? 0 : store->waited_seconds(), summary);
}

RolloutResult MissionRun::fly(const PolicySource& policy, RunSummary& summary, Progress& progress) {
  begin_flying(policy, summary, progress);
  const Stopwatch flight;
  RolloutResult rollout;
  if (flies()) {
    rollout = context_->planner().fly(resolved_.mission, policy, rollout_options(), progress);
    if (reckon(rollout, summary)) {
      explain(
          measure_ways(environment(), {{&resolved_.mission, &rollout}}, backend().threads).front(),
          summary);
    }
    fly_baselines(rollout, summary, progress);
  }
  const bool runs_empty = summary.rollout && summary.rollout->failures.out_of_energy > 0;
  if (!summary.planned_on && !runs_empty && !resolved_.mission.kept &&
      hardly_arrives(*summary.expected, summary.rollout)) {
    summary.warnings.push_back(
        explain_no_arrival(*this, summary.replanned_from.has_value(), progress));
  }
  summary.seconds.rollout += flight.seconds();
  return rollout;
}

void MissionRun::begin_flying(const PolicySource& policy, RunSummary& summary, Progress& progress) {
  choose_start(policy);
  if (resolved_.starts.size() > 1) summary.places = places();
  const Mission& mission = resolved_.mission;
  std::vector<float> value(static_cast<std::size_t>(environment().info().grid.cell_count()));
  summary.value_at_start = value_at_departure(mission, [&](TimeLevel k) -> double {
    policy.read_value(k, value);
    return value[static_cast<std::size_t>(mission.start.value)];
  });
  summary.first_action = first_action(policy);
  if (!summary.expected) {
    const Stopwatch evaluating;
    summary.expected = context_->planner().evaluate(mission, policy, progress);
    summary.seconds.evaluate += evaluating.seconds();
  }
  note_keeping(mission, environment().info(), *summary.expected);
  // The plan's own value holds prices that nobody pays.
  if (mission.margin > 0 && !summary.planned_on) summary.value_at_start = summary.expected->value;
  if (summary.planned_on) {
    summary.planned_on->value_at_start = summary.value_at_start;
    summary.planned_on->states = count_open_states(environment(), mission, policy);
    summary.value_at_start = summary.expected->value;
  }
  summary.rollout_mode = rollout_options().mode;
}

bool MissionRun::reckon(const RolloutResult& rollout, RunSummary& summary) const {
  const EnvironmentInfo& info = environment().info();
  summary.rollout = summarize(rollout, info, deadlines_);
  note_keeping(flight_ends(rollout, info.time), rollout.mode, resolved_.mission, info,
               *summary.rollout);
  reckon_passing(rollout, summary);
  const RolloutStatistics& flown = *summary.rollout;
  if (request_.arrival_at_least && flown.arrival_rate < *request_.arrival_at_least) {
    summary.warnings.push_back(fmt::format(
        "of the flights {:.4g} % arrive, and {:.4g} % were asked for: the model is surer than "
        "flights are that keep one realization; ask for more, or price being late yourself "
        "(mission.failure.late)",
        100 * flown.arrival_rate, 100 * *request_.arrival_at_least));
  }
  if (flown.failures.out_of_energy > 0) {
    summary.warnings.push_back(fmt::format(
        "{} of {} flights run empty, and the plan does not know of the battery: plan for energy "
        "(mission.objective = \"energy\"), with lower speeds, or for a nearer target",
        flown.failures.out_of_energy, flown.trajectories));
    return false;  // which is why they do not keep what the plan promises
  }
  if (flown.failures.without_action > 0) {
    summary.warnings.push_back(fmt::format(
        "{} of {} flights come to open water where the plan has no action (nobody "
        "comes there in its own forecast, or the plan has ended): plan or replan in this forecast",
        flown.failures.without_action, flown.trajectories));
  }
  if (flown.failures.out_of_forecast > 0) {
    summary.warnings.push_back(fmt::format(
        "{} of {} flights leave the forecast: its source says nothing of the cells that they come "
        "to, and the plan takes them for closed; bring in a larger area (tidewise env import "
        "--bbox, or another source), or keep farther from its edge",
        flown.failures.out_of_forecast, flown.trajectories));
  }
  if (rollout.mode != RolloutMode::continuous) return false;
  const std::string warning = validate_promise(*summary.expected, flown, resolved_.mission,
                                               rule().landing, environment().info());
  if (warning.empty()) return false;
  summary.warnings.push_back(warning);
  return !resolved_.mission.kept;  // the way to a target says nothing of who keeps to a place
}

void MissionRun::explain(const Way& way, RunSummary& summary) const {
  summary.warnings.back() +=
      explain_promise(way, later_by(*summary.expected, *summary.rollout), environment().info());
}

void MissionRun::reckon_passing(const RolloutResult& rollout, RunSummary& summary) const {
  if (!summary.places || summary.places->via.empty()) return;
  const EnvironmentInfo& info = environment().info();
  const auto ends = flight_ends(rollout, info.time);
  for (std::size_t n = 0; n < summary.places->via.size(); ++n) {
    std::vector<double> share;
    std::vector<double> time;
    for (const Trajectory& flight : rollout.trajectories) {
      const bool passed = n < flight.passed.size();
      share.push_back(passed ? 1 : 0);
      time.push_back(passed ? std::max(0.0, flight.passed[n] - flight.begun) * info.time.step
                            : std::numeric_limits<double>::quiet_NaN());
    }
    RunVia& via = summary.places->via[n];
    via.passed_share = spread_over(ends, share, rollout.mode, info).mean;
    via.passed_time = spread_over(ends, time, rollout.mode, info);
  }
}

void MissionRun::fly_baselines(const RolloutResult& plan, RunSummary& summary,
                               Progress& progress) const {
  // Rules that need no plan know the way to the target alone.
  if (plan.mode != RolloutMode::continuous || request_.rollout.baselines != BaselineChoice::all ||
      !resolved_.mission.via.empty()) {
    return;
  }
  const EnvironmentInfo& info = environment().info();
  const Mission& mission = resolved_.mission;
  const auto flown = context_->planner().fly_baselines(
      mission, baseline_speeds(request_, resolved_.actions), rollout_options(), progress);
  summary.baselines = compare_with_baselines(plan, flown, mission, info);
  const std::string warning =
      validate_against_baselines(summary.baselines, *summary.rollout, mission, info);
  if (!warning.empty()) summary.warnings.push_back(warning);
}

void MissionRun::write(const RolloutResult& rollout, const std::filesystem::path& folder,
                       RunSummary& summary, std::int32_t threads) const {
  const Stopwatch writing;
  if (summary.rollout) {
    write_trajectories(
        folder / "trajectories.nc", environment(), resolved_.mission, rollout, echo_, threads,
        summary.planned_on ? summary.planned_on->environment : std::string(), summary.steered_by);
  }
  summary.seconds.write += writing.seconds();
}

RolloutResult MissionRun::fly_and_write(const PolicySource& policy,
                                        const std::filesystem::path& folder, RunSummary& summary,
                                        Progress& progress) {
  RolloutResult rollout = fly(policy, summary, progress);
  write(rollout, folder, summary, backend().threads);
  return rollout;
}

void MissionRun::finish(PolicyStore& store, RunSummary& summary) {
  const double waited = store.waited_seconds();
  store.finish();
  summary.seconds.write += store.waited_seconds() - waited;
}

void MissionRun::complete(RunSummary& summary) const {
  // What was replanned is compared with the old plan, which has been done.
  if (summary.recommendation.gain.empty()) summary.recommendation = recommend(summary);
  summary.seconds.total = since_begin_.seconds();
  summary.peak_memory_bytes = peak_memory_bytes();
  summary.peak_device_memory_bytes = static_cast<std::int64_t>(peak_device_memory());
}

void MissionRun::write_summary_into(const std::filesystem::path& folder,
                                    RunSummary& summary) const {
  complete(summary);
  write_summary(folder / "summary.json", summary);
}

}  // namespace tidewise

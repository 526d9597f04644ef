#include "app/mission_run.h"

#include "app/mission_echo.h"
#include "app/mission_judgement.h"
#include "app/problem_estimate.h"
#include "base/memory.h"
#include "base/peak_memory.h"
#include "output/trajectory_file.h"
#include "solver/rollout_statistics.h"

namespace tidewise {
namespace {

/// The mission with what its defaults came to.
MissionFile without_defaults(MissionFile file, const Mission& mission, const Backend& backend) {
  file.mission.horizon = mission.last.value - mission.departure.value;
  file.planner.threads = backend.threads;
  return file;
}

}  // namespace

MissionRun::MissionRun(MissionFile file)
    : file_(std::move(file)),
      environment_(file_.environment.file, file_.environment.names),
      resolved_(resolve_mission(file_, environment_)),
      realizations_(resolve_realizations(file_, environment_.info())),
      backend_(take_backend(file_)) {
  const Mission& mission = resolved_.mission;
  require_flights_fit(file_, realizations_, mission.last.value - mission.departure.value);
  file_ = without_defaults(std::move(file_), resolved_.mission, backend_);
  echo_ = to_toml(file_);
  planner_ = make_planner_backend(backend_, {environment_, resolved_.actions, file_});
}

std::vector<std::string> MissionRun::warnings() const {
  return judge_mission(file_, environment_.info(), resolved_);
}

RolloutOptions MissionRun::rollout_options() const {
  RolloutOptions options;
  options.mode =
      file_.rollout.mode == RolloutChoice::chain ? RolloutMode::chain : RolloutMode::continuous;
  options.realizations = realizations_;
  options.flights = file_.rollout.flights;
  options.seed = file_.rollout.seed;
  options.threads = backend_.threads;
  return options;
}

RunSummary MissionRun::begin_summary() const {
  const EnvironmentInfo& info = environment_.info();
  RunSummary summary;
  summary.problem.nx = info.grid.nx;
  summary.problem.ny = info.grid.ny;
  summary.problem.levels = resolved_.mission.last.value + 1;
  summary.problem.states = info.grid.cell_count() * summary.problem.levels;
  summary.problem.actions = static_cast<std::int64_t>(resolved_.actions.size());
  summary.problem.realizations = info.realization_count;
  summary.problem.modes = info.mode_count;
  summary.engine = to_string(file_.planner.engine);
  summary.backend = backend_.name;
  summary.device = backend_.device;
  summary.threads = backend_.threads;
  summary.mission = to_json(file_);
  summary.seconds.prepare = since_begin_.seconds();
  return summary;
}

void MissionRun::solve(const ModelFile* model, PolicyStore& store, RunSummary& summary,
                       Progress& progress) const {
  const Stopwatch solving;
  const SolveReport report = planner_->solve(resolved_.mission, model, store, progress);
  summary.bands = report.bands;
  summary.seconds.write = store.waited_seconds();
  summary.seconds.read = report.read_seconds;
  summary.seconds.solve = solving.seconds() - summary.seconds.read - summary.seconds.write;
  summary.problem.rows = report.rows;
  summary.problem.transitions = report.transitions;
}

void MissionRun::solve_in_bands(Communicator& communicator, PolicyStore* store, RunSummary& summary,
                                Progress& progress) const {
  const Stopwatch solving;
  const SolveReport report =
      planner_->solve_in_bands(resolved_.mission, communicator, store, progress);
  summary.processes = communicator.size();
  summary.bands = report.bands;
  summary.seconds.write = store == nullptr ? 0 : store->waited_seconds();
  summary.seconds.read = report.read_seconds;
  summary.seconds.solve = solving.seconds() - summary.seconds.read - summary.seconds.write;
  summary.problem.rows = report.rows;
  summary.problem.transitions = report.transitions;
}

void MissionRun::fly_and_write(const PolicySource& policy, const std::filesystem::path& folder,
                               RunSummary& summary, Progress& progress) const {
  const Mission& mission = resolved_.mission;
  std::vector<float> value(static_cast<std::size_t>(environment_.info().grid.cell_count()));
  policy.read_value(mission.departure, {value.data(), value.size()});
  summary.value_at_start = value[static_cast<std::size_t>(mission.start.value)];

  const Stopwatch flight;
  summary.expected = planner_->evaluate(mission, policy, progress);
  const RolloutOptions options = rollout_options();
  summary.rollout_mode = options.mode;
  RolloutResult rollout;
  if (file_.rollout.mode != RolloutChoice::none) {
    rollout = planner_->fly(mission, policy, options, progress);
    summary.rollout = summarize(rollout, environment_.info());
  }
  summary.seconds.rollout = flight.seconds();

  const Stopwatch writing;
  if (summary.rollout) {
    write_trajectories(folder / "trajectories.nc", environment_, mission, rollout, echo_,
                       backend_.threads);
  }
  summary.seconds.write += writing.seconds();
}

void MissionRun::write_summary_into(const std::filesystem::path& folder,
                                    RunSummary& summary) const {
  summary.seconds.total = since_begin_.seconds();
  summary.peak_memory_bytes = peak_memory_bytes();
  summary.peak_device_memory_bytes = static_cast<std::int64_t>(peak_device_memory());
  write_summary(folder / "summary.json", summary);
}

}  // namespace tidewise

#include "planner/run/run_mission.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <limits>

#include "base/error.h"
#include "base/memory/memory.h"
#include "base/memory/peak_memory.h"
#include "base/parallel/strand.h"
#include "base/parallel/work_beside.h"
#include "env/forecast_error.h"
#include "env/row_window.h"
#include "output/run/trajectory_file.h"
#include "planner/backend/model_source.h"
#include "planner/backend/planner_backend.h"
#include "planner/backend/unsupported.h"
#include "planner/problem/first_action.h"
#include "planner/run/baselines.h"
#include "planner/run/flight_figures.h"
#include "planner/run/no_arrival.h"
#include "planner/run/prediction_check.h"
#include "planner/run/recommend.h"
#include "planner/run/step_statistics.h"
#include "solver/fly/rollout_statistics.h"
#include "solver/legs/legs.h"
#include "solver/step/value_at_departure.h"
#include "solver/subdomains/induction.h"

namespace tidewise {
namespace {

/// Records results and times of a solve in `summary`; `seconds`: total time [s].
void record(const SolveReport& report, double seconds, double waited, RunSummary& summary) {
  summary.subdomains = report.subdomains;
  summary.seconds.write = waited;
  summary.seconds.read = report.read_seconds;
  summary.seconds.solve = seconds - summary.seconds.read - summary.seconds.write;
  summary.problem.rows = report.rows;
  summary.problem.transitions = report.transitions;
}

/// Returns the mission to solve, with decisions for all departures if requested.
Mission mission_to_solve(const MissionProblem& problem) {
  Mission mission = problem.mission;
  mission.decisions.for_all_departures = problem.request.planner.all_departures;
  return mission;
}

/// Records the share and times of flights that passed each via point.
void note_passing(const MissionProblem& problem, const RolloutResult& rollout,
                  RunSummary& summary) {
  if (!summary.places || summary.places->via.empty()) return;
  const EnvironmentInfo& info = problem.info();
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

/// Adds the flights' statistics and warnings. Returns true if flights differ from the plan's
/// prediction and the last warning lacks the reason.
bool add_statistics(const MissionProblem& problem, const RolloutResult& rollout,
                    RunSummary& summary) {
  const EnvironmentInfo& info = problem.info();
  summary.rollout = summarize(rollout, info, problem.deadlines);
  set_keeping(flight_ends(rollout, info.time), rollout.mode, problem.mission, info,
              *summary.rollout);
  note_passing(problem, rollout, summary);
  const RolloutStatistics& flown = *summary.rollout;
  if (problem.request.arrival_at_least && flown.arrival_rate < *problem.request.arrival_at_least) {
    summary.warnings.push_back(fmt::format(
        "{} arrive, and --arrival-at-least asks for {:.4g} %: the model overestimates the "
        "probability, because each flight stays in one realization; ask for a higher probability, "
        "or set the lateness penalty (mission.failure.late)",
        describe_arriving(flown), 100 * *problem.request.arrival_at_least));
  }
  if (flown.failures.out_of_energy > 0) {
    summary.warnings.push_back(
        fmt::format("{} of {} flights empty the battery, which the plan ignores: plan for energy "
                    "(mission.objective = \"energy\"), with lower speeds, or for a nearer target",
                    flown.failures.out_of_energy, flown.trajectories));
    return false;  // the reason why flights differ from the prediction
  }
  if (flown.failures.without_action > 0) {
    summary.warnings.push_back(fmt::format(
        "{} of {} flights reach open water where the plan has no action (unreachable in its own "
        "forecast, or after the plan's end): plan or replan in this forecast",
        flown.failures.without_action, flown.trajectories));
  }
  if (flown.failures.out_of_forecast > 0) {
    summary.warnings.push_back(fmt::format(
        "{} of {} flights leave the forecast: its source has no data there, and the plan treats "
        "these cells as closed; import a larger area (tidewise env import --bbox, or another "
        "source), or stay farther from its edge",
        flown.failures.out_of_forecast, flown.trajectories));
  }
  if (rollout.mode != RolloutMode::continuous) return false;
  const std::string warning = validate_prediction(*summary.expected, flown, problem.mission,
                                                  problem.rule.landing, problem.info());
  if (warning.empty()) return false;
  summary.warnings.push_back(warning);
  return !problem.mission.kept;  // the path to a target explains nothing for station keeping
}

/// Flies a policy that was planned with a guessed forecast error through the smallest and the
/// largest plausible error, and records the range of arrivals.
void note_arrival_range(const MissionProblem& problem, const PolicySource& policy,
                        RolloutStatistics& flown, Progress& progress) {
  const EnvironmentReader& environment = problem.environment();
  if (problem.info().uncertainty != ForecastUncertainty::guess || problem.mission.kept) return;
  const auto factors = environment.file().number_attributes("/", error_scale_range_attribute);
  if (factors.size() != 2) return;
  std::pair<double, double> range{flown.arrival_rate, flown.arrival_rate};
  for (const double factor : factors) {
    EnvironmentReader scaled(environment, all_rows(problem.info().grid.ny));
    scaled.scale_coefficients(static_cast<float>(factor));
    const PlannerTask task{scaled, problem.actions, problem.request, problem.rule};
    const RolloutResult flights = make_cpu_planner(problem.context->backend(), task)
                                      ->fly(problem.mission, policy, problem.rollout, progress);
    const double rate = summarize(flights, problem.info(), {}).arrival_rate;
    range = {std::min(range.first, rate), std::max(range.second, rate)};
  }
  flown.arrival_range = range;
}

}  // namespace

std::unique_ptr<PolicyStore> open_store(const MissionProblem& problem,
                                        const std::filesystem::path& file,
                                        std::vector<TimeLevel> departures, PolicyPool* pool,
                                        PolicyExtent extent) {
  return std::make_unique<PolicyStore>(file, problem.environment(), problem.planning_problem(),
                                       problem.echo, PolicyStore::max_memory, std::move(departures),
                                       pool, problem.context->environment_fingerprint(), extent,
                                       problem.request.planner.all_departures);
}

PlannerOptions cpu_options(const MissionProblem& problem) {
  return {.engine = problem.request.planner.engine,
          .threads = problem.context->backend().threads,
          .subgrid_radius = problem.request.planner.subgrid_radius};
}

void solve(const MissionProblem& problem, const ModelFile* model, ExplicitMethod method,
           PolicyStore& store, RunSummary& summary, Progress& progress) {
  if (model != nullptr && problem.context->backend().kind == BackendKind::cuda) {
    refuse_model_on_device(problem.request, problem.mission);
  }
  const Stopwatch solving;
  const SolveReport report =
      problem.context->planner().solve(mission_to_solve(problem), model, method, store, progress);
  record(report, solving.seconds(), store.waited_seconds(), summary);
}

void solve(const MissionProblem& problem, const KeptCounts& counts, PolicyStore& store,
           RunSummary& summary, Progress& progress) {
  const Stopwatch solving;
  const Mission mission = mission_to_solve(problem);
  const PlanningProblem planned{problem.actions, mission, problem.rule};
  const PlannerOptions options = cpu_options(problem);
  const SolveReport report =
      solve_backward(problem.environment(), planned, options.threads,
                     counts.counts(problem.info(), planned, options), store, progress);
  record(report, solving.seconds(), store.waited_seconds(), summary);
}

void solve_from_start(const MissionProblem& problem, PolicyStore& store, RunSummary& summary,
                      Progress& progress) {
  const Stopwatch solving;
  const ReachableReport report =
      problem.context->planner().solve_from_start(problem.mission, store, progress);
  record(report.solve, solving.seconds(), store.waited_seconds(), summary);
  if (summary.replanned_from) summary.replanned_from->states = report.solve.states;
}

void solve_in_subdomains(const MissionProblem& problem, Communicator& communicator,
                         PolicyStore* store, RunSummary& summary, Progress& progress) {
  const Stopwatch solving;
  const SolveReport report = problem.context->planner().solve_in_subdomains(
      mission_to_solve(problem), communicator, store, progress);
  summary.processes = communicator.size();
  record(report, solving.seconds(), store == nullptr ? 0 : store->waited_seconds(), summary);
}

namespace {

/// Reads the value and the first action of the start.
void read_start(const MissionProblem& problem, const PolicySource& policy, RunSummary& summary) {
  if (problem.starts.size() > 1) summary.places = places_of(problem);
  const Mission& mission = problem.mission;
  std::vector<float> value(static_cast<std::size_t>(problem.info().grid.cell_count()));
  summary.value_at_start = value_at_departure(mission, [&](TimeLevel k) -> double {
    policy.read_value(k, value);
    return value[static_cast<std::size_t>(mission.start.value)];
  });
  summary.first_action = first_action(problem, policy);
  summary.rollout_mode = problem.rollout.mode;
}

/// Evaluates the policy exactly, unless `summary` holds the result.
void evaluate_exactly(const MissionProblem& problem, const PolicySource& policy,
                      RunSummary& summary, Progress& progress) {
  const Mission& mission = problem.mission;
  if (!summary.expected) {
    const Stopwatch evaluating;
    summary.expected = problem.context->planner().evaluate(mission, policy, progress);
    summary.seconds.evaluate += evaluating.seconds();
  }
  set_keeping(mission, problem.info(), *summary.expected);
  // The plan's own value includes proximity penalties, which are not part of the cost.
  if (mission.margin > 0 && !summary.planned_on) summary.value_at_start = summary.expected->value;
  if (summary.planned_on) {
    summary.planned_on->value_at_start = summary.value_at_start;
    summary.planned_on->states = count_open_states(problem.environment(), mission, policy);
    summary.value_at_start = summary.expected->value;
  }
}

}  // namespace

void evaluate(const MissionProblem& problem, const PolicySource& policy, RunSummary& summary,
              Progress& progress) {
  read_start(problem, policy, summary);
  evaluate_exactly(problem, policy, summary, progress);
}

std::vector<std::exception_ptr> add_flight_statistics(const std::vector<SummarizedFlights>& all,
                                                      std::int32_t threads,
                                                      std::int32_t step_threads) {
  std::vector<std::exception_ptr> failures(all.size());
  std::vector<std::uint8_t> lacks_reason(all.size(), 0);
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads)
  for (std::size_t n = 0; n < all.size(); ++n) {
    try {
      lacks_reason[n] = add_statistics(*all[n].problem, *all[n].flights, *all[n].summary);
    } catch (...) {
      failures[n] = std::current_exception();
    }
  }
  std::vector<std::size_t> unexplained;
  std::vector<FlownMission> flown;
  for (std::size_t n = 0; n < all.size(); ++n) {
    if (lacks_reason[n] == 0) continue;
    unexplained.push_back(n);
    flown.push_back({&all[n].problem->mission, all[n].flights});
  }
  if (flown.empty()) return failures;
  try {
    const EnvironmentReader& environment = all.front().problem->environment();
    const std::vector<StepStatistics> steps = measure_steps(environment, flown, step_threads);
    for (std::size_t n = 0; n < steps.size(); ++n) {
      RunSummary& summary = *all[unexplained[n]].summary;
      summary.warnings.back() += explain_difference(
          steps[n], later_by(*summary.expected, *summary.rollout), environment.info());
    }
  } catch (...) {
    for (const std::size_t n : unexplained) failures[n] = std::current_exception();
  }
  return failures;
}

namespace {

/// Flies the baseline controllers with which the flights of a plan are compared; none if they are
/// not compared.
std::vector<BaselineFlights> flights_of_baselines(const MissionProblem& problem, RolloutMode mode,
                                                  Progress& progress) {
  // Baseline controllers steer to the target directly and ignore via points.
  if (mode != RolloutMode::continuous || problem.request.rollout.baselines != BaselineChoice::all ||
      !problem.mission.via.empty()) {
    return {};
  }
  return problem.context->planner().fly_baselines(problem.mission,
                                                  baseline_speeds(problem.request, problem.actions),
                                                  problem.rollout, progress);
}

void compare(const MissionProblem& problem, const RolloutResult& plan,
             const std::vector<BaselineFlights>& baselines, RunSummary& summary) {
  if (baselines.empty()) return;
  summary.baselines = compare_with_baselines(plan, baselines, problem.mission, problem.info());
  const std::string warning = validate_against_baselines(summary.baselines, *summary.rollout,
                                                         problem.mission, problem.info());
  if (!warning.empty()) summary.warnings.push_back(warning);
}

/// Flies as fly() does. Calls `on_flown` when `flights` are complete, before their statistics are
/// added. If a GPU holds all levels, it evaluates the policy while it simulates the flights and the
/// baselines.
void fly_into(RolloutResult& flights, MissionProblem& problem, const PolicySource& policy,
              RunSummary& summary, Progress& progress, const std::function<void()>& on_flown) {
  problem.choose_start(policy);
  read_start(problem, policy, summary);
  PlannerBackend& planner = problem.context->planner();
  const Stopwatch flight;
  std::optional<std::vector<BaselineFlights>> baselines;
  std::optional<WorkBeside> evaluating;
  if (problem.flies() && !summary.expected &&
      planner.evaluates_beside_flights({&problem.mission}, problem.max_flights())) {
    evaluating.emplace("evaluating", [&](Progress& beside) {
      evaluate_exactly(problem, policy, summary, beside);
    });
  }
  if (problem.flies()) {
    flights = planner.fly(problem.mission, policy, problem.rollout, progress);
    on_flown();
    if (evaluating) baselines = flights_of_baselines(problem, flights.mode, progress);
    summary.seconds.rollout += flight.seconds();
  }
  if (evaluating) {
    const Stopwatch waiting;
    evaluating->finish(progress);
    summary.seconds.evaluate = waiting.seconds();  // the rest was beside the flights
  } else {
    evaluate_exactly(problem, policy, summary, progress);
  }
  const Stopwatch comparison;
  if (problem.flies()) {
    const std::int32_t threads = problem.rollout.threads;
    const auto failure =
        add_flight_statistics({{&problem, &flights, &summary}}, 1, threads).front();
    if (failure) std::rethrow_exception(failure);
    note_arrival_range(problem, policy, *summary.rollout, progress);
    if (!baselines) baselines = flights_of_baselines(problem, flights.mode, progress);
    compare(problem, flights, *baselines, summary);
  }
  const bool empties_battery = summary.rollout && summary.rollout->failures.out_of_energy > 0;
  if (!summary.planned_on && !empties_battery && !problem.mission.kept &&
      hardly_arrives(*summary.expected, summary.rollout)) {
    summary.warnings.push_back(
        explain_no_arrival(problem, summary.replanned_from.has_value(), progress));
  }
  summary.seconds.rollout += comparison.seconds();
}

}  // namespace

void fly_baselines(const MissionProblem& problem, const RolloutResult& plan, RunSummary& summary,
                   Progress& progress) {
  compare(problem, plan, flights_of_baselines(problem, plan.mode, progress), summary);
}

RolloutResult fly(MissionProblem& problem, const PolicySource& policy, RunSummary& summary,
                  Progress& progress) {
  RolloutResult flights;
  fly_into(flights, problem, policy, summary, progress, [] {});
  return flights;
}

double write_flights(const MissionProblem& problem, const RolloutResult& flights,
                     const std::filesystem::path& folder, const RunSummary& summary,
                     std::int32_t threads, std::size_t max_tracks) {
  if (flights.trajectories.empty()) return 0;
  const Stopwatch writing;
  write_trajectories(folder / "trajectories.nc", problem.environment(), problem.mission, flights,
                     problem.echo, threads,
                     summary.planned_on ? summary.planned_on->environment : std::string(),
                     summary.steered_by, max_tracks);
  return writing.seconds();
}

RolloutResult fly_and_write(MissionProblem& problem, PolicyStore& store,
                            const std::filesystem::path& folder, RunSummary& summary,
                            Progress& progress) {
  RolloutResult flights;
  {
    // The parts of the summary that the file holds do not change while the policy is evaluated.
    const RunSummary before = summary;
    Strand writing;
    fly_into(flights, problem, store.source(), summary, progress, [&] {
      writing.put(
          [&] { (void)write_flights(problem, flights, folder, before, problem.rollout.threads); });
    });
    const Stopwatch waiting;
    writing.finish();
    summary.seconds.write += waiting.seconds();
  }
  const double waited = store.waited_seconds();
  store.finish();
  summary.seconds.write += store.waited_seconds() - waited;
  return flights;
}

void complete(const MissionProblem& problem, RunSummary& summary) {
  // A replanned run already has a recommendation from its comparison with the old plan.
  if (summary.recommendation.gain.empty()) summary.recommendation = recommend(summary);
  summary.seconds.total = problem.since_begin.seconds();
  summary.peak_memory_bytes = peak_memory_bytes();
  summary.peak_device_memory_bytes = static_cast<std::int64_t>(peak_device_memory());
}

}  // namespace tidewise

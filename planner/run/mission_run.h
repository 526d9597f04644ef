#pragma once

#include <filesystem>
#include <memory>

#include "base/parallel/communicator.h"
#include "base/stopwatch.h"
#include "env/file/reader.h"
#include "output/run/policy_store.h"
#include "output/run/summary.h"
#include "planner/backend/planner_backend.h"
#include "planner/backend/planning_context.h"
#include "planner/mission/request.h"
#include "planner/mission/resolve/resolution.h"
#include "solver/fly/rollout.h"
#include "solver/policy/policy.h"

namespace tidewise {

struct Way;

/// A mission that has been read and judged against its environment, and is ready to be run.
class MissionRun {
 public:
  /// Writes nothing. Errors: InputError for all that can be known without running.
  /// Without a `context` it opens its own; one that missions share was made for a mission with the
  /// same environment, vehicle and planner.
  explicit MissionRun(RunRequest request, std::shared_ptr<PlanningContext> context = nullptr);
  MissionRun(const MissionRun&) = delete;
  MissionRun& operator=(const MissionRun&) = delete;

  const RunRequest& request() const { return request_; }
  /// What missions on this environment with this vehicle share.
  const std::shared_ptr<PlanningContext>& context() const { return context_; }
  const EnvironmentReader& environment() const { return context_->environment(); }
  const std::string& environment_fingerprint() const { return context_->environment_fingerprint(); }
  const std::vector<Action>& actions() const { return resolved_.actions; }
  const Mission& mission() const { return resolved_.mission; }
  const PositionRule& rule() const { return resolved_.rule; }
  PlanningProblem problem() const { return resolved_.problem(); }
  const Backend& backend() const { return context_->backend(); }
  /// What solves, evaluates and flies on this run's environment.
  PlannerBackend& planner() const { return context_->planner(); }
  /// How the mission says to fly.
  RolloutOptions rollout_options() const;
  /// What the mission can do but hardly should (planner/mission/resolve/validation.h).
  std::vector<std::string> warnings() const;
  /// What was taken for something near it, a line each.
  const std::vector<std::string>& notes() const { return resolved_.notes; }
  /// How many starts there are to choose from.
  std::size_t start_count() const { return resolved_.starts.size(); }
  /// Of several starts, takes the one that the policy is worth the most from; the first of equals.
  /// Before it is called, mission() starts from the first of all.
  void choose_start(const PolicySource& policy);
  /// Takes that start. Errors: InputError where it is in no cell.
  void start_from(const PlanePoint& start);
  /// The mission in TOML with nothing left to defaults.
  const std::string& echo() const { return echo_; }

  /// A summary with all that is known before the run.
  RunSummary begin_summary() const;
  /// Where the run's policy goes as it is found; `departures` and `pool` as of PolicyStore.
  std::unique_ptr<PolicyStore> open_store(const std::filesystem::path& file,
                                          std::vector<TimeLevel> departures = {},
                                          PolicyPool* pool = nullptr,
                                          PolicyExtent extent = PolicyExtent::whole) const;
  /// Solves the mission by counting, or from `model` where that is no null (by a GPU as `method`
  /// says), and notes in `summary` what that took.
  void solve(const ModelFile* model, ExplicitMethod method, PolicyStore& store, RunSummary& summary,
             Progress& progress) const;
  /// The same by counting, from the start at the departure on: in the cells that the vehicle can
  /// still be in alone (PlannerBackend::solve_from_start).
  void solve_from_start(PolicyStore& store, RunSummary& summary, Progress& progress) const;
  /// The same by counting, together with the other ranks; `store` is rank 0's, null at the others.
  void solve_in_subdomains(Communicator& communicator, PolicyStore* store, RunSummary& summary,
                           Progress& progress) const;
  /// Chooses the start, looks its value up, evaluates the policy exactly unless `summary` has it
  /// already, and flies it as the mission says, and what needs no plan beside it. Where `summary`
  /// has planned_on, the value looked up is what the policy promised there, and its value here is
  /// that of the evaluation. Flights that do not keep what the plan promises add a warning
  /// (promise.h), and so do rules that beat it (baselines.h), and a start from which nothing
  /// arrives (no_arrival.h).
  RolloutResult fly(const PolicySource& policy, RunSummary& summary, Progress& progress);
  // Its parts, for who flies several missions together: before the flights, …
  void begin_flying(const PolicySource& policy, RunSummary& summary, Progress& progress);
  /// Refuses a mission that passes places on its way, for `what`. Errors: InputError.
  void refuse_via(const char* what) const;
  /// The same for one that holds actions.
  void refuse_held(const char* what) const;
  /// The same for one that keeps to a place, and arrives nowhere.
  void refuse_keeping(const char* what) const;
  /// Whether the mission asks for flights, and then they are rollout_options().
  bool flies() const { return request_.rollout.mode != RolloutChoice::none; }
  /// … after them, which takes no part in the planner: other missions' may be reckoned meanwhile.
  /// True: they do not keep what the plan promises, and the warning of it is for explain(), …
  [[nodiscard]] bool reckon(const RolloutResult& rollout, RunSummary& summary) const;
  /// … by the way that they flew (measure_ways()),
  void explain(const Way& way, RunSummary& summary) const;
  /// … and what needs no plan, if it is asked for.
  void fly_baselines(const RolloutResult& plan, RunSummary& summary, Progress& progress) const;
  /// Writes trajectories.nc (where there are flights) into `folder` with so many threads. Takes no
  /// part in the planner: other threads may use that, and write other missions, meanwhile.
  void write(const RolloutResult& rollout, const std::filesystem::path& folder, RunSummary& summary,
             std::int32_t threads) const;
  /// Waits until the policy's file is complete, and notes in `summary` for how long.
  static void finish(PolicyStore& store, RunSummary& summary);
  /// Flies and writes.
  RolloutResult fly_and_write(const PolicySource& policy, const std::filesystem::path& folder,
                              RunSummary& summary, Progress& progress);
  /// The summary's time in all and memory, last of all.
  void complete(RunSummary& summary) const;
  /// Completes the summary and writes it into `folder`.
  void write_summary_into(const std::filesystem::path& folder, RunSummary& summary) const;

 private:
  RunPlaces places() const;
  /// A pass for each level at which a departure may begin to decide.
  SolveReport solve_each_phase(const ModelFile* model, ExplicitMethod method, PolicySink& sink,
                               Progress& progress) const;
  /// How many flights passed each place, and when.
  void reckon_passing(const RolloutResult& rollout, RunSummary& summary) const;
  /// Nothing where the start is in the target.
  std::optional<FirstAction> first_action(const PolicySource& policy) const;

  Stopwatch since_begin_;
  RunRequest request_;
  std::shared_ptr<PlanningContext> context_;
  ResolvedMission resolved_;
  std::vector<std::int32_t> realizations_;
  std::vector<double> deadlines_;  // after the departure [s or 1]
  std::string echo_;
};

}  // namespace tidewise

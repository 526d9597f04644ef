
#include <utility>

#include "base/error.h"
#include "planner/api/plan_content.h"
#include "planner/api/policy_content.h"
#include "planner/folder/run_folder.h"
#include "planner/mission/read/echo.h"
#include "planner/mission/read/key_table.h"
#include "planner/run/arrival_constraint.h"
#include "planner/run/recommend.h"
#include "planner/run/run_mission.h"
#include "tidewise/mission_file.h"

namespace tidewise {
namespace fs = std::filesystem;

struct Flights::Content {
  FlightOptions options;
  RolloutResult rollout;
  RunSummary summary;  ///< summary of the plan and these flights
};

namespace {

RunRequest request_of(const Environment& environment, const MissionFile& mission) {
  RunRequest request{mission};
  request.environment = environment.file();
  request.names = environment.names();
  request.rollout = {.mode = RolloutChoice::none};
  validate_request(request);
  return request;
}

}  // namespace

/// Writes a run's folder as 'tidewise plan' does.
void save_run(const Plan& planned, const fs::path& destination, const Flights* flown_flights,
              SavedEnvironment saved, const OnSaved& on_saved) {
  const Plan::Content& plan = planned.content();
  const Flights::Content* flights = flown_flights != nullptr ? &flown_flights->content() : nullptr;
  const bool with_environment =
      saved == SavedEnvironment::with_run && plan.environment.is_temporary();
  const fs::path path = fs::absolute(destination).lexically_normal();
  RunRequest request = plan.request;
  request.output.directory = path;
  if (flights != nullptr) request.rollout = flights->options;
  if (with_environment) request.environment = path / "environment.h5";
  MissionProblem run(std::move(request), plan.planning);
  run.choose_start(plan.policy->file());
  RunFolder folder(path);
  if (with_environment) plan.environment.save(path / "environment.h5");
  copy_policy(plan.policy->file().path(), folder.staging() / "policy.h5", run.echo);
  RunSummary summary = flights != nullptr ? flights->summary : plan.summary;
  summary.mission = to_json(run.request);
  if (flights != nullptr)
    summary.seconds.write +=
        write_flights(run, flights->rollout, folder.staging(), summary, run.rollout.threads);
  write_summary(folder.staging() / "summary.json", summary);
  folder.commit();
  const RolloutResult no_flights;
  if (on_saved) on_saved(run, summary, flights != nullptr ? flights->rollout : no_flights);
}

Plan plan(const Environment& environment, const MissionRequest& mission, const PlanOptions& options,
          Progress* progress) {
  MissionFile file{mission};
  file.name = "mission";
  file.planner = options;
  return plan(environment, file, progress);
}

std::shared_ptr<const KeptCounts> keep_counts(const Environment& environment,
                                              const MissionFile& mission, Progress* progress) {
  SilentProgress silent;
  const MissionProblem run(request_of(environment, mission));
  if (run.context->backend().kind != BackendKind::cpu || run.rule.draws > 1) return nullptr;
  return std::make_shared<const KeptCounts>(run.environment(), run.rule, run.actions,
                                            cpu_options(run),
                                            progress != nullptr ? *progress : silent);
}

Plan plan(const Environment& environment, const MissionFile& mission, Progress* progress) {
  return plan_by_counts(environment, mission, nullptr, progress);
}

Plan plan_by_counts(const Environment& environment, const MissionFile& mission,
                    const KeptCounts* counts, Progress* progress) {
  SilentProgress silent;
  Progress& watched = progress != nullptr ? *progress : silent;
  RunRequest request = request_of(environment, mission);
  const auto planning = std::make_shared<PlanningContext>(PlanningContext::AtOnce(), request);
  if (mission.arrival_at_least) {
    request =
        with_arrival_at_least(std::move(request), *mission.arrival_at_least, planning, watched);
  }
  MissionProblem run(request, planning);
  auto folder = std::make_unique<const TemporaryFolder>();
  const fs::path file = folder->path() / "policy.h5";
  RunSummary summary = begin_summary(run);
  {
    const auto store = open_store(run, file);
    if (counts != nullptr) {
      solve(run, *counts, *store, summary, watched);
    } else {
      solve(run, nullptr, {}, *store, summary, watched);
    }
    fly_and_write(run, *store, folder->path(), summary, watched);  // without flights
  }
  const auto policy = std::make_shared<Policy::Content>();
  policy->opened = std::make_shared<const OpenPolicyFile>(file, std::move(folder));
  complete(run, summary);
  return Plan(std::make_shared<Plan::Content>(
      Plan::Content{environment, request, planning, policy, std::move(summary), warnings_of(run)}));
}

Plan::Plan(std::shared_ptr<const Content> content) : content_(std::move(content)) {}
Policy Plan::policy() const { return Policy(content_->policy); }
const ExpectedOutcome& Plan::expected() const { return *content_->summary.expected; }
const std::vector<std::string>& Plan::warnings() const { return content_->warnings; }
void Plan::save(const fs::path& folder, SavedEnvironment environment) const {
  save_run(*this, folder, nullptr, environment);
}
void Plan::save(const fs::path& folder, const Flights& flights,
                SavedEnvironment environment) const {
  save_run(*this, folder, &flights, environment);
}

Flights fly(const Plan& plan, const FlightOptions& options, Progress* progress) {
  const Plan::Content& planned = plan.content();
  RunRequest request = planned.request;
  request.rollout = options;
  validate_request(request);
  MissionProblem run(std::move(request), planned.planning);
  auto content = std::make_shared<Flights::Content>(Flights::Content{options, {}, planned.summary});
  SilentProgress silent;
  content->rollout =
      fly(run, planned.policy->file(), content->summary, progress != nullptr ? *progress : silent);
  content->summary.recommendation = recommend(content->summary);
  content->summary.seconds.total +=
      content->summary.seconds.rollout - planned.summary.seconds.rollout;
  return Flights(std::move(content));
}

Flights::Flights(std::shared_ptr<const Content> content) : content_(std::move(content)) {}

const std::vector<Trajectory>& Flights::trajectories() const {
  return content_->rollout.trajectories;
}

const std::vector<BaselineOutcome>& Flights::baselines() const {
  return content_->summary.baselines;
}

const std::vector<std::string>& Flights::warnings() const { return content_->summary.warnings; }

const RolloutStatistics& Flights::statistics() const {
  static const RolloutStatistics none;
  return content_->summary.rollout ? *content_->summary.rollout : none;
}

}  // namespace tidewise

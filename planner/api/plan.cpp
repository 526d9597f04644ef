#include <fmt/format.h>

#include <utility>

#include "base/error.h"
#include "planner/api/policy_content.h"
#include "planner/mission/echo.h"
#include "planner/mission/key_table.h"
#include "planner/run/folder.h"
#include "planner/run/mission_run.h"
#include "tidewise/planner.h"

namespace tidewise {
namespace fs = std::filesystem;

struct Plan::Content {
  Environment environment;
  RunRequest request;
  std::shared_ptr<PlanningContext> planning;
  std::shared_ptr<const Policy::Content> policy;
  RunSummary summary;
  std::vector<std::string> warnings;
};

struct Flights::Content {
  FlightOptions options;
  RolloutResult rollout;
  RunSummary summary;  ///< of the plan and these flights
};

namespace {

RunRequest request_of(const Environment& environment, const MissionRequest& mission,
                      const PlanOptions& options) {
  RunRequest request;
  request.name = "mission";
  request.environment.file = environment.file();
  request.vehicle = mission.vehicle;
  request.mission = mission.goal;
  request.planner = options;
  request.rollout.mode = RolloutChoice::none;
  validate_request(request);
  return request;
}

/// Finds the policy and what is to be expected of it, and leaves the policy in its file.
void solve(MissionRun& run, Policy::Content& policy, RunSummary& summary) {
  SilentProgress silent;
  const auto store = run.open_store(policy.path());
  run.solve(nullptr, {}, *store, summary, silent);
  (void)run.fly(store->source(), summary, silent);
  MissionRun::finish(*store, summary);
}

/// Writes a run's folder as 'tidewise plan' does.
void save_run(const Plan::Content& plan, const fs::path& place, const Flights::Content* flights) {
  const fs::path path = fs::absolute(place).lexically_normal();
  RunRequest request = plan.request;
  request.output.directory = path;
  if (flights != nullptr) request.rollout = flights->options;
  if (plan.environment.is_temporary()) request.environment.file = path / "environment.h5";
  MissionRun run(std::move(request), plan.planning);
  run.choose_start(*plan.policy->file);
  RunFolder folder(path);
  if (plan.environment.is_temporary()) plan.environment.save(path / "environment.h5");
  copy_policy(plan.policy->path(), folder.staging() / "policy.h5", run.echo());
  RunSummary summary = flights != nullptr ? flights->summary : plan.summary;
  summary.mission = to_json(run.file());
  if (flights != nullptr)
    run.write(flights->rollout, folder.staging(), summary, run.backend().threads);
  write_summary(folder.staging() / "summary.json", summary);
  folder.commit();
}

}  // namespace

Plan plan(const Environment& environment, const MissionRequest& mission,
          const PlanOptions& options) {
  const RunRequest request = request_of(environment, mission, options);
  const auto planning = std::make_shared<PlanningContext>(request);
  MissionRun run(request, planning);
  const auto policy = std::make_shared<Policy::Content>();
  RunSummary summary = run.begin_summary();
  solve(run, *policy, summary);
  policy->file.emplace(policy->path());
  run.complete(summary);
  return Plan(std::make_shared<Plan::Content>(
      Plan::Content{environment, request, planning, policy, std::move(summary), run.warnings()}));
}

Plan::Plan(std::shared_ptr<const Content> content) : content_(std::move(content)) {}
Policy Plan::policy() const { return Policy(content_->policy); }
const ExpectedOutcome& Plan::expected() const { return *content_->summary.expected; }
const std::vector<std::string>& Plan::warnings() const { return content_->warnings; }
void Plan::save(const fs::path& folder) const { save_run(*content_, folder, nullptr); }
void Plan::save(const fs::path& folder, const Flights& flights) const {
  save_run(*content_, folder, &flights.content());
}

Flights fly(const Plan& plan, const FlightOptions& options) {
  const Plan::Content& planned = plan.content();
  RunRequest request = planned.request;
  request.rollout = options;
  validate_request(request);
  MissionRun run(std::move(request), planned.planning);
  auto content = std::make_shared<Flights::Content>(Flights::Content{options, {}, planned.summary});
  SilentProgress silent;
  content->rollout = run.fly(*planned.policy->file, content->summary, silent);
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

const RolloutStatistics& Flights::statistics() const {
  static const RolloutStatistics none;
  return content_->summary.rollout ? *content_->summary.rollout : none;
}

}  // namespace tidewise

#include "planner/backend/planning_context.h"

#include <utility>

#include "base/file/fingerprint.h"
#include "planner/mission/resolve/open_environment.h"
#include "planner/mission/resolve/resolution.h"

namespace tidewise {

PlanningContext::PlanningContext(RunRequest request)
    : request_(std::move(request)), environment_(open_environment(request_)) {}

PlanningContext::PlanningContext(AtOnce /*at_once*/, RunRequest request)
    : request_(std::move(request)), environment_(open_while_gpus_start()) {
  fingerprinting_.emplace();
  fingerprinting_->put([this] { fingerprint_ = file_fingerprint(environment_.path()); });
}

EnvironmentReader PlanningContext::open_while_gpus_start() {
  starting_.emplace();
  starting_->put([this] { start_gpus(request_.planner); });
  return open_environment(request_);
}

const std::string& PlanningContext::environment_fingerprint() {
  if (fingerprinting_) fingerprinting_->finish();
  fingerprinting_.reset();
  if (fingerprint_.empty()) fingerprint_ = file_fingerprint(environment_.path());
  return fingerprint_;
}

const Backend& PlanningContext::backend() {
  if (starting_) starting_->finish();
  starting_.reset();
  if (!backend_) backend_ = take_backend(request_);
  return *backend_;
}

PlannerBackend& PlanningContext::planner() {
  if (!planner_) {
    actions_ = resolve_actions(request_, environment_.info());
    planner_ = make_planner_backend(
        backend(), {environment_, actions_, request_, resolve_rule(request_, environment_.info())});
  }
  return *planner_;
}

}  // namespace tidewise

#include "planner/backend/planning_context.h"

#include <utility>

#include "base/file/fingerprint.h"
#include "planner/mission/resolve/open_environment.h"
#include "planner/mission/resolve/resolution.h"

namespace tidewise {

PlanningContext::PlanningContext(RunRequest request, const std::vector<std::int32_t>& realizations)
    : request_(std::move(request)), environment_(open_environment(request_)) {
  if (!realizations.empty()) environment_.keep_realizations(realizations);
}

const std::string& PlanningContext::environment_fingerprint() {
  if (fingerprint_.empty()) fingerprint_ = file_fingerprint(environment_.path());
  return fingerprint_;
}

const Backend& PlanningContext::backend() {
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

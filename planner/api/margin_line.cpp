#include "planner/api/margin_line.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <string>

#include "base/error.h"
#include "output/run/margin_table.h"
#include "output/run/policy_file.h"
#include "planner/mission/read/key_table.h"
#include "planner/run/mission_run.h"
#include "planner/run/path.h"
#include "planner/run/policy_validation.h"

namespace tidewise {
namespace {

/// All that a choice of margins looks at, but for the margin and the forecast.
std::string choice_key(RunRequest request) {
  request.environment = "forecast";
  request.planner.margin = 0.0;
  request.planner.failure_factor.reset();
  request.rollout = {};
  return to_json(request, {Changes::counts, Changes::policy, Changes::flights}).dump();
}

/// Refuses a run of another mission or forecast, whose flights say nothing of this one.
void require_own(const std::string& run, const RunRequest& request,
                 const std::shared_ptr<PlanningContext>& planning) {
  const PolicyFile policy(policy_path(run));
  RunRequest asked = request;
  asked.planner.margin = 0.0;
  const MissionRun resolved(std::move(asked), planning);
  if (choice_key(mission_of(policy, {})) != choice_key(resolved.request())) {
    const bool priced = read_summary(policy_path(run).parent_path()).contains("arrival_at_least");
    throw InputError(fmt::format(
        "{}: its margin was chosen for another mission{}; plan with planner.margin = \"auto\" "
        "first",
        run,
        priced ? ", since its plan has the price of failing that --arrival-at-least found" : ""));
  }
  (void)validate_own_environment(policy, *planning);
}

}  // namespace

MarginsFlown keep_line(RunRequest& request, const std::shared_ptr<PlanningContext>& planning,
                       const MarginLine& asked, bool arrival_at_least) {
  if (arrival_at_least) {
    throw InputError(
        "--choose: keeps a line at the price of failing that the table has, and --arrival-at-least "
        "finds another one; give one of them");
  }
  const std::int32_t line = asked.line;
  const std::string run = asked.run.string();
  require_own(run, request, planning);
  MarginsFlown margins{margins_of(read_summary(policy_path(run).parent_path()))};
  if (margins.outcome.empty()) {
    throw InputError(fmt::format(
        "{}: its margin was not chosen among several, so that there is no other line; plan with "
        "planner.margin = \"auto\" first",
        run));
  }
  const auto count = static_cast<std::int32_t>(margins.outcome.size());
  if (line < 0 || line >= count) {
    throw InputError(
        fmt::format("{}: {} is no line of its table of margins; choose one from 0 to {}", run, line,
                    count - 1));
  }
  for (std::int32_t n = 0; n < count; ++n) {
    margins.outcome[static_cast<std::size_t>(n)].kept = n == line;
  }
  keep(margins.outcome[static_cast<std::size_t>(line)], request);
  return margins;
}

}  // namespace tidewise

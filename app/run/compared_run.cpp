#include "app/run/compared_run.h"

#include <utility>

#include "app/error/codes.h"
#include "base/error.h"
#include "output/run/summary.h"
#include "planner/run/path.h"

namespace tidewise {
namespace {

using Json = nlohmann::ordered_json;

Json validated_summary(const std::filesystem::path& folder) {
  Json summary = read_summary(folder);
  const bool is_valid = summary.is_object() && summary.contains("mission") &&
                        summary["mission"].is_object() && summary.contains("value_at_start");
  if (is_valid) return summary;
  throw input_error(errors::summary_missing, (folder / "summary.json").string());
}

}  // namespace

ComparedRun open_compared_run(const std::string& name, const std::vector<Setting>& settings) {
  PolicyFile policy(policy_path(name));
  RunRequest request = mission_of(policy, settings);
  Json summary = validated_summary(policy.path().parent_path());
  policy.validate();
  return {name, std::move(policy), std::move(request), std::move(summary)};
}

}  // namespace tidewise

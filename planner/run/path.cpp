#include "planner/run/path.h"

#include <algorithm>
#include <system_error>

#include "base/error.h"
#include "planner/error/codes.h"
#include "planner/mission/read/echo.h"

namespace tidewise {
namespace fs = std::filesystem;

fs::path policy_path(const std::string& run) {
  std::error_code ignored;
  fs::path path(run);
  if (!fs::exists(path, ignored)) {
    throw input_error(errors::run_missing, run);
  }
  if (!fs::is_directory(path, ignored)) return path;
  if (!fs::exists(path / "policy.h5", ignored)) {
    throw input_error(errors::run_without_policy, run);
  }
  return path / "policy.h5";
}

std::string name_of_folder(const fs::path& folder) {
  const fs::path plain = fs::absolute(folder).lexically_normal();
  return (plain.has_filename() ? plain : plain.parent_path()).filename().string();
}

RunRequest mission_within(const fs::path& file, const std::string& text,
                          const std::vector<Setting>& settings) {
  RunRequest request = parse_mission(text, file.string() + " (mission)", settings);
  fs::path& environment = request.environment;
  const fs::path sibling = fs::absolute(file).parent_path() / environment.filename();
  const bool is_set = std::any_of(settings.begin(), settings.end(), [](const Setting& setting) {
    return setting.assignment.starts_with("environment");
  });
  std::error_code ignored;
  if (!is_set && !fs::exists(environment, ignored) && fs::exists(sibling, ignored))
    environment = sibling;
  return request;
}

RunRequest mission_of(const PolicyFile& policy, const std::vector<Setting>& settings) {
  return mission_within(policy.path(), policy.mission_text(), settings);
}

void require_one_mission(RunRequest flown, const fs::path& flights, const RunRequest& planned,
                         const fs::path& policy) {
  flown.planner = planned.planner;
  flown.rollout = planned.rollout;
  flown.output = planned.output;
  if (to_toml(flown) == to_toml(planned)) return;
  throw input_error(errors::trajectories_of_other_mission, flights.string(), policy.string());
}

}  // namespace tidewise

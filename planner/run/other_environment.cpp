#include "planner/run/other_environment.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iterator>
#include <system_error>

#include "base/error.h"
#include "base/file/fingerprint.h"
#include "env/environment_names.h"
#include "env/file/time_reference.h"
#include "output/run/policy_description.h"
#include "planner/error/codes.h"

namespace tidewise {
namespace fs = std::filesystem;

namespace {

/// Describes the difference in units, projection or dates; empty if there is none.
std::string difference_of_axes(const PolicyFile& policy, const EnvironmentReader& environment) {
  const EnvironmentInfo& info = environment.info();
  const EnvironmentInfo planned = describe_environment_of(policy);
  if (info.units != planned.units) {
    const auto name = [](Units units) {
      return units == Units::metric ? "metres and seconds" : "units of 1";
    };
    return fmt::format("{} in the policy, {} in the environment", name(planned.units),
                       name(info.units));
  }
  if (info.projection != planned.projection) return "its x and y belong to another projection";
  const double origin = time_reference(info.time_units, "").value_or(0);
  if (std::abs(place_of(policy, "").origin - origin) > 1e-3 * info.time.step) {
    return fmt::format("times in \"{}\" in the policy, in \"{}\" in the environment",
                       planned.time_units, info.time_units);
  }
  return {};
}

bool are_equal(const EnvironmentNames& a, const EnvironmentNames& b) {
  return std::all_of(std::begin(environment_roles), std::end(environment_roles),
                     [&](const auto& role) { return a.*role.second == b.*role.second; });
}

}  // namespace

std::optional<PlannedOn> change_environment(RunRequest& request, const PolicyFile& policy,
                                            const std::string& environment,
                                            const std::optional<EnvironmentNames>& names) {
  std::error_code ignored;
  const fs::path& planning_environment = request.environment;
  // If the run's environment file was replaced, its path now names another environment.
  const std::string& recorded = policy.environment_fingerprint();
  if ((!names || are_equal(*names, request.names)) &&
      fs::equivalent(environment, planning_environment, ignored) &&
      (recorded.empty() || recorded == file_fingerprint(planning_environment))) {
    return {};
  }
  PlannedOn planned_on;
  planned_on.policy = fs::absolute(policy.path()).lexically_normal().string();
  planned_on.environment = planning_environment.string();
  request.environment = fs::absolute(environment).lexically_normal();
  request.names = names.value_or(EnvironmentNames());
  request.places["environment.file"] = "--environment " + environment;
  return planned_on;
}

void require_same_place(const PolicyFile& policy, const EnvironmentReader& environment) {
  std::string difference = policy.difference_of_cells(environment.info());
  if (difference.empty()) difference = difference_of_axes(policy, environment);
  if (difference.empty()) return;
  throw input_error(errors::other_environment_differs, environment.path().string(),
                    policy.path().string(), difference);
}

}  // namespace tidewise

#include "app/board/export.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "base/byte_size.h"
#include "base/error.h"
#include "env/units/calendar_time.h"
#include "output/run/policy_description.h"
#include "planner/run/mission_run.h"
#include "planner/run/path.h"
#include "planner/run/policy_validation.h"

namespace tidewise {
namespace fs = std::filesystem;

namespace {

bool asks_for_a_part(const CutRequest& part) {
  return part.x || part.y || part.box || part.levels || part.time || part.from || part.to;
}

/// The environment may go on after the plan's last level.
CutWindow window_of(const EnvironmentReader& environment, const PolicyFile& policy,
                    const CutRequest& part) {
  CutWindow window = choose_window(environment, part);
  const std::int32_t last = policy.last_level().value;
  if (window.levels.first > last) {
    throw InputError(
        fmt::format("the levels {} to {} are asked for, and the plan in {} ends at {}; "
                    "choose earlier ones",
                    window.levels.first, window.levels.last, policy.path().string(), last));
  }
  window.levels.last = std::min(window.levels.last, last);
  return window;
}

fs::path file_of(const BoardExport& request, const PolicyFile& policy) {
  if (!request.out.empty()) return request.out;
  const fs::path folder = fs::absolute(policy.path()).parent_path() / "export";
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) {
    throw InputError(fmt::format("{}: the folder cannot be made ({}); name a file (--out)",
                                 folder.string(), error.message()));
  }
  return folder / "policy.twp";
}

std::string describe_times(const PolicyFile& policy, const IndexRange& levels) {
  const PolicyPlace place = place_of(policy, "");
  const double first = policy.time().at(TimeLevel(levels.first));
  const double last = policy.time().at(TimeLevel(levels.last));
  const bool dated =
      describe_environment_of(policy).time_units.find(" since ") != std::string::npos;
  if (!dated) return fmt::format("{:.10g} to {:.10g}", first, last);
  return fmt::format("{}Z to {}Z", format_iso_time(place.origin + first),
                     format_iso_time(place.origin + last));
}

std::string describe(const fs::path& file, const PolicyFile& policy,
                     const BoardPolicyFacts& facts) {
  const auto& [columns, rows, levels] = facts.window;
  std::string text = fmt::format("{}: {} bytes\n", file.string(), facts.bytes);
  text += fmt::format("  levels {} to {} of {}: {}\n", levels.first, levels.last,
                      policy.time().level_count, describe_times(policy, levels));
  text += fmt::format("  columns {} to {} of {}, rows {} to {} of {}, {} actions\n", columns.first,
                      columns.last, policy.grid().nx, rows.first, rows.last, policy.grid().ny,
                      policy.actions().size());
  if (!facts.has_positions) {
    return text + "  no longitude and latitude: it is asked by x and y, and knows no north\n";
  }
  return text + fmt::format(
                    "  longitude and latitude by {} nodes: cell centres within {:.2g} of a "
                    "cell, bearings within {:.2g} degrees\n",
                    facts.node_count, facts.position_error, facts.bearing_error);
}

}  // namespace

std::string export_board_policy(const BoardExport& request) {
  const PolicyFile policy(policy_path(request.run));
  RunRequest mission = mission_of(policy, {});
  const auto planning = std::make_shared<PlanningContext>(mission);
  const std::string warning = validate_own_environment(policy, *planning);
  const MissionRun run(std::move(mission), planning);
  validate_policy(policy, run, PlannedHere::yes);
  BoardPolicyOptions options;
  options.values = request.values;
  if (asks_for_a_part(request.part)) {
    options.window = window_of(run.environment(), policy, request.part);
  }
  const fs::path file = file_of(request, policy);
  const BoardPolicyFacts facts =
      write_board_policy(file, policy, run.environment(), run.mission().target, options);
  std::string text = describe(file, policy, facts);
  if (!warning.empty()) text += "  " + warning + "\n";
  return text;
}

}  // namespace tidewise

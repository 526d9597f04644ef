#include "planner/board/export.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "base/byte_size.h"
#include "base/error.h"
#include "base/file/file_kind.h"
#include "env/file/time_reference.h"
#include "env/levels/level_dates.h"
#include "output/run/policy_description.h"
#include "planner/error/codes.h"
#include "planner/outputs/outputs.h"
#include "planner/problem/mission_problem.h"
#include "planner/run/path.h"
#include "planner/run/policy_validation.h"
#include "solver/legs/legs.h"

namespace tidewise {
namespace fs = std::filesystem;

namespace {

/// Returns the date of the last level at or before `date`, which may lie outside the time axis [s
/// since 1970].
double begun_level_date(const TimeAxis& time, double reference, double date) {
  constexpr double rounding = 1e-6;
  const double steps = std::floor((date - reference - time.first) / time.step + rounding);
  return reference + time.first + steps * time.step;
}

/// Returns the part of the plan that is exported. The environment may continue after the plan's
/// last level.
CutWindow window_of(const EnvironmentReader& environment, const PolicyFile& policy,
                    CutRequest part) {
  const auto reference = time_reference(environment);
  if ((part.from || part.to) && !reference) {
    throw input_error(errors::board_dates_unknown, environment.path().string());
  }
  // The action at any time is that of the latest level at or before it.
  if (part.from) part.from = begun_level_date(environment.info().time, *reference, *part.from);
  if (part.to) part.to = begun_level_date(environment.info().time, *reference, *part.to);
  CutWindow window = choose_window(environment, part);
  const std::int32_t last = policy.last_level().value;
  if (window.levels.first > last) {
    throw input_error(errors::board_levels_outside, window.levels.first, window.levels.last,
                      policy.path().string(), last);
  }
  window.levels.last = std::min(window.levels.last, last);
  return window;
}

/// True if `path` names a folder, in which the file gets its default name.
bool is_folder(const fs::path& path) {
  std::error_code ignored;
  return !path.has_filename() || fs::is_directory(path, ignored);
}

/// File name of a leg, counted from 0: the first leg's name with the leg's number.
fs::path file_of(const fs::path& first, std::size_t leg) {
  if (leg == 0) return first;
  fs::path file = first;
  return file.replace_filename(
      fmt::format("{}_leg_{}{}", first.stem().string(), leg + 1, first.extension().string()));
}

std::string describe_times(const PolicyFile& policy, const IndexRange& levels) {
  const PolicyFrame frame = place_of(policy, "");
  const double first = policy.time().at(TimeLevel(levels.first));
  const double last = policy.time().at(TimeLevel(levels.last));
  const bool dated =
      describe_environment_of(policy).time_units.find(" since ") != std::string::npos;
  if (!dated) return fmt::format("{:.10g} to {:.10g}", first, last);
  return fmt::format("{} to {}", format_date(frame.origin + first),
                     format_date(frame.origin + last));
}

std::vector<std::string> describe_board(const PolicyFile& policy, const BoardPolicyFacts& facts) {
  const auto& [columns, rows, levels] = facts.window;
  std::vector<std::string> lines{
      fmt::format("policy on board: {} bytes, {} actions", facts.bytes, policy.actions().size()),
      fmt::format("  levels {} to {} of {}: {}", levels.first, levels.last,
                  policy.time().level_count, describe_times(policy, levels)),
      fmt::format("  columns {} to {} of {}, rows {} to {} of {}", columns.first, columns.last,
                  policy.grid().nx, rows.first, rows.last, policy.grid().ny)};
  if (facts.has_positions) {
    lines.push_back(
        fmt::format("  longitude and latitude by {} nodes: cell centres within {:.2g} of a cell, "
                    "bearings within {:.2g} degrees",
                    facts.node_count, facts.position_error, facts.bearing_error));
  } else {
    lines.emplace_back("  no longitude and latitude: it is asked by x and y, and knows no north");
  }
  return lines;
}

}  // namespace

bool asks_for_a_part(const CutRequest& part) {
  return part.x || part.y || part.box || part.first || part.last || part.from || part.to;
}

BoardExportReport export_board_policy(const BoardExport& request, FileSet& files) {
  const PolicyFile policy(policy_path(request.run));
  RunRequest planned = mission_of(policy, {});
  const auto planning = std::make_shared<PlanningContext>(planned);
  BoardExportReport report;
  const std::string warning = validate_own_environment(policy, *planning);
  if (!warning.empty()) report.warnings.push_back(warning);
  const MissionProblem run(std::move(planned), planning);
  validate_policy(policy, run, PlannedHere::yes);
  BoardPolicyOptions options;
  options.values = request.values;
  if (asks_for_a_part(request.part)) {
    options.window = window_of(run.environment(), policy, request.part);
  }
  const bool in_folder = is_folder(request.out);
  const fs::path first = in_folder ? request.out / "policy.twp" : request.out;
  const std::vector<Mission> legs = leg_missions(run.mission);
  for (std::size_t leg = 0; leg < legs.size(); ++leg) report.files.push_back(file_of(first, leg));
  if (in_folder) files.make_folder(request.out);
  Outputs outputs(request.overwrite);
  outputs.add_run_inputs(policy.path(), run.request);
  for (const fs::path& file : report.files) {
    outputs.add_output("--out", file, kind_beginning_with("policy on board", "TWPOLICY"));
  }
  outputs.validate();
  for (options.leg = 0; options.leg < legs.size(); ++options.leg) {
    const BoardPolicyFacts facts =
        write_board_policy(files.add(report.files[options.leg]), policy, run.environment(),
                           legs[options.leg].target, options);
    if (options.leg == 0) report.lines = describe_board(policy, facts);
  }
  if (legs.size() > 1) {
    report.lines.push_back(
        fmt::format("  {} files, a leg of the mission each: the next one is to be asked from where "
                    "a place is passed",
                    legs.size()));
  }
  return report;
}

}  // namespace tidewise

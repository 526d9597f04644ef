#include <fmt/core.h>

#include <optional>

#include "app/cli/common_options.h"
#include "app/cli/mission_options.h"
#include "app/commands/commands.h"
#include "app/error/codes.h"
#include "app/terminal/terminal.h"
#include "base/error.h"
#include "base/hdf5/file_kind.h"
#include "output/model/mission_process.h"
#include "output/model/model_file.h"
#include "planner/backend/model_source.h"
#include "planner/mission/read/file.h"
#include "planner/mission/resolve/open_environment.h"
#include "planner/mission/resolve/resolution.h"
#include "planner/outputs/outputs.h"
#include "planner/problem/mission_problem.h"

namespace tidewise {
namespace {

enum class BuildFormat { compact, csr, coo, process };

struct Arguments {
  std::string mission;
  std::string out;
  MissionOptions options;
  BuildFormat format = BuildFormat::compact;
  Overwrite overwrite = Overwrite::refused;
};

void validate_output(const Arguments& arguments, const RunRequest& mission) {
  Outputs outputs(arguments.overwrite);
  outputs.add_input(arguments.mission);
  outputs.add_mission_inputs(mission);
  outputs.add_output("--out", arguments.out,
                     arguments.format == BuildFormat::process
                         ? hdf5_kind("decision process (HDF5)", "tidewise_mdp")
                         : hdf5_kind("explicit model", "tidewise_model"));
  outputs.validate();
}

/// The resolved mission if its decision process is requested; else nullopt. Errors: InputError for
/// a mission whose states are not only times and cells.
std::optional<ResolvedMission> resolve_process(BuildFormat format, const RunRequest& request,
                                               const EnvironmentReader& environment) {
  if (format != BuildFormat::process) return std::nullopt;
  ResolvedMission resolved = resolve_mission(request, environment);
  if (!resolved.mission.via.empty()) {
    throw input_error(errors::process_with_via, request.place("mission.via"));
  }
  if (resolved.mission.decisions.hold()) {
    throw input_error(errors::process_with_held_actions, request.place("mission.decide_every"),
                      resolved.mission.decisions.every);
  }
  return resolved;
}

ModelForm model_form(BuildFormat format) {
  if (format == BuildFormat::csr) return ModelForm::csr;
  return format == BuildFormat::coo ? ModelForm::coo : ModelForm::compact;
}

void run(const Arguments& arguments, const CommandContext& context) {
  const RunRequest request = read_mission_file(arguments.mission, arguments.options.settings());
  // Transition counts of a forecast serve any mission; a process includes the mission's closed
  // zones and score.
  const EnvironmentReader environment =
      arguments.format == BuildFormat::process ? open_environment(request) : open_forecast(request);
  refuse_vehicle_error(request, "stored models have none; set both to 0");
  const auto actions = resolve_actions(request, environment.info());
  validate_output(arguments, request);
  const auto mission = resolve_process(arguments.format, request, environment);
  const Backend backend = take_backend(request);
  const PositionRule rule = resolve_rule(request, environment.info());
  const PlannerOptions options{.engine = request.planner.engine,
                               .threads = backend.threads,
                               .subgrid_radius = request.planner.subgrid_radius};
  const auto progress = context.make_progress();
  ModelInfo model = describe_model(environment, rule, actions, options, *progress);
  const auto source =
      make_model_source(backend, request.planner, environment, rule, actions, model.subgrid);
  if (mission) {
    const std::int64_t entries =
        write_mission_process(arguments.out, environment, mission->planning_problem(), model,
                              *source, context.command_line, *progress);
    print("{}: levels 0 to {} of {} cells, {} actions, {} entries\n", arguments.out,
          mission->mission.last.value, model.grid.cell_count(), actions.size(), entries);
    return;
  }
  model = write_model(arguments.out, std::move(model), *source, model_form(arguments.format),
                      context.command_line, *progress);
  const std::int64_t rows = static_cast<std::int64_t>(model.grid.cell_count()) *
                            (model.time.level_count - 1) *
                            static_cast<std::int64_t>(model.actions.size());
  print("{}: {} rows, {} entries ({:.2f} a row), sub-grid of {} × {} cells\n", arguments.out, rows,
        model.entries, static_cast<double>(model.entries) / static_cast<double>(rows),
        model.subgrid.width(), model.subgrid.height());
}

}  // namespace

void add_build(Command program, const Context& context) {
  Command command = program.add_command(
      "build",
      "Write the sparse transition counts of a mission's environment and vehicle, or the mission "
      "as "
      "a decision process",
      "Examples:\n  tidewise research build double-gyre/double_gyre.toml --out model.h5 --format "
      "csr\n  tidewise research build double-gyre/double_gyre.toml --out process.h5 --format "
      "process");
  Arguments& arguments = add_arguments(command, context, run);
  command.add_option("mission", arguments.mission, "The mission file (*.toml)").required();
  command.add_option("--out", arguments.out, "The file to write (*.h5)").required();
  add_overwrite_flag(command, arguments.overwrite);
  command.add_choice<BuildFormat>(
      "--format", arguments.format,
      {{"compact", BuildFormat::compact},
       {"csr", BuildFormat::csr},
       {"coo", BuildFormat::coo},
       {"process", BuildFormat::process}},
      "compact: offsets and counts; csr: columns too; coo: rows and columns too; process: the "
      "mission's transition probabilities and rewards, for 'tidewise research solve' and SciPy");
  arguments.options.add_set(command);
  arguments.options.add_backend(command);
}

}  // namespace tidewise

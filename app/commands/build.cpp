#include <fmt/core.h>

#include "app/cli/common_options.h"
#include "app/cli/mission_options.h"
#include "app/commands/commands.h"
#include "app/terminal/terminal.h"
#include "base/hdf5/file_kind.h"
#include "output/model/model_file.h"
#include "planner/backend/model_source.h"
#include "planner/mission/read/file.h"
#include "planner/mission/resolve/open_environment.h"
#include "planner/mission/resolve/resolution.h"
#include "planner/outputs/outputs.h"

namespace tidewise {
namespace {

struct Arguments {
  std::string mission;
  std::string out;
  MissionOptions options;
  ModelForm form = ModelForm::compact;
  Overwrite overwrite = Overwrite::refused;
};

void validate_output(const Arguments& arguments, const RunRequest& mission) {
  Outputs outputs(arguments.overwrite);
  outputs.read(arguments.mission);
  outputs.read_mission(mission);
  outputs.write("--out", arguments.out, hdf5_kind("explicit model", "tidewise_model"));
  outputs.validate();
}

void run(const Arguments& arguments, const CommandContext& context) {
  const RunRequest request = read_mission_file(arguments.mission, arguments.options.settings());
  const EnvironmentReader environment = open_forecast(request);
  const auto actions = resolve_actions(request, environment.info());
  validate_output(arguments, request);
  const Backend backend = take_backend(request);
  const PositionRule rule = resolve_rule(request, environment.info());
  const PlannerOptions options{.engine = request.planner.engine,
                               .threads = backend.threads,
                               .subgrid_radius = request.planner.subgrid_radius};
  const auto progress = context.make_progress();
  ModelInfo model = describe_model(environment, rule, actions, options, *progress);
  const auto source =
      make_model_source(backend, request.planner, environment, rule, actions, model.subgrid);
  model = write_model(arguments.out, std::move(model), *source, arguments.form,
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
      "build", "Write the explicit sparse model of a mission's environment and vehicle",
      "Example:\n  tidewise research build configs/double_gyre_time.toml --out model.h5 --format "
      "csr");
  Arguments& arguments = add_arguments(command, context, run);
  command.add_option("mission", arguments.mission, "The mission file (*.toml)").required();
  command.add_option("--out", arguments.out, "The model file to write").required();
  add_overwrite_flag(command, arguments.overwrite);
  command.add_choice<ModelForm>(
      "--format", arguments.form,
      {{"compact", ModelForm::compact}, {"csr", ModelForm::csr}, {"coo", ModelForm::coo}},
      "compact: offsets and counts; csr: columns too; coo: rows and columns too");
  arguments.options.add_set(command);
  arguments.options.add_backend(command);
}

}  // namespace tidewise

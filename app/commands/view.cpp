#include <fmt/core.h>

#include <filesystem>
#include <optional>
#include <vector>

#include "app/cli/common_options.h"
#include "app/commands/commands.h"
#include "app/report/environment.h"
#include "app/terminal/terminal.h"
#include "base/file/atomic_file.h"
#include "output/view/page.h"
#include "planner/outputs/outputs.h"
#include "planner/run/path.h"
#include "planner/view/read_run.h"

namespace tidewise {
namespace fs = std::filesystem;

namespace {

struct Arguments {
  std::string run;
  std::string with;
  std::optional<std::string> environment;
  std::string out;
  Overwrite overwrite = Overwrite::refused;
};

void validate_output(const Arguments& arguments, const std::vector<RunToView>& runs) {
  Outputs outputs(arguments.overwrite);
  if (arguments.environment) outputs.add_input(*arguments.environment);
  for (const RunToView& run : runs) {
    outputs.add_run_inputs(run.policy.path(), mission_of(run.policy, {}));
    // The flights of a rollout lie in a folder of their own.
    outputs.add_inputs({run.folder / "summary.json", run.folder / "trajectories.nc"});
  }
  outputs.add_output("--out", arguments.out, text_kind("page (HTML)", {"<!DOCTYPE html", "<html"}));
  outputs.validate();
}

void run(const Arguments& typed, const CommandContext& context) {
  Arguments arguments = typed;
  std::vector<RunToView> runs;
  runs.push_back(open_run_to_view(arguments.run));
  if (arguments.out.empty()) arguments.out = (runs.front().folder / "view.html").string();
  if (!arguments.with.empty()) {
    runs.push_back(open_run_to_view(arguments.with));
    require_same_plane(runs[0], runs[1]);
  }
  validate_output(arguments, runs);
  const auto progress = context.make_progress();
  std::vector<RunView> views;
  views.reserve(runs.size());
  std::vector<std::string> warnings;
  for (const RunToView& run : runs) {
    views.push_back(read_run_view(run, arguments.environment, warnings, *progress));
  }
  const std::string page = make_view_page(std::move(views));
  write_text_file(arguments.out, page);
  for (const std::string& line : warnings) context.warn(line);
  print("{}",
        report_line("written to", fmt::format("{}, {:.1f} MB; open it in a browser", arguments.out,
                                              1e-6 * static_cast<double>(page.size()))));
}

}  // namespace

void add_view(Command program, const Context& context) {
  Command command = program.add_command(
      "view", "Make an HTML page of a run, which any browser opens without a network",
      "Examples:\n  tidewise view runs/washington\n"
      "  tidewise view runs/cycle_00 --with runs/cycle_06 --out cycles.html");
  Arguments& arguments = add_arguments(command, context, run);
  command.add_option("run", arguments.run, "The folder of the run or of a rollout, or a policy.h5")
      .required();
  command.add_option("--out", arguments.out, "The page; default: RUN/view.html").type_name("FILE");
  command
      .add_option("--with", arguments.with,
                  "Another run in the same plane, shown side by side with linked time and place")
      .type_name("RUN");
  command
      .add_option("--environment", arguments.environment,
                  "Show the flow of this environment, of the same cells and times; default: that "
                  "of the run's mission")
      .type_name("FILE");
  add_overwrite_flag(command, arguments.overwrite);
}

}  // namespace tidewise

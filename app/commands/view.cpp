#include <fmt/core.h>

#include <filesystem>
#include <optional>
#include <vector>

#include "app/commands/commands.h"
#include "app/report/environment.h"
#include "app/terminal/terminal.h"
#include "base/file/atomic_file.h"
#include "output/view/page.h"
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
};

/// Refuses a file that is there and is no page: somebody's mission or table.
void require_page(const fs::path& out) {
  std::error_code ignored;
  const fs::path ending = out.extension();
  if (ending == ".html" || ending == ".htm" || !fs::is_regular_file(out, ignored)) return;
  throw InputError(fmt::format(
      "--out {}: is there already and by its name no page; name one that ends with .html",
      out.string()));
}

void run(const Arguments& given, const CommandContext& context) {
  Arguments arguments = given;
  std::vector<RunToView> runs;
  runs.push_back(open_run_to_view(arguments.run));
  if (arguments.out.empty()) arguments.out = (runs.front().folder / "view.html").string();
  if (!arguments.with.empty()) {
    runs.push_back(open_run_to_view(arguments.with));
    require_same_plane(runs[0], runs[1]);
  }
  const AtomicFile writable(arguments.out);
  for (const RunToView& one : runs) {
    const fs::path environment = arguments.environment ? fs::path(*arguments.environment)
                                                       : mission_of(one.policy, {}).environment;
    std::vector<fs::path> read = files_of_run(one.policy.path(), environment);
    // The flights of a rollout lie in a folder of their own.
    read.insert(read.end(), {one.folder / "summary.json", one.folder / "trajectories.nc"});
    refuse_overwriting("--out", arguments.out, read);
  }
  require_page(arguments.out);
  const auto progress = context.make_progress();
  std::vector<RunView> views;
  views.reserve(runs.size());
  std::vector<std::string> warnings;
  for (const RunToView& one : runs) {
    views.push_back(read_run_view(one, arguments.environment, warnings, *progress));
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
      "view", "Make one HTML page of a run, which opens in any browser without a network",
      "Examples:\n  tidewise view runs/washington\n"
      "  tidewise view runs/cycle_00 --with runs/cycle_06 --out cycles.html");
  Arguments& arguments = add_arguments(command, context, run);
  command.add_option("run", arguments.run, "The folder of the run or of a rollout, or a policy.h5")
      .required();
  command.add_option("--out", arguments.out, "The page; RUN/view.html if not given")
      .type_name("FILE");
  command
      .add_option("--with", arguments.with,
                  "Another run in the same plane, shown beside it with time and place linked")
      .type_name("RUN");
  command
      .add_option("--environment", arguments.environment,
                  "Show the flow of this environment, of the same cells and times; that of the "
                  "run's mission if not given")
      .type_name("FILE");
}

}  // namespace tidewise

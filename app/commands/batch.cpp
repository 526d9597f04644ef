#include "app/batch/run.h"
#include "app/cli/common_options.h"
#include "app/cli/mission_options.h"
#include "app/commands/commands.h"

namespace tidewise {
namespace {

struct Arguments {
  BatchRequest request;
  MissionOptions options;
  bool preview = false;
  bool resume = false;
};

void run(const Arguments& arguments, const CommandContext& context) {
  BatchRequest request = arguments.request;
  MissionOptions options = arguments.options;
  request.devices = options.take("--devices");  // each GPU computes its own passes
  request.settings = options.settings();
  if (!request.part.empty()) request.resumption = Resumption::same_batch;
  if (arguments.resume) request.resumption = Resumption::asked;
  if (arguments.preview) {
    preview_batch(request);
  } else {
    run_batch(request, context);
  }
}

}  // namespace

void add_batch(Command program, const Context& context) {
  Command command = program.add_command(
      "batch",
      "Plan many missions (forecasts, vehicles, targets, departures) with one table of results",
      "Examples:\n  tidewise batch double-gyre/batch.toml --dry-run\n"
      "  tidewise batch double-gyre/batch.toml --out runs/gyres --resume\n"
      "  tidewise batch double-gyre/batch.toml --array 3/8");
  Arguments& arguments = add_arguments(command, context, run);
  command.add_option("batch", arguments.request.file, "The batch file (*.toml)").required();
  command.add_option("--out", arguments.request.out, "The folder of the batch (batch.directory)")
      .type_name("DIR");
  arguments.options.add_set(command);
  arguments.options.add(
      command, "--baselines", "rollout.baselines",
      "Also simulate baseline controllers: all, or none (default; rollout.baselines)");
  command.add_flag("--dry-run", arguments.preview,
                   "Print the planned work with time and memory, and do nothing");
  command.add_flag("--resume", arguments.resume,
                   "Continue an earlier batch in the folder; finished missions stay");
  add_overwrite_flag(command, arguments.request.overwrite);
  command
      .add_option("--array", arguments.request.part,
                  "Do the I-th of N parts, which share one folder without a coordinator; "
                  "\"slurm\": the part of this task of a Slurm array")
      .type_name("I/N");
  command
      .add_option("--memory", arguments.request.memory,
                  "Host memory for the policies of a counting pass (batch.memory)")
      .type_name("SIZE");
  arguments.options.add_backend(command);
  command.option("--devices")
      .description("Use several GPUs, a pass on each: all, or their numbers, e.g. 0,2");
}

}  // namespace tidewise

#include <utility>

#include "app/batch/run.h"
#include "app/cli/backend_options.h"
#include "app/cli/common_options.h"
#include "app/commands/commands.h"

namespace tidewise {
namespace {

struct Arguments {
  BatchRequest request;
  std::vector<std::string> settings;
  BackendOptions backend;
  bool preview = false;
  bool resume = false;
};

void run(const Arguments& arguments, const CommandContext& context) {
  BatchRequest request = arguments.request;
  request.settings.assign(arguments.settings.begin(), arguments.settings.end());
  BackendOptions backend = arguments.backend;
  request.devices = std::exchange(backend.devices, {});  // a pass a GPU, no mission over several
  add_settings(backend, request.settings);
  request.resumption = arguments.resume ? Resumption::asked : Resumption::refused;
  if (arguments.preview) {
    preview_batch(request, context);
  } else {
    run_batch(request, context);
  }
}

}  // namespace

void add_batch(Command program, Context context) {
  Command command = program.add_command(
      "batch", "Plan many missions: forecasts, vehicles, targets, departures; one table of all",
      "Examples:\n  tidewise batch configs/batch_double_gyre.toml --dry-run\n"
      "  tidewise batch configs/batch_double_gyre.toml --out runs/gyres --resume");
  const auto arguments = std::make_shared<Arguments>();
  command.add_option("batch", arguments->request.file, "The batch file (*.toml)").required();
  command.add_option("--out", arguments->request.out, "The folder of the batch (batch.directory)")
      .type_name("DIR");
  add_settings_option(command, arguments->settings);
  command.add_flag("--dry-run", arguments->preview,
                   "Say what would be done, in what time and memory; do nothing");
  command.add_flag("--resume", arguments->resume,
                   "Go on with what an earlier process left in the folder; finished missions stay");
  add_backend_options(command, arguments->backend);
  command.option("--devices")
      .description("Work on several GPUs at once, a pass each: all, or their numbers, e.g. 0,2")
      .excludes(command.option("--device"));
  command.callback([arguments, context] { run(*arguments, *context); });
}

}  // namespace tidewise

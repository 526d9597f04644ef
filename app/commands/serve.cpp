#include "app/commands/commands.h"
#include "app/serve/python_server.h"

namespace tidewise {
namespace {

void run(const ServeArguments& arguments, const CommandContext&) { run_server(arguments); }

}  // namespace

void add_serve(Command program, const Context& context) {
  Command command = program.add_command(
      "serve", "Show a run in a browser, where start, target and departure can be dragged",
      "Examples:\n  tidewise serve runs/washington\n"
      "  tidewise serve runs/washington --watch dives");
  ServeArguments& arguments = add_arguments(command, context, run);
  command.add_option("run", arguments.run, "The folder of the run").required();
  command
      .add_option("--watch", arguments.watch,
                  "Replan each dive file that arrives in this folder; the page asks whether to "
                  "accept the new route")
      .type_name("FOLDER");
  command.add_flag("--no-browser", arguments.no_browser, "Open no browser; print the address only");
}

}  // namespace tidewise

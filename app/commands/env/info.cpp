#include <nlohmann/json.hpp>

#include "app/commands/commands.h"
#include "app/report/environment.h"
#include "app/terminal/terminal.h"
#include "env/tools/each_profile.h"

namespace tidewise {
namespace {

enum class Form { text, json };

struct Arguments {
  std::string file;
  Form form = Form::text;
};

void run(const Arguments& arguments, const CommandContext& context) {
  const EnvironmentReader reader(arguments.file);
  const auto progress = context.make_progress();
  std::vector<EnvironmentStatistics> statistics;  // (profile)
  for_each_profile(reader, [&](const EnvironmentReader& profile, std::size_t) {
    statistics.push_back(measure_environment(profile, *progress));
  });
  if (arguments.form == Form::json) {
    print_figures(environment_as_json(reader, statistics));
  } else {
    print("{}", describe_environment(reader, statistics));
  }
}

}  // namespace

void add_env_info(Command env, const Context& context) {
  Command command = env.add_command("info", "Describe an environment",
                                    "Example:\n  tidewise env info double_gyre.h5");
  Arguments& arguments = add_arguments(command, context, run);
  command.add_option("file", arguments.file, "The environment file").required();
  command.add_flag(
      "--json", [&arguments] { arguments.form = Form::json; }, "Print JSON, for programs");
}

}  // namespace tidewise

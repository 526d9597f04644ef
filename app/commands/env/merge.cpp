#include "env/tools/merge.h"

#include <memory>

#include "app/cli/common_options.h"
#include "app/cli/environment_options.h"
#include "app/commands/commands.h"
#include "app/terminal/terminal.h"

namespace tidewise {
namespace {

struct Arguments {
  std::vector<std::string> files;
  std::string out;
  Overwrite overwrite = Overwrite::refused;
  Prevailing prefer = Prevailing::later;
  std::vector<std::string> names;
};

const char* obstacle_note(const MergePlan& plan) {
  if (plan.info.obstacles != Obstacles::moving) return "";
  for (const EnvironmentReader* cycle : plan.cycles) {
    if (cycle->info().obstacles != Obstacles::moving) return "; the mask is a moving one now";
  }
  return "";
}

void run(const Arguments& arguments, const CommandContext& context) {
  const EnvironmentNames names = parse_names(arguments.names);
  validate_environment_output(arguments.out, arguments.overwrite,
                              {arguments.files.begin(), arguments.files.end()});
  std::vector<std::unique_ptr<EnvironmentReader>> readers;
  std::vector<const EnvironmentReader*> cycles;
  for (const std::string& file : arguments.files) {
    readers.push_back(std::make_unique<EnvironmentReader>(file, names));
    cycles.push_back(readers.back().get());
  }
  const MergePlan plan = plan_merge(cycles, arguments.prefer);
  const auto progress = context.make_progress();
  write_merged(plan, {arguments.out, context.command_line}, *progress);
  if (context.verbosity == Verbosity::quiet) return;
  const TimeAxis& time = plan.info.time;
  print("{}\n", arguments.out);
  print("  {} levels, {:.10g} to {:.10g} [{}]; {} in more than one cycle{}\n", time.level_count,
        time.first, time.at(TimeLevel(time.level_count - 1)), plan.info.time_units,
        plan.shared_levels, obstacle_note(plan));
  for (const MergePart& part : plan.parts) {
    print("  levels {} to {}: {}, levels {} to {}\n", part.at.value,
          part.at.value + part.last.value - part.first.value,
          plan.cycles[part.cycle]->path().string(), part.first.value, part.last.value);
  }
  print(
      "  realization r is that of each cycle: at a seam its flow jumps, and a continuous flight "
      "with "
      "it; the plan is not touched\n");
}

}  // namespace

void add_env_merge(Command env, const Context& context) {
  Command command = env.add_command(
      "merge", "Join forecast cycles along time into one environment",
      "Example:\n  tidewise env merge cycle_00.h5 cycle_06.h5 cycle_12.h5 --out day.h5");
  Arguments& arguments = add_arguments(command, context, run);
  command.add_option("files", arguments.files, "The environments, in any order").required();
  command.add_option("--out", arguments.out, "The environment file to write").required();
  add_overwrite_flag(command, arguments.overwrite);
  command.add_choice<Prevailing>(
      "--prefer", arguments.prefer,
      {{"earlier", Prevailing::earlier}, {"later", Prevailing::later}},
      "Which cycle gives a level that several hold: the one that begins later, or "
      "earlier");
  add_names_option(command, arguments.names);
}

}  // namespace tidewise

#include "env/tools/select.h"

#include <fmt/core.h>

#include <numeric>
#include <optional>

#include "app/cli/common_options.h"
#include "app/cli/environment_options.h"
#include "app/commands/commands.h"
#include "app/terminal/terminal.h"
#include "base/error.h"
#include "env/tools/realization_choice.h"

namespace tidewise {
namespace {

struct Arguments {
  std::string file;
  std::string out;
  Overwrite overwrite = Overwrite::refused;
  std::string realizations;
  std::optional<std::int32_t> every;
  std::optional<std::int32_t> random;
  std::uint64_t seed = 1;
  std::optional<std::int32_t> modes;
  FlowKept flow = FlowKept::ensemble;
  std::string profile;
  std::vector<std::string> names;
};

std::vector<std::int32_t> choose_realizations(const Arguments& arguments, std::int32_t count) {
  if (!arguments.realizations.empty()) {
    return parse_realizations("--realizations", arguments.realizations, count);
  }
  if (arguments.every) return every_realization(*arguments.every, count);
  if (arguments.random) return random_realizations(*arguments.random, arguments.seed, count);
  std::vector<std::int32_t> all(static_cast<std::size_t>(count));
  std::iota(all.begin(), all.end(), 0);
  return all;
}

EnsembleSelection choose(const Arguments& arguments, const EnvironmentInfo& info) {
  const bool chosen =
      !arguments.realizations.empty() || arguments.every || arguments.random || arguments.modes;
  if (!chosen && arguments.flow == FlowKept::ensemble && arguments.profile.empty()) {
    throw InputError(
        "env select: nothing says what to keep; give --realizations, --every, --random, --modes, "
        "--profile or --flow");
  }
  if (chosen && arguments.flow == FlowKept::still) {
    throw InputError(
        "--flow still: leaves no flow, so there are no realizations or modes to choose; give it "
        "alone");
  }
  const std::int32_t modes = arguments.modes.value_or(info.mode_count);
  if (modes < 1 || modes > info.mode_count) {
    throw InputError(fmt::format("--modes is {}; {} has {}, so keep from 1 to {}", modes,
                                 arguments.file, info.mode_count, info.mode_count));
  }
  return {choose_realizations(arguments, info.realization_count), modes, arguments.flow};
}

/// What was kept, a line each.
std::string describe(const EnsembleSelection& selection, const EnvironmentInfo& info,
                     double variance_share) {
  if (selection.flow == FlowKept::still) return "  flow: none, still water\n";
  std::string text = fmt::format("  realizations: {} of {}", selection.realizations.size(),
                                 info.realization_count);
  const bool certain = selection.flow == FlowKept::mean;
  if (!info.realization_weight.empty() && !certain) {
    text += ", their weights scaled to sum to 2^24";
  }
  if (selection.mode_count == info.mode_count) {
    text += fmt::format("\n  modes: all {}\n", info.mode_count);
  } else {
    text += fmt::format("\n  modes: the first {} of {}", selection.mode_count, info.mode_count);
    text += certain ? "\n"
                    : fmt::format("; {:.2f} % of the variance that all of them carry goes\n",
                                  100 * (1 - variance_share));
  }
  if (certain) {
    text += fmt::format("  flow: their mean alone{}, one certain flow; all of the variance goes\n",
                        info.realization_weight.empty() ? "" : ", by their weights");
  }
  return text;
}

void run(const Arguments& arguments, const CommandContext& context) {
  validate_environment_output(arguments.out, arguments.overwrite, {arguments.file});
  EnvironmentReader reader(arguments.file, parse_names(arguments.names));
  if (!arguments.profile.empty()) reader.choose_profiles({arguments.profile});
  const EnvironmentInfo& info = reader.info();
  const EnsembleSelection selection = choose(arguments, info);
  const auto progress = context.make_progress();
  const double share =
      write_selection(reader, selection, {arguments.out, context.command_line}, *progress);
  if (context.verbosity == Verbosity::quiet) return;
  print("{}\n{}", arguments.out, describe(selection, info, share));
}

}  // namespace

void add_env_select(Command env, const Context& context) {
  Command command = env.add_command(
      "select", "Keep some realizations or modes of an environment",
      "Examples:\n  tidewise env select double_gyre.h5 --out few.h5 --realizations 0,5,10-19\n"
      "  tidewise env select double_gyre.h5 --out sample.h5 --random 500 --seed 7 --modes 6\n"
      "  tidewise env select double_gyre.h5 --out mean.h5 --flow mean");
  const auto arguments = std::make_shared<Arguments>();
  command.add_option("file", arguments->file, "The environment file").required();
  command.add_option("--out", arguments->out, "The environment file to write").required();
  add_overwrite_flag(command, arguments->overwrite);
  const Option list = command.add_option("--realizations", arguments->realizations,
                                         "How many (the first ones), or a list such as 0,5,10-19");
  const Option every = command.add_option("--every", arguments->every, "Realizations 0, K, 2K …")
                           .type_name("K")
                           .excludes(list);
  command.add_option("--random", arguments->random, "This many at random, none twice")
      .type_name("N")
      .excludes(list)
      .excludes(every);
  add_seed_option(command, arguments->seed, "Seed of --random");
  command.add_option("--modes", arguments->modes, "Keep the first so many modes (default: all)");
  command.add_choice<FlowKept>("--flow", arguments->flow,
                               {{"mean", FlowKept::mean}, {"still", FlowKept::still}},
                               "One certain flow: the mean of the ensemble, or none at all");
  command.add_option("--profile", arguments->profile,
                     "Keep the velocities of one profile of several (env import --profile)");
  add_names_option(command, arguments->names);
  command.callback([arguments, context] { run(*arguments, *context); });
}

}  // namespace tidewise

#include <fmt/format.h>

#include <numeric>
#include <optional>

#include "app/commands.h"
#include "app/environment_options.h"
#include "base/error.h"
#include "env/environment_select.h"
#include "env/realization_choice.h"

namespace tidewise {
namespace {

struct Arguments {
  std::string file;
  std::string out;
  std::string realizations;
  std::optional<std::int32_t> every;
  std::optional<std::int32_t> random;
  std::uint64_t seed = 1;
  std::optional<std::int32_t> modes;
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
  if (arguments.realizations.empty() && !arguments.every && !arguments.random && !arguments.modes) {
    throw InputError(
        "env select: nothing says what to keep; give --realizations, --every, --random or --modes");
  }
  const std::int32_t modes = arguments.modes.value_or(info.mode_count);
  if (modes < 1 || modes > info.mode_count) {
    throw InputError(fmt::format("--modes is {}; {} has {}, so keep from 1 to {}", modes,
                                 arguments.file, info.mode_count, info.mode_count));
  }
  return {choose_realizations(arguments, info.realization_count), modes};
}

void run(const Arguments& arguments, const CommandContext& context) {
  const EnvironmentReader reader(arguments.file, parse_names(arguments.names));
  const EnvironmentInfo& info = reader.info();
  const EnsembleSelection selection = choose(arguments, info);
  const auto progress = context.make_progress();
  const double share =
      write_selection(reader, selection, {arguments.out, context.command_line}, *progress);
  if (context.verbosity == Verbosity::quiet) return;
  fmt::print("{}\n", arguments.out);
  fmt::print("  realizations: {} of {}{}\n", selection.realizations.size(), info.realization_count,
             info.realization_weight.empty() ? "" : ", their weights scaled to sum to 2^24");
  if (selection.mode_count < info.mode_count) {
    fmt::print(
        "  modes: the first {} of {}; {:.2f} % of the variance that all of them carry goes\n",
        selection.mode_count, info.mode_count, 100 * (1 - share));
  } else {
    fmt::print("  modes: all {}\n", info.mode_count);
  }
}

}  // namespace

void add_env_select(CLI::App& env, Context context) {
  CLI::App* command =
      env.add_subcommand("select", "Keep some realizations or modes of an environment");
  command->footer(
      "Examples:\n  tidewise env select double_gyre.h5 --out few.h5 --realizations 0,5,10-19\n"
      "  tidewise env select double_gyre.h5 --out sample.h5 --random 500 --seed 7 --modes 6");
  const auto arguments = std::make_shared<Arguments>();
  command->add_option("file", arguments->file, "The environment file")->required();
  command->add_option("--out", arguments->out, "The environment file to write")->required();
  auto* list = command->add_option("--realizations", arguments->realizations,
                                   "How many (the first ones), or a list such as 0,5,10-19");
  auto* every = command->add_option("--every", arguments->every, "Realizations 0, K, 2K …")
                    ->type_name("K")
                    ->excludes(list);
  command->add_option("--random", arguments->random, "This many at random, none twice")
      ->type_name("N")
      ->excludes(list)
      ->excludes(every);
  add_seed_option(*command, arguments->seed, "Seed of --random");
  command->add_option("--modes", arguments->modes, "Keep the first so many modes (default: all)");
  add_names_option(*command, arguments->names);
  command->callback([arguments, context] { run(*arguments, *context); });
}

}  // namespace tidewise

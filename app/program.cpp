#include "app/program.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <exception>
#include <iterator>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <string_view>

#include "app/cli/command.h"
#include "app/cli/command_line_error.h"
#include "app/cli/failure.h"
#include "app/commands/commands.h"
#include "app/error/codes.h"
#include "app/terminal/terminal.h"
#include "base/current.h"
#include "base/error.h"
#include "base/memory/headroom.h"
#include "base/parallel/communicator.h"
#include "base/printable.h"
#include "output/version.h"
#include "planner/mission/read/keys.h"

namespace tidewise {
namespace {

// The command that several processes can share.
constexpr std::string_view shared_command = "plan";

/// The flag that silences progress and warnings.
constexpr std::string_view quiet_flag = "-q,--quiet";

bool is_quiet(std::string_view word) {
  return word == quiet_flag.substr(0, quiet_flag.find(',')) ||
         word == quiet_flag.substr(quiet_flag.find(',') + 1);
}

std::string join_words(int argc, const char* const* argv) {
  std::string line = "tidewise";
  for (int i = 1; i < argc; ++i) line += std::string(" ") + argv[i];
  return line;
}

void add_env(const Command& program, const Context& context) {
  const Command env = program.add_group("env", "Make, import, describe and resample environments",
                                        "Example:\n  tidewise env info runs/double_gyre.h5");
  add_env_import(env, context);
  add_env_double_gyre(env, context);
  add_env_wind_driven_gyre(env, context);
  add_env_info(env, context);
  add_env_resample(env, context);
}

void add_mdp(const Command& program, const Context& context) {
  const Command mdp = program.add_group(
      "mdp", "Make and convert general decision processes",
      "Example:\n  tidewise research mdp gridworld --out world.h5 --nx 200 --ny 200");
  add_mdp_gridworld(mdp, context);
  add_mdp_mine_field(mdp, context);
  add_mdp_sample(mdp, context);
  add_mdp_savings(mdp, context);
  add_mdp_convert(mdp, context);
}

void add_research(const Command& program, const Context& context) {
  const Command research = program.add_group(
      "research", "Refine, bound and store plans, solve any decision process, run benchmarks",
      "Example:\n  tidewise research solve world.h5 --out solution.h5");
  add_refine(research, context);
  add_bound(research, context);
  add_build(research, context);
  add_solve(research, context);
  add_mdp(research, context);
  add_bench(research, context);
}

struct Heading {
  std::string_view text;
  std::vector<std::string_view> commands;  ///< in the order in which --help lists them
};

/// The headings of --help; pilots' commands come first.
const std::vector<Heading>& headings() {
  static const std::vector<Heading> all{
      {"Plan", {"example", "init", "check", "plan", "rehearse", "compare", "view", "serve"}},
      {"Fly", {"lookup", "departures", "reach", "rollout", "replan", "observe", "score", "export"}},
      {"Forecast", {"env", "errors"}},
      {"Many", {"batch"}},
      {"Research", {"research"}}};
  return all;
}

void add_commands(const Command& program, const Context& context) {
  // In the order of the headings.
  add_example(program, context);
  add_init(program, context);
  add_check(program, context);
  add_plan(program, context);
  add_rehearse(program, context);
  add_compare(program, context);
  add_view(program, context);
  add_serve(program, context);
  add_lookup(program, context);
  add_departures(program, context);
  add_reach(program, context);
  add_rollout(program, context);
  add_replan(program, context);
  add_observe(program, context);
  add_score(program, context);
  add_export(program, context);
  add_env(program, context);
  add_errors(program, context);
  add_batch(program, context);
  add_research(program, context);
  const std::vector<Command> commands = program.commands();
  for (const Heading& heading : headings()) {
    for (const std::string_view name : heading.commands) {
      const auto match = std::find_if(commands.begin(), commands.end(),
                                      [&](const Command& item) { return item.name() == name; });
      match->list_under(std::string(heading.text));
    }
  }
}

Program make_program(const Context& context) {
  Program program("tidewise", "Plans the paths of marine vehicles through uncertain currents.",
                  std::string(version()));
  program.add_flag(
      std::string(quiet_flag), [context] { context->verbosity = Verbosity::quiet; },
      "Print no progress");
  add_commands(program, context);
  return program;
}

/// Replaces "tidewise", "tidewise help …" and "tidewise version" by the equal options.
std::vector<const char*> with_options(int argc, const char* const* argv) {
  std::vector<const char*> words(argv, argv + argc);
  const std::string_view first = argc > 1 ? argv[1] : "";
  if (argc == 1) words.push_back("--help");
  if (first == "version" && argc == 2) words[1] = "--version";
  if (first == "help") {
    words.erase(words.begin() + 1);
    words.push_back("--help");
  }
  return words;
}

/// Inserts the group before the name of a command that has moved, since the old name works for one
/// more version. Returns the old name; "" if no command has moved.
std::string_view use_new_name(std::vector<const char*>& words) {
  const auto first = std::find_if(words.begin() + 1, words.end(),
                                  [](std::string_view word) { return !word.starts_with('-'); });
  if (first == words.end()) return "";
  const std::string_view name = *first;
  const std::string_view group = present_name("", name);
  if (group.empty()) return "";
  words.insert(first, group.data());
  return name;
}

bool asks_for_help(int argc, const char* const* argv) {
  return std::any_of(argv, argv + argc, [](std::string_view word) {
    return word == "-h" || word == "--help" || word == "--version";
  });
}

/// Refuses a command that is unknown or missing. CLI11 would only report that a command is
/// required.
void validate_command(const Command& program, int argc, const char* const* argv) {
  std::string parent = program.name();
  std::vector<Command> commands = program.commands();
  const auto names = [&] {
    std::vector<std::string> listed;
    listed.reserve(commands.size());
    for (const Command& command : commands) listed.push_back(command.name());
    return listed;
  };
  for (int i = 1; i < argc && !commands.empty(); ++i) {
    const std::string_view word = argv[i];
    if (word.starts_with('-')) continue;
    const auto match = std::find_if(commands.begin(), commands.end(),
                                    [&](const Command& item) { return item.name() == word; });
    if (match == commands.end()) {
      const auto known = names();
      const std::string suggestion = nearest_word(word, {known.begin(), known.end()});
      const std::string hint =
          suggestion.empty() ? "" : fmt::format(" (did you mean {}?)", suggestion);
      throw input_error(errors::command_unknown, word, hint, parent, fmt::join(known, ", "));
    }
    parent = word;
    commands = match->commands();
  }
  if (!commands.empty() && !asks_for_help(argc, argv)) {
    const auto* option = std::find_if(argv + 1, argv + argc, [](std::string_view word) {
      return word.starts_with('-') && !is_quiet(word);
    });
    if (option != argv + argc) {
      const std::string whole = parent == program.name() ? parent : program.name() + " " + parent;
      throw InputError(add_words(error_text(errors::option_unknown, *option, whole, ""),
                                 fmt::format("; see '{} --help'", whole)));
    }
    throw input_error(errors::command_missing, parent, fmt::join(names(), ", "));
  }
}

/// Refuses several processes of a command that cannot share it, since they would overwrite each
/// other's files.
void validate_launch(const Launch& launch, int argc, const char* const* argv) {
  if (launch.size == 1) return;
  const auto* word = std::find_if(argv + 1, argv + argc,
                                  [](std::string_view text) { return !text.starts_with('-'); });
  const std::string_view command = word == argv + argc ? "" : *word;
  if (command == shared_command) return;
  throw input_error(errors::command_not_parallel, launch.size, command, shared_command,
                    command == "batch" ? ", or divide it by --array" : "");
}

/// Reports an error in a process that may be one of several; the first process reports an error
/// that all have. Returns the exit status.
int end_by_error(const std::exception& error, const Launch& launch, const CommandContext& context) {
  Communicator* communicator = context.joined();
  if (communicator == nullptr || communicator->disbanded() || launch.size == 1) {
    if (launch.rank == 0) return report_error(error);
    // Among processes that have not joined, the status of the first counts, and none ends the
    // others early.
    return communicator == nullptr ? exit_success : status_of(error);
  }
  communicator->abort(report_error(error));
  return exit_run_failed;  // not reached
}

/// Runs the command of these words. Returns the exit status.
int run_command(const Launch& launch, const Context& context, int word_count,
                const char* const* given_words) {
  std::vector<const char*> words = with_options(word_count, given_words);
  const std::string_view old_name = use_new_name(words);
  const bool quiet = std::any_of(words.begin(), words.end(), is_quiet);
  if (!old_name.empty() && launch.rank == 0 && !quiet) {
    print_to_stderr(fmt::format(
        "tidewise: '{0}' is now 'research {0}'; the next version drops the old name\n", old_name));
  }
  const int argc = static_cast<int>(words.size());
  const char* const* argv = words.data();
  const Program program = make_program(context);
  validate_command(program, argc, argv);
  if (!asks_for_help(argc, argv)) validate_launch(launch, argc, argv);
  const std::string text = program.parse(argc, argv);
  if (launch.rank == 0) print_text(text);
  finish_printing();
  return exit_success;
}

}  // namespace

void run_words(const std::vector<std::string>& words, Outlet& outlet) {
  std::vector<const char*> argv{"tidewise"};
  for (const std::string& word : words) argv.push_back(word.c_str());
  const int argc = static_cast<int>(argv.size());
  require_headroom();
  const CurrentScope<Outlet> scope(outlet);
  const auto context = std::make_shared<CommandContext>();
  context->command_line = join_words(argc, argv.data());
  (void)run_command(Launch{}, context, argc, argv.data());
}

void run_command(const std::string& name, const nlohmann::json& values, Outlet& outlet) {
  require_headroom();
  const CurrentScope<Outlet> scope(outlet);
  const auto context = std::make_shared<CommandContext>();
  context->command_line = fmt::format("tidewise {} {}", name, values.dump());
  const Program program = make_program(context);
  Command command = program;
  for (std::size_t begin = 0; begin < name.size();) {
    const std::size_t end = std::min(name.find(' ', begin), name.size());
    const std::string word = name.substr(begin, end - begin);
    const std::vector<Command> commands = command.commands();
    const auto match = std::find_if(commands.begin(), commands.end(),
                                    [&](const Command& item) { return item.name() == word; });
    if (match == commands.end()) throw std::logic_error("there is no command " + name);
    command = *match;
    begin = end + 1;
  }
  command.run(values);
}

int run_program(int argc, const char* const* argv) {
  const Launch launch = find_launch();
  std::shared_ptr<CommandContext> context;
  try {
    const std::vector<const char*> words = with_options(argc, argv);
    if (!asks_for_help(static_cast<int>(words.size()), words.data())) require_headroom();
    context = std::make_shared<CommandContext>();
    context->command_line = join_words(argc, argv);
    if (launch.rank > 0) context->verbosity = Verbosity::quiet;
    return run_command(launch, context, argc, argv);
  } catch (const std::exception& error) {
    return context == nullptr ? report_error(error) : end_by_error(error, launch, *context);
  }
}

}  // namespace tidewise

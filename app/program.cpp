#include "app/program.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <cstdio>
#include <exception>
#include <limits>
#include <new>
#include <string>
#include <system_error>

#include "app/commands.h"
#include "app/mission_keys.h"
#include "base/error.h"
#include "output/version.h"

namespace tidewise {
namespace {

constexpr int success = 0;
constexpr int run_failed = 1;
constexpr int wrong_input = 2;

std::string join_words(int argc, const char* const* argv) {
  std::string line = "tidewise";
  for (int i = 1; i < argc; ++i) line += std::string(" ") + argv[i];
  return line;
}

/// One line, whatever the libraries put into their messages.
int complain(int status, std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  fmt::print(stderr, "tidewise: error: {}\n", text);
  return status;
}

void add_commands(CLI::App& program, const Context& context) {
  add_plan(program, context);
  add_batch(program, context);
  add_rollout(program, context);
  add_compare(program, context);
  add_check(program, context);
  add_build(program, context);
  CLI::App* env =
      program.add_subcommand("env", "Make, bring in, describe, cut and join environments");
  env->require_subcommand(1);
  env->footer("Example:\n  tidewise env info runs/double_gyre.h5");
  add_env_double_gyre(*env, context);
  add_env_import(*env, context);
  add_env_info(*env, context);
  add_env_split(*env, context);
  add_env_select(*env, context);
  add_env_merge(*env, context);
  add_bench(program, context);
}

bool asks_for_help(int argc, const char* const* argv) {
  return std::any_of(argv, argv + argc, [](std::string_view word) {
    return word == "-h" || word == "--help" || word == "--version";
  });
}

/// Refuses a command that is unknown or missing. CLI11 says of both that some command is required.
void judge_command(const CLI::App& program, int argc, const char* const* argv) {
  const CLI::App* at = &program;
  std::vector<std::string> names;
  const auto list_commands = [&] {
    names.clear();
    for (const CLI::App* command : at->get_subcommands({})) names.push_back(command->get_name());
  };
  list_commands();
  for (int i = 1; i < argc && !names.empty(); ++i) {
    const std::string_view word = argv[i];
    if (word.starts_with('-')) continue;
    if (std::find(names.begin(), names.end(), word) == names.end()) {
      const std::string near = nearest_word(word, {names.begin(), names.end()});
      const std::string hint = near.empty() ? "" : fmt::format(" (did you mean {}?)", near);
      throw InputError(fmt::format("unknown command {}{}; {} has {}", word, hint, at->get_name(),
                                   fmt::join(names, ", ")));
    }
    at = at->get_subcommand(std::string(word));
    list_commands();
  }
  if (!names.empty() && !asks_for_help(argc, argv)) {
    throw InputError(
        fmt::format("no command is given; {} has {}", at->get_name(), fmt::join(names, ", ")));
  }
}

}  // namespace

void add_settings_option(CLI::App& command, std::vector<std::string>& settings) {
  command
      .add_option(
          "--set", settings,
          "KEY=VALUE in place of the mission's own, e.g. mission.objective=energy; repeatable")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
}

int report_error(const std::exception& error) {
  if (dynamic_cast<const InputError*>(&error) != nullptr) {
    return complain(wrong_input, error.what());
  }
  if (dynamic_cast<const std::bad_alloc*>(&error) != nullptr) {
    return complain(run_failed,
                    "out of memory; use fewer realizations, modes or cells, or fewer threads");
  }
  return complain(run_failed, error.what());
}

void add_seed_option(CLI::App& command, std::uint64_t& seed, const std::string& description) {
  const auto complaint = [](const std::string& text) -> std::string {
    std::uint64_t value = 0;
    const char* end = text.data() + text.size();
    const auto [rest, error] = std::from_chars(text.data(), end, value);
    if (error == std::errc() && rest == end) return {};
    return fmt::format("{} is no seed; give a whole number from 0 to {}", text,
                       std::numeric_limits<std::uint64_t>::max());
  };
  command.add_option("--seed", seed, description)
      ->check(CLI::Validator(complaint, ""))
      ->capture_default_str();
}

int run_program(int argc, const char* const* argv) {
  CLI::App program("Plans the paths of marine vehicles through uncertain currents.", "tidewise");
  const auto context = std::make_shared<CommandContext>();
  context->command_line = join_words(argc, argv);
  program.set_version_flag("--version", std::string(version()));
  program.require_subcommand(1);
  program.fallthrough();
  program.add_flag_callback(
      "-q,--quiet", [context] { context->verbosity = Verbosity::quiet; },
      "Say nothing but errors and results");
  add_commands(program, context);
  try {
    judge_command(program, argc, argv);
    program.parse(argc, argv);
    if (std::fflush(stdout) != 0) {
      throw RunError("the results could not be written to standard output; check where it leads");
    }
    return success;
  } catch (const CLI::Success& request) {
    return program.exit(request);
  } catch (const CLI::ParseError& error) {
    return complain(wrong_input, std::string(error.what()) + "; see 'tidewise --help'");
  } catch (const std::exception& error) {
    return report_error(error);
  }
}

}  // namespace tidewise

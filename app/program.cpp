#include "app/program.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <exception>
#include <string>

#include "app/commands.h"
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
  add_rollout(program, context);
  add_check(program, context);
  add_build(program, context);
  CLI::App* env = program.add_subcommand("env", "Make, bring in and describe environments");
  env->require_subcommand(1);
  add_env_double_gyre(*env, context);
  add_env_import(*env, context);
  add_env_info(*env, context);
  add_bench(program, context);
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
    program.parse(argc, argv);
    return success;
  } catch (const CLI::Success& request) {
    return program.exit(request);
  } catch (const CLI::ParseError& error) {
    return complain(wrong_input, std::string(error.what()) + "; see 'tidewise --help'");
  } catch (const InputError& error) {
    return complain(wrong_input, error.what());
  } catch (const RunError& error) {
    return complain(run_failed, error.what());
  } catch (const std::exception& error) {
    return complain(run_failed, error.what());
  }
}

}  // namespace tidewise

#pragma once

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <string>

#include "app/cli/context.h"
#include "app/cli/terminal.h"
#include "base/error.h"
#include "mdp/file/reader.h"
#include "mdp/process/decision_process.h"

namespace tidewise {

/// Writes a decision process in the form that the ending of `out` names, and warns of what this
/// form has no place for. Errors: InputError where it cannot hold the process, RunError when
/// writing fails.
template <class Real>
void write_model(const std::string& out, const mdp::DecisionProcess<Real>& process,
                 const CommandContext& context, Progress& progress);

/// The model that a command makes, as asked for.
struct ModelOutput {
  std::string out;
  std::string precision = "double";
};
void add_out_option(CLI::App& command, ModelOutput& output);
void add_precision_option(CLI::App& command, ModelOutput& output);

/// Makes a world, writes it, and prints its size and what note(process), text, says of it. `make`:
/// a function that gets a number and gives the process in its precision. Errors: InputError for a
/// precision that there is not, and as write_model().
template <class Make, class Note>
void make_model(const ModelOutput& output, const CommandContext& context, const Make& make,
                const Note& note) {
  const auto make_in = [&](auto number) {
    mdp::require_writable(output.out);
    const auto progress = context.make_progress();
    const auto process = make(number);
    write_model(output.out, process, context, *progress);
    print("{}: {} states, {} actions, {} entries, {}\n", output.out, process.state_count,
          process.action_count, process.entry_count(), note(process));
  };
  if (output.precision == "float") return make_in(float{});
  if (output.precision == "double") return make_in(double{});
  throw InputError(fmt::format("--precision is {}; it must be float or double", output.precision));
}

}  // namespace tidewise

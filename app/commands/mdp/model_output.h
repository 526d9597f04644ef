#pragma once

#include <filesystem>
#include <string>

#include "app/cli/common_options.h"
#include "app/cli/context.h"
#include "app/terminal/terminal.h"
#include "mdp/file/reader.h"
#include "mdp/process/decision_process.h"
#include "planner/outputs/outputs.h"

namespace tidewise {

/// Refuses an --out that a decision process cannot be written to. `model`: the file that it is made
/// from, if any. Errors: those of Outputs; InputError if the ending names no format.
void validate_model_output(const std::filesystem::path& out, Overwrite overwrite,
                           const std::filesystem::path& model = {});

/// Writes a decision process in the format of the ending of `out`; warns of data that the format
/// cannot hold. Errors: InputError if it cannot hold the process, RunError when writing fails.
template <class Real>
void write_model(const std::string& out, const mdp::DecisionProcess<Real>& process,
                 const CommandContext& context, Progress& progress);

/// Makes a decision process with `make`, of float or double by `precision`, writes it to `out` and
/// reports its contents; `further_facts(process)` returns text to add. Errors: those of
/// validate_model_output() and write_model().
template <class Make, class More>
void make_model(const std::string& out, Overwrite overwrite, Precision precision,
                const CommandContext& context, const Make& make, const More& further_facts) {
  validate_model_output(out, overwrite);
  const auto make_of = [&](auto real) {
    const auto progress = context.make_progress();
    const auto process = make(real);
    write_model(out, process, context, *progress);
    print("{}: {} states, {} actions, {} entries, {}\n", out, process.state_count,
          process.action_count, process.entry_count(), further_facts(process));
  };
  return precision == Precision::float32 ? make_of(float{}) : make_of(double{});
}

}  // namespace tidewise

#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "app/cli/command.h"
#include "app/cli/common_options.h"
#include "app/cli/context.h"
#include "app/terminal/terminal.h"
#include "base/file/atomic_file.h"
#include "planner/outputs/outputs.h"

namespace tidewise {

/// The inclusive range of a benchmark's option.
struct Bounds {
  static constexpr std::int32_t none = std::numeric_limits<std::int32_t>::min();  ///< no bound

  std::int32_t min = none;
  std::int32_t max = none;
};

/// Refuses a value outside its range. Errors: InputError with the option and its range.
void require_within(const std::string& option, std::int32_t value, Bounds bounds);

/// Refuses a --json path that figures cannot be written to. Errors: those of Outputs.
void validate_figures_output(const std::string& json, Overwrite overwrite);

/// A benchmark's command. `Options` holds the values of its options, each of which is declared
/// once.
template <class Options>
class BenchmarkCommand : public Command {
 public:
  /// `example` is shown in --help.
  BenchmarkCommand(Command bench, const std::string& name, const std::string& description,
                   const std::string& example)
      : Command(bench.add_command(name, description, example)), state_(std::make_shared<State>()) {}

  /// The values from the command line.
  Options& options() const { return state_->options; }

  /// Adds an option for an integer, whose default --help shows. The value must lie within `bounds`
  /// when the benchmark runs.
  void number(const std::string& name, std::int32_t& value, Bounds bounds,
              const std::string& description) const {
    add_option(name, value, description).show_default();
    validate([name, &value, bounds] { require_within(name, value, bounds); });
  }
  /// Adds a check to make before the benchmark runs.
  void validate(std::function<void()> check) const { state_->checks.push_back(std::move(check)); }

  /// Completes the declaration. `measure(options, progress)` runs the benchmark and returns the
  /// report to print.
  template <class Measure>
  void complete(const std::shared_ptr<CommandContext>& context, Measure measure) const {
    add_option("--json", state_->json, "Also write the figures to this file");
    add_overwrite_flag(*this, state_->overwrite);
    callback([state = state_, context, measure] {
      for (const auto& check : state->checks) check();
      validate_figures_output(state->json, state->overwrite);
      const auto progress = context->make_progress();
      const auto report = measure(state->options, *progress);
      print("{}", report.to_text());
      if (!state->json.empty()) write_text_file(state->json, report.to_json().dump(2) + "\n");
    });
  }

 private:
  struct State {
    Options options;
    std::string json;
    Overwrite overwrite = Overwrite::refused;
    std::vector<std::function<void()>> checks;
  };
  std::shared_ptr<State> state_;
};

}  // namespace tidewise

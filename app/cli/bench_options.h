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

/// The range of a number of a benchmark.
struct Bounds {
  static constexpr std::int32_t none = std::numeric_limits<std::int32_t>::min();

  std::int32_t min = none;
  std::int32_t max = none;
};

/// Refuses a number of a benchmark that cannot be. Errors: InputError that names the option and
/// what it may be.
void require_within(const std::string& option, std::int32_t value, Bounds bounds);

/// Refuses a place of a benchmark's figures. Errors: those of Outputs.
void validate_figures_output(const std::string& json, Overwrite overwrite);

/// A benchmark's command, `Options` of its own and the options that they are read from, of which
/// each is declared once.
template <class Options>
class BenchmarkCommand : public Command {
 public:
  /// `example` is shown in --help.
  BenchmarkCommand(Command bench, const std::string& name, const std::string& description,
                   const std::string& example)
      : Command(bench.add_command(name, description, example)), kept_(std::make_shared<Kept>()) {}

  /// The values from the command line.
  Options& options() const { return kept_->options; }

  /// Any number, whose default --help shows, and which must lie within `bounds` when it runs.
  void number(const std::string& name, std::int32_t& value, Bounds bounds,
              const std::string& description) const {
    add_option(name, value, description).show_default();
    validate([name, &value, bounds] { require_within(name, value, bounds); });
  }
  /// Adds a check to make before the benchmark runs.
  void validate(std::function<void()> check) const { kept_->checks.push_back(std::move(check)); }

  /// Ends the declaration: `measure` takes a copy of the options, and a Progress, to a report.
  template <class Measure>
  void runs(const std::shared_ptr<CommandContext>& context, Measure measure) const {
    add_option("--json", kept_->json, "Also write the figures to this file");
    add_overwrite_flag(*this, kept_->overwrite);
    callback([kept = kept_, context, measure] {
      for (const auto& check : kept->checks) check();
      validate_figures_output(kept->json, kept->overwrite);
      const auto progress = context->make_progress();
      const auto report = measure(kept->options, *progress);
      print("{}", report.to_text());
      if (!kept->json.empty()) write_text_file(kept->json, report.to_json().dump(2) + "\n");
    });
  }

 private:
  struct Kept {
    Options options;
    std::string json;
    Overwrite overwrite = Overwrite::refused;
    std::vector<std::function<void()>> checks;
  };
  std::shared_ptr<Kept> kept_;
};

}  // namespace tidewise

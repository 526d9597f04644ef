#include <fmt/format.h>

#include "app/cli/bench_options.h"
#include "app/commands/commands.h"
#include "base/error.h"
#include "base/parallel/thread_count.h"
#include "bench/explicit/benchmark.h"

namespace tidewise {
namespace {

struct Arguments {
  ExplicitBenchmarkOptions options;
  std::string objective = "time";
  std::string json;
};

void require_positive(const char* option, std::int32_t value, std::int32_t least) {
  if (value >= least) return;
  throw InputError(fmt::format("{} is {}; it must be {} or more", option, value, least));
}

Objective objective_of(const std::string& name) {
  for (const Objective objective :
       {Objective::energy, Objective::net_energy, Objective::weighted}) {
    if (name == to_string(objective)) return objective;
  }
  return Objective::time;
}

void run(const Arguments& arguments, const CommandContext& context) {
  ExplicitBenchmarkOptions options = arguments.options;
  require_positive("--repeats", options.repeats, 1);
  require_positive("--copies", options.copies, 1);
  require_positive("--cells", options.cells, 20);
  options.objective = objective_of(arguments.objective);
  options.threads = take_threads(0, "bench");
  const auto progress = context.make_progress();
  const ExplicitBenchmarkReport report = benchmark_explicit(options, *progress);
  give_report(report, arguments.json);
}

}  // namespace

void add_bench_explicit(CLI::App& bench, Context context) {
  CLI::App* command = bench.add_subcommand(
      "explicit", "Solve one level from the explicit model on the GPU, every way, and a copy");
  command->footer("Example:\n  tidewise bench explicit --json explicit.json");
  const auto arguments = std::make_shared<Arguments>();
  ExplicitBenchmarkOptions& options = arguments->options;
  command->add_option("--cells", options.cells, "Cells of a side of the grid")
      ->capture_default_str();
  command->add_option("--realizations", options.realizations, "Realizations")
      ->capture_default_str();
  command->add_option("--modes", options.modes, "Modes")->capture_default_str();
  command->add_option("--headings", options.headings, "Headings, at two speeds")
      ->capture_default_str();
  command->add_option("--objective", arguments->objective, "What the mission is after")
      ->check(CLI::IsMember({"time", "energy", "net_energy", "weighted"}))
      ->capture_default_str();
  command->add_option("--copies", options.copies, "Copies of the model, in turn")
      ->capture_default_str();
  command->add_option("--repeats", options.repeats, "Rounds that count")->capture_default_str();
  command->add_option("--json", arguments->json, "Also write the figures to this file");
  command->callback([arguments, context] { run(*arguments, *context); });
}

}  // namespace tidewise

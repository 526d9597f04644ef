#include <limits>

#include "app/cli/bench_options.h"
#include "app/commands/commands.h"
#include "base/parallel/thread_count.h"
#include "bench/gyre/benchmark.h"

namespace tidewise {
namespace {

struct Arguments {
  GyreBenchmarkOptions options;
  std::string json;
};

void run(const Arguments& arguments, const CommandContext& context) {
  GyreBenchmarkOptions options = arguments.options;
  require_between("--cells", options.cells, 16, 1000);
  require_between("--modes", options.modes, 1, 40);
  require_between("--realizations", options.realizations, 2, 1'000'000);
  require_between("--members", options.members, 2, 100'000);
  require_between("--stage-cells", options.stage_cells, 16, 4000);
  require_between("--stage-modes", options.stage_modes, 1, 40);
  require_between("--stage-realizations", options.stage_realizations, 2, 1'000'000);
  require_between("--repeats", options.repeats, 1, 1000);
  require_between("--threads", options.threads, 0, std::numeric_limits<std::int32_t>::max());
  options.threads = take_threads(options.threads, "--threads");
  const auto progress = context.make_progress();
  const GyreBenchmarkReport report = benchmark_gyre(options, *progress);
  give_report(report, arguments.json);
}

}  // namespace

void add_bench_gyre(CLI::App& bench, Context context) {
  CLI::App* command = bench.add_subcommand(
      "gyre", "Compare the wind-driven gyre's DO equations with a Monte Carlo, and time a stage");
  command->footer("Example:\n  tidewise bench gyre --json gyre.json");
  const auto arguments = std::make_shared<Arguments>();
  GyreBenchmarkOptions& options = arguments->options;
  options.threads = 0;
  command->add_option("--cells", options.cells, "Cells of a side of the grid")
      ->capture_default_str();
  command->add_option("--modes", options.modes, "Modes")->capture_default_str();
  command->add_option("--realizations", options.realizations, "Realizations of the DO equations")
      ->capture_default_str();
  command->add_option("--members", options.members, "Members of the Monte Carlo")
      ->capture_default_str();
  command->add_option("--stage-cells", options.stage_cells, "Cells of a side, to time a stage")
      ->capture_default_str();
  command->add_option("--stage-modes", options.stage_modes, "Modes, to time a stage")
      ->capture_default_str();
  command
      ->add_option("--stage-realizations", options.stage_realizations,
                   "Realizations, to time a stage")
      ->capture_default_str();
  command->add_option("--repeats", options.repeats, "Stages that are timed")->capture_default_str();
  command->add_option("--threads", options.threads, "Threads; 0: one a core")
      ->capture_default_str();
  command->add_option("--json", arguments->json, "Also write the figures to this file");
  command->callback([arguments, context] { run(*arguments, *context); });
}

}  // namespace tidewise

#include "app/cli/bench_options.h"
#include "app/commands/commands.h"
#include "base/parallel/thread_count.h"
#include "bench/planner/benchmark.h"

namespace tidewise {
namespace {

struct Arguments {
  PlannerBenchmarkOptions options;
  bool growth = false;
  std::string json;
};

void run(const Arguments& arguments, const CommandContext& context) {
  PlannerBenchmarkOptions options = arguments.options;
  require_between("--cells", options.cells, 20, 10'000);
  require_between("--realizations", options.realizations, 1, 1'000'000);
  require_between("--modes", options.modes, 1, 40);
  require_between("--headings", options.headings, 1, 4096);
  require_between("--steps", options.steps, 3, 100'000);
  require_between("--repeats", options.repeats, 1, 1000);
  options.threads = take_threads(0, "bench");
  const auto progress = context.make_progress();
  PlannerBenchmarkReport report = benchmark_planner(options, *progress);
  if (arguments.growth) measure_growth(options, report, *progress);
  give_report(report, arguments.json);
}

}  // namespace

void add_bench_planner(CLI::App& bench, Context context) {
  CLI::App* command = bench.add_subcommand(
      "planner", "Count and solve levels on the GPU with every engine; how lattice grows");
  command->footer("Example:\n  tidewise bench planner --growth --json planner.json");
  const auto arguments = std::make_shared<Arguments>();
  PlannerBenchmarkOptions& options = arguments->options;
  command->add_option("--cells", options.cells, "Cells of a side of the grid")
      ->capture_default_str();
  command->add_option("--realizations", options.realizations, "Realizations")
      ->capture_default_str();
  command->add_option("--modes", options.modes, "Modes")->capture_default_str();
  command
      ->add_option("--headings", options.headings,
                   "Headings, at two speeds; four times as many on the last side")
      ->capture_default_str();
  command->add_option("--steps", options.steps, "Steps of the mission")->capture_default_str();
  command->add_option("--repeats", options.repeats, "Rounds that count")->capture_default_str();
  command->add_flag("--growth", arguments->growth,
                    "Also with realizations, actions, cells and levels, up to 2e8 states");
  command->add_option("--json", arguments->json, "Also write the figures to this file");
  command->callback([arguments, context] { run(*arguments, *context); });
}

}  // namespace tidewise

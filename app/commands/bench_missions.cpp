#include <limits>

#include "app/cli/bench_options.h"
#include "app/commands/commands.h"
#include "base/error.h"
#include "base/parallel/thread_count.h"
#include "bench/missions/benchmark.h"

namespace tidewise {
namespace {

struct Arguments {
  MissionsBenchmarkOptions options;
  std::string backend = "cpu";
  std::string json;
};

void run(const Arguments& arguments, const CommandContext& context) {
  MissionsBenchmarkOptions options = arguments.options;
  require_between("--missions", options.missions, 1, 10'000);
  require_between("--cells", options.cells, 20, 10'000);
  require_between("--steps", options.steps, 0, 100'000);
  require_between("--realizations", options.realizations, 1, 1'000'000);
  require_between("--modes", options.modes, 1, 40);
  require_between("--headings", options.headings, 1, 4096);
  require_between("--repeats", options.repeats, 1, 1000);
  require_between("--threads", options.threads, 0, std::numeric_limits<std::int32_t>::max());
  if (arguments.backend != "cpu" && arguments.backend != "cuda") {
    throw InputError("--backend is " + arguments.backend + "; it must be cpu or cuda");
  }
  options.on_device = arguments.backend == "cuda";
  options.threads = take_threads(options.threads, "--threads");
  const auto progress = context.make_progress();
  const BenchmarkReport report = benchmark_missions(options, *progress);
  give_report(report, arguments.json);
}

}  // namespace

void add_bench_missions(CLI::App& bench, Context context) {
  CLI::App* command = bench.add_subcommand(
      "missions", "Solve one mission, and many that share each level's counting pass");
  command->footer("Example:\n  tidewise bench missions --missions 100 --json missions.json");
  const auto arguments = std::make_shared<Arguments>();
  MissionsBenchmarkOptions& options = arguments->options;
  options.threads = 0;
  command->add_option("--missions", options.missions, "Missions of the group")
      ->capture_default_str();
  command->add_option("--cells", options.cells, "Cells of a side of the grid")
      ->capture_default_str();
  command
      ->add_option("--steps", options.steps,
                   "Steps of the missions; 0: ten on the CPU, 199 on a GPU")
      ->capture_default_str();
  command->add_option("--realizations", options.realizations, "Realizations")
      ->capture_default_str();
  command->add_option("--modes", options.modes, "Modes")->capture_default_str();
  command->add_option("--headings", options.headings, "Headings, at two speeds")
      ->capture_default_str();
  command->add_option("--repeats", options.repeats, "Rounds that count")->capture_default_str();
  command->add_option("--threads", options.threads, "Threads of the CPU; 0: one a core")
      ->capture_default_str();
  command->add_option("--backend", arguments->backend, "Where to solve: cpu or cuda")
      ->capture_default_str();
  command->add_option("--json", arguments->json, "Also write the figures to this file");
  command->callback([arguments, context] { run(*arguments, *context); });
}

}  // namespace tidewise

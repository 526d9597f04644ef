#include "app/cli/bench_options.h"
#include "app/commands/commands.h"
#include "bench/subdomains/benchmark.h"

namespace tidewise {
namespace {

struct Arguments {
  SubdomainsBenchmarkOptions options;
  std::string exchange = "nccl";
  std::string json;
};

void run(const Arguments& arguments, const CommandContext& context) {
  SubdomainsBenchmarkOptions options = arguments.options;
  require_between("--cells", options.cells, 20, 10'000);
  require_between("--realizations", options.realizations, 1, 1'000'000);
  require_between("--modes", options.modes, 1, 40);
  require_between("--headings", options.headings, 1, 4096);
  require_between("--steps", options.steps, 3, 100'000);
  require_between("--repeats", options.repeats, 1, 1000);
  for (const std::int32_t count : options.counts) require_between("--devices", count, 1, 64);
  options.transport = arguments.exchange == "nccl" ? HaloTransport::nccl : HaloTransport::copies;
  const auto progress = context.make_progress();
  const SubdomainsBenchmarkReport report = benchmark_subdomains(options, *progress);
  give_report(report, arguments.json);
}

}  // namespace

void add_bench_bands(CLI::App& bench, Context context) {
  CLI::App* command =
      bench.add_subcommand("bands", "Solve one mission on several GPUs, a band of rows on each");
  command->footer("Example:\n  tidewise bench bands --devices 1,2,4 --json bands.json");
  const auto arguments = std::make_shared<Arguments>();
  SubdomainsBenchmarkOptions& options = arguments->options;
  command->add_option("--devices", options.counts, "Numbers of GPUs, 1 first")
      ->delimiter(',')
      ->capture_default_str();
  command
      ->add_option("--exchange", arguments->exchange,
                   "nccl, or copies, by which several bands may share a GPU")
      ->check(CLI::IsMember({"nccl", "copies"}))
      ->capture_default_str();
  command->add_option("--cells", options.cells, "Cells of a side of the grid")
      ->capture_default_str();
  command->add_option("--realizations", options.realizations, "Realizations")
      ->capture_default_str();
  command->add_option("--modes", options.modes, "Modes")->capture_default_str();
  command->add_option("--headings", options.headings, "Headings, at two speeds")
      ->capture_default_str();
  command->add_option("--steps", options.steps, "Steps of the mission")->capture_default_str();
  command->add_option("--repeats", options.repeats, "Rounds that count")->capture_default_str();
  command->add_option("--json", arguments->json, "Also write the figures to this file");
  command->callback([arguments, context] { run(*arguments, *context); });
}

}  // namespace tidewise

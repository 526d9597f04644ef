#include <fmt/format.h>

#include "app/cli/bench_options.h"
#include "app/commands/commands.h"
#include "base/error.h"
#include "bench/planner/model_builder.h"

namespace tidewise {
namespace {

struct Arguments {
  ModelBuilderBenchmarkOptions model_builder;
  std::string json;
};

void run_model_builder(const Arguments& arguments, const CommandContext& context) {
  if (arguments.model_builder.repeats < 1) {
    throw InputError(
        fmt::format("--repeats is {}; it must be 1 or more", arguments.model_builder.repeats));
  }
  const auto progress = context.make_progress();
  const BenchmarkReport report = benchmark_model_builder(arguments.model_builder, *progress);
  give_report(report, arguments.json);
}

}  // namespace

void add_bench(CLI::App& program, Context context) {
  CLI::App* bench =
      program.add_subcommand("bench", "Measure a claim of speed, both sides in one run");
  bench->require_subcommand(1);
  bench->footer("Example:\n  tidewise bench model-builder");
  CLI::App* command =
      bench->add_subcommand("model-builder", "Count one level with every engine of the CPU");
  command->footer("Example:\n  tidewise bench model-builder --json model_builder.json");
  const auto arguments = std::make_shared<Arguments>();
  ModelBuilderBenchmarkOptions& options = arguments->model_builder;
  command->add_option("--realizations", options.realizations, "Realizations")
      ->capture_default_str();
  command->add_option("--modes", options.modes, "Modes")->capture_default_str();
  command->add_option("--headings", options.headings, "Headings, at two speeds")
      ->capture_default_str();
  command->add_option("--repeats", options.repeats, "Rounds that count")->capture_default_str();
  command->add_option("--json", arguments->json, "Also write the figures to this file");
  command->callback([arguments, context] { run_model_builder(*arguments, *context); });
  add_bench_bands(*bench, context);
  add_bench_explicit(*bench, context);
  add_bench_gyre(*bench, context);
  add_bench_mdp(*bench, context);
  add_bench_missions(*bench, context);
  add_bench_planner(*bench, context);
}

}  // namespace tidewise

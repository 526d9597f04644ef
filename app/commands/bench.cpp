#include <limits>
#include <nlohmann/json.hpp>
#include <string>

#include "app/cli/backend_options.h"
#include "app/cli/bench_options.h"
#include "app/commands/commands.h"
#include "base/parallel/thread_count.h"
#include "bench/explicit/benchmark.h"
#include "bench/gyre/benchmark.h"
#include "bench/learning/benchmark.h"
#include "bench/missions/benchmark.h"
#include "bench/planner/benchmark.h"
#include "bench/planner/model_builder.h"
#include "bench/published/benchmark.h"
#include "bench/q_learning/benchmark.h"
#include "bench/reachable/benchmark.h"
#include "bench/savings/benchmark.h"
#include "bench/subdomains/benchmark.h"

namespace tidewise {
namespace {

constexpr const char* cells_text = "Cells of a side of the grid";
constexpr const char* headings_text = "Headings, at two speeds";
constexpr Bounds usual_cells{20, 10'000};
constexpr Bounds usual_realizations{1, 1'000'000};
constexpr Bounds usual_modes{1, 40};
constexpr Bounds usual_headings{1, 4096};
constexpr Bounds usual_repeats{1, 1000};
constexpr Bounds any_threads{0, std::numeric_limits<std::int32_t>::max()};

template <class Options>
void add_landing(const BenchmarkCommand<Options>& command) {
  command.template add_choice<LandingBy>("--landing", command.options().landing,
                                         all_words<LandingBy>(),
                                         "How landings are given to cells; cell: as published");
}

/// Options of an environment, a vehicle and a mission that several benchmarks share.
template <class Options>
void add_problem(const BenchmarkCommand<Options>& command,
                 const std::string& steps = "Steps of the mission", std::int32_t min_steps = 3,
                 const std::string& headings = headings_text) {
  Options& options = command.options();
  command.number("--cells", options.cells, usual_cells, cells_text);
  command.number("--realizations", options.realizations, usual_realizations, "Realizations");
  command.number("--modes", options.modes, usual_modes, "Modes");
  command.number("--headings", options.headings, usual_headings, headings);
  command.number("--steps", options.steps, {min_steps, 100'000}, steps);
  command.number("--repeats", options.repeats, usual_repeats, "Rounds that count");
  add_landing(command);
}

/// Options of a benchmark that runs on the CPU or a GPU.
template <class Options>
struct OnBackend : Options {
  BackendRequest backend = {};
};

template <class Options, class Benchmark>
void complete_on_backend(const BenchmarkCommand<OnBackend<Options>>& command,
                         const Context& context, Benchmark benchmark) {
  add_backend_options(command, command.options().backend);
  command.complete(context, [benchmark](OnBackend<Options> requested, Progress& progress) {
    const Backend backend = take_backend(requested.backend);
    requested.on_device = backend.kind == BackendKind::cuda;
    requested.threads = backend.threads;
    return benchmark(requested, progress);
  });
}

void add_model_builder(Command bench, const Context& context) {
  const BenchmarkCommand<ModelBuilderBenchmarkOptions> command(
      bench, "model-builder", "Count one level with every engine of the CPU",
      "Example:\n  tidewise research bench model-builder --json model_builder.json");
  ModelBuilderBenchmarkOptions& options = command.options();
  command.number("--realizations", options.realizations, {}, "Realizations");
  command.number("--modes", options.modes, {}, "Modes");
  command.number("--headings", options.headings, {}, headings_text);
  command.number("--repeats", options.repeats, {1}, "Rounds that count");
  command.complete(context, benchmark_model_builder);
}

void add_bands(Command bench, const Context& context) {
  const BenchmarkCommand<SubdomainsBenchmarkOptions> command(
      bench, "bands", "Solve one mission on several GPUs, a band of rows on each",
      "Example:\n  tidewise research bench bands --devices 1,2,4 --json bands.json");
  SubdomainsBenchmarkOptions& options = command.options();
  command.add_option("--devices", options.counts, "Numbers of GPUs, 1 first")
      .comma_separated()
      .show_default();
  add_problem(command);
  command.validate([&options] {
    for (const std::int32_t count : options.counts) require_within("--devices", count, {1, 64});
  });
  command.complete(context, benchmark_subdomains);
}

void add_reachable(Command bench, const Context& context) {
  const BenchmarkCommand<ReachableBenchmarkOptions> command(
      bench, "reachable",
      "Replan a mission from the states within reach, compared with a complete plan",
      "Example:\n  tidewise research bench reachable --json reachable.json");
  ReachableBenchmarkOptions& options = command.options();
  options.threads = 0;
  add_problem(command);
  command.number("--threads", options.threads, any_threads, "Threads; 0: one a core");
  command.complete(context, [](ReachableBenchmarkOptions requested, Progress& progress) {
    requested.threads = take_threads(requested.threads, "--threads");
    return benchmark_reachable(requested, progress);
  });
}

void add_explicit(Command bench, const Context& context) {
  const BenchmarkCommand<ExplicitBenchmarkOptions> command(
      bench, "explicit",
      "Solve one level from the explicit model on the GPU by every method, and a copy",
      "Example:\n  tidewise research bench explicit --json explicit.json");
  ExplicitBenchmarkOptions& options = command.options();
  command.number("--cells", options.cells, {20}, cells_text);
  command.number("--realizations", options.realizations, {}, "Realizations");
  command.number("--modes", options.modes, {}, "Modes");
  command.number("--headings", options.headings, {}, headings_text);
  command.number("--repeats", options.repeats, {1}, "Rounds that count");
  add_landing(command);
  command.complete(context, [](ExplicitBenchmarkOptions requested, Progress& progress) {
    requested.threads = take_threads(0, "bench");
    return benchmark_explicit(requested, progress);
  });
}

void add_gyre(Command bench, const Context& context) {
  const BenchmarkCommand<GyreBenchmarkOptions> command(
      bench, "gyre",
      "Compare the wind-driven gyre's DO equations with a Monte Carlo, and time a stage",
      "Example:\n  tidewise research bench gyre --json gyre.json");
  GyreBenchmarkOptions& options = command.options();
  options.threads = 0;
  command.number("--cells", options.cells, {16, 1000}, cells_text);
  command.number("--modes", options.modes, usual_modes, "Modes");
  command.number("--realizations", options.realizations, {2, 1'000'000},
                 "Realizations of the DO equations");
  command.number("--repeats", options.repeats, usual_repeats, "Stages that are timed");
  command.add_flag("--quick", options.is_small, "A small Monte Carlo and stage");
  command.number("--threads", options.threads, any_threads, "Threads; 0: one a core");
  command.complete(context, [](GyreBenchmarkOptions requested, Progress& progress) {
    requested.threads = take_threads(requested.threads, "--threads");
    return benchmark_gyre(requested, progress);
  });
}

void add_learning(Command bench, const Context& context) {
  const BenchmarkCommand<LearningBenchmarkOptions> command(
      bench, "learning", "Correct an ensemble's coefficients by observed legs with every method",
      "Example:\n  tidewise research bench learning --json learning.json");
  LearningBenchmarkOptions& options = command.options();
  command.number("--realizations", options.realizations, {2, 100'000}, "Realizations");
  command.number("--modes", options.modes, usual_modes, "Modes");
  command.number("--steps", options.levels, {2, 100'000}, "Time levels");
  command.number("--repeats", options.repeats, usual_repeats, "Rounds that count");
  command.complete(context, benchmark_learning);
}

void add_missions(Command bench, const Context& context) {
  const BenchmarkCommand<OnBackend<MissionsBenchmarkOptions>> command(
      bench, "missions", "Solve one mission, and many or several legs that share counts",
      "Example:\n  tidewise research bench missions --missions 100 --json missions.json");
  auto& options = command.options();
  options.backend.backend = BackendChoice::cpu;
  command.number("--missions", options.missions, {1, 10'000}, "Missions of the group");
  command.number("--via", options.via, {0, 100},
                 "Via points of one mission, timed in place of the group");
  add_problem(command, "Steps of the missions; 0: ten on the CPU, 199 on a GPU", 0);
  complete_on_backend(command, context, benchmark_missions);
}

void add_q_learning(Command bench, const Context& context) {
  const BenchmarkCommand<OnBackend<QLearningBenchmarkOptions>> command(
      bench, "q-learning", "Learn a mine field with many agents: time, occupancy, learning curves",
      "Example:\n  tidewise research bench q-learning --headings 4 --json q_learning.json");
  auto& options = command.options();
  command.number("--headings", options.moves, {4, 8}, "Moves of the vehicle, 4 or 8");
  command.number("--agents", options.agents, {1, 1 << 24}, "Agents");
  command.number("--steps", options.steps, {20, 100'000'000}, "Steps of each agent");
  command.number("--repeats", options.repeats, usual_repeats, "Rounds that count");
  complete_on_backend(command, context, benchmark_q_learning);
}

void add_savings(Command bench, const Context& context) {
  const BenchmarkCommand<OnBackend<SavingsBenchmarkOptions>> command(
      bench, "savings", "Solve household savings on the CPU and the GPU, small and large",
      "Example:\n  tidewise research bench savings --json savings.json");
  auto& options = command.options();
  command.number("--repeats", options.repeats, usual_repeats, "Rounds that count");
  command.add_flag("--quick", options.is_small, "A hundredth of the assets of large problems");
  complete_on_backend(command, context, benchmark_savings);
}

void add_planner(Command bench, const Context& context) {
  const BenchmarkCommand<PlannerBenchmarkOptions> command(
      bench, "planner", "Solve a mission on the GPU by the published method and by every engine",
      "Example:\n  tidewise research bench planner --json planner.json");
  add_problem(command, "Steps of the mission", 3,
              "Headings, at two speeds; four times as many on the last side");
  command.complete(context, [](PlannerBenchmarkOptions requested, Progress& progress) {
    requested.threads = take_threads(0, "bench");
    return benchmark_planner(requested, progress);
  });
}

void add_growth(Command bench, const Context& context) {
  const BenchmarkCommand<PlannerBenchmarkOptions> command(
      bench, "growth",
      "Measure how lattice grows on the GPU: realizations, actions, modes, cells, levels",
      "Example:\n  tidewise research bench growth --landing area --json growth.json");
  command.number("--repeats", command.options().repeats, usual_repeats, "Rounds that count");
  add_landing(command);
  command.complete(context, measure_growth);
}

void add_published(Command bench, const Context& context) {
  const BenchmarkCommand<PublishedBenchmarkOptions> command(
      bench, "published",
      "The published method on the GPU and as a loop on one core, by states, actions, realizations",
      "Example:\n  tidewise research bench published --json published.json");
  PublishedBenchmarkOptions& options = command.options();
  command.number("--sample", options.sample, {1, 1'000'000},
                 "The loop takes one of this many states");
  command.add_flag("--quick", options.quick, "Small sizes");
  command.complete(context, benchmark_published);
}

}  // namespace

void add_bench(Command program, const Context& context) {
  const Command bench = program.add_group("bench", "Run a benchmark, with both sides in one run",
                                          "Example:\n  tidewise research bench model-builder");
  add_model_builder(bench, context);
  add_bands(bench, context);
  add_reachable(bench, context);
  add_explicit(bench, context);
  add_gyre(bench, context);
  add_learning(bench, context);
  add_bench_mdp(bench, context);
  add_missions(bench, context);
  add_growth(bench, context);
  add_planner(bench, context);
  add_published(bench, context);
  add_q_learning(bench, context);
  add_savings(bench, context);
}

}  // namespace tidewise

#include "bench/planner/benchmark.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <utility>

#include "base/error.h"
#include "base/memory/device.h"
#include "bench/error/codes.h"
#include "bench/machine.h"
#include "bench/planner/check.h"
#include "bench/planner/device.h"
#include "bench/planner/paper_level_builder.h"
#include "bench/planner/problem.h"
#include "bench/planner/published_run.h"

namespace tidewise {
namespace {

// Memory for all 200 levels of the published problem, so that a sample covers the whole problem.
constexpr std::size_t level_memory = std::size_t{1} << 30;

// Contender with samples in ms per level.
BenchmarkContender make_solver(const PlannerProblem& problem, Engine engine, std::int32_t headings,
                               std::int32_t steps, KeepRows rows = KeepRows::no) {
  const auto actions = problem.actions(headings);
  const Mission mission = problem.mission(Objective::time, steps);
  return {fmt::format("{}, {} actions{}", to_string(engine), actions.size(),
                      rows == KeepRows::yes ? ", and explicit" : ""),
          [&problem, engine, actions, mission, rows](std::int32_t) {
            return 1e3 * solve_on_device(problem, actions, mission, engine, nullptr, rows) /
                   mission.last.value;
          }};
}

// Measures a whole run of the published method, once [s].
void add_published(const PublishedRun& run, PublishedMemory memory, const std::string& name,
                   PlannerBenchmarkReport& report, Progress& progress) {
  const PublishedTimes times = run.run(memory, progress);
  report.times.sides.push_back({name, {1e3 * times.seconds() / report.steps}});
  report.published.push_back({name, times.build, times.solve});
  if (times.cusparse > 0) {
    report.published.push_back({name + ", cuSPARSE", times.build, times.cusparse});
  }
  report.published_entries = times.entries;
}

// Measures the integer variant, once [ms per level].
void add_paper(const PlannerProblem& problem, const std::string& name,
               const PlannerBenchmarkOptions& options, PlannerBenchmarkReport& report,
               Progress& progress) {
  PaperLevelBuilder builder(problem, problem.actions(options.headings),
                            problem.mission(Objective::time, options.steps), options.threads);
  progress.begin("paper, integers", options.steps, "levels");
  double seconds = 0;
  for (TimeLevel k(0); k.value < options.steps; ++k.value) {
    builder.prepare(k);
    if (k.value == 0) (void)builder.build(k);  // warms up
    seconds += builder.build(k);
    builder.forget(k);
    progress.advance_to(k.value + 1);
  }
  progress.end();
  report.times.sides.push_back({name, {1e3 * seconds / options.steps}});
}

// Varies each kernel's block size while the others are as published.
void sweep_blocks(const PublishedRun& run, PlannerBenchmarkReport& report, Progress& progress) {
  const std::pair<const char*, std::int32_t PaperBlocks::*> kernels[] = {
      {"K_TRANSITION", &PaperBlocks::transition},
      {"K_COUNT", &PaperBlocks::count},
      {"K_REDUCE_TO_COO", &PaperBlocks::reduce}};
  constexpr std::int32_t sizes[] = {32, 64, 128, 256, 512, 1024};
  progress.begin("block sizes", 18, "levels");
  for (const auto& [kernel, threads] : kernels) {
    for (const std::int32_t size : sizes) {
      PaperBlocks blocks;
      blocks.*threads = size;
      report.blocks.push_back({kernel, size, run.build_one_level(blocks)});
      progress.advance_to(static_cast<std::int64_t>(report.blocks.size()));
    }
  }
  progress.end();
}

void check_engines(const PlannerBenchmarkOptions& options, Progress& progress) {
  progress.begin("checking", 3, "problems");
  check_planners(options, options.threads, {Engine::lattice, Engine::direct, Engine::paper});
  progress.advance_to(1);
  BenchmarkSize many = options;
  many.headings *= 4;
  check_planners(many, options.threads, {Engine::lattice});
  progress.advance_to(2);
  check_published(options, options.threads);
  progress.end();
}

}  // namespace

PlannerBenchmarkReport benchmark_planner(const PlannerBenchmarkOptions& options,
                                         Progress& progress) {
  if (device_count() == 0) {
    throw input_error(errors::bench_needs_gpu, "planner");
  }
  check_engines(options, progress);
  const PlannerProblem problem(options, level_memory);
  const auto actions = problem.actions(options.headings);
  PlannerBenchmarkReport report;
  report.steps = options.steps;
  report.times.title = fmt::format(
      "planner: {} × {} cells, {} steps, {} realizations, {} modes; model and solve but where the "
      "model alone is made",
      options.cells, options.cells, options.steps, options.realizations, options.modes);
  report.times.machine = fmt::format("{}; {}", device_name(current_device()), describe_machine());
  report.times.unit = "ms a level";
  {
    const PublishedRun run(problem, actions, problem.mission(Objective::time, options.steps),
                           options.threads);
    add_published(run, PublishedMemory::host, "published, float, host", report, progress);
    add_published(run, PublishedMemory::device, "published, float, device", report, progress);
    sweep_blocks(run, report, progress);
  }
  add_paper(problem, "paper, integers, model alone", options, report, progress);
  measure_in_turn(
      {make_solver(problem, Engine::direct, options.headings, options.steps),
       make_solver(problem, Engine::lattice, options.headings, options.steps),
       make_solver(problem, Engine::lattice, 4 * options.headings, options.steps),
       make_solver(problem, Engine::lattice, options.headings, options.steps, KeepRows::yes)},
      options.repeats, WarmUp::one_round, report.times, progress);

  const bool claims = options == BenchmarkSize{.landing = options.landing};
  const auto name = [&report](std::size_t side) { return report.times.sides[side].name; };
  enum : std::size_t { on_host, on_device, integers, direct, lattice, many, kept };
  report.times.ratios = {{name(on_host), name(lattice), 0, 0},
                         {name(on_device), name(lattice), 0, 0},
                         {name(on_host), name(kept), 0, 0},
                         {name(on_device), name(kept), 0, 0},
                         {name(integers), name(lattice), claims ? 300.0 : 0.0, 0},
                         {name(many), name(lattice), 0, claims ? 2.0 : 0.0},
                         {name(kept), name(lattice), 0, claims ? 1.3 : 0.0},
                         {name(direct), name(lattice), 0, 0}};
  for (const auto& side : report.times.sides) {
    report.wholes.push_back({side.name, 1e-3 * median(side.samples) * options.steps, {}});
    if (claims && side.name == name(lattice)) report.wholes.back().at_most = {0.19, 0.107};
  }
  return report;
}

std::string PlannerBenchmarkReport::to_text() const {
  std::string text = times.to_text() + fmt::format("\nThe whole problem, {} steps:\n", steps);
  for (const auto& whole : wholes) {
    text += fmt::format("{:<34} {:>10.4f} s", whole.side, whole.seconds);
    for (const double aim : whole.at_most) text += fmt::format("  (aim: at most {} s)", aim);
    text += "\n";
  }
  text += fmt::format("\nThe published method, {:.4g} entries of P:\n", published_entries);
  for (const auto& side : published) {
    text += fmt::format("{:<34} {:>10.4f} s to build {:>10.4f} s to solve\n", side.name, side.build,
                        side.solve);
  }
  text += "\nOne level of it by threads in a block, the other kernels with 64, 64 and 32:\n";
  for (const auto& block : blocks) {
    text +=
        fmt::format("{:<20} {:>6} {:>10.3f} ms\n", block.kernel, block.threads, block.milliseconds);
  }
  return text;
}

nlohmann::ordered_json PlannerBenchmarkReport::to_json() const {
  nlohmann::ordered_json json = times.to_json();
  for (const auto& whole : wholes) {
    json["whole_problem"].push_back({{"name", whole.side},
                                     {"steps", steps},
                                     {"seconds", whole.seconds},
                                     {"aims_at_most", whole.at_most}});
  }
  json["published"]["entries"] = published_entries;
  for (const auto& side : published) {
    json["published"]["sides"].push_back(
        {{"name", side.name}, {"build_seconds", side.build}, {"solve_seconds", side.solve}});
  }
  for (const auto& block : blocks) {
    json["published"]["blocks"].push_back({{"kernel", block.kernel},
                                           {"threads", block.threads},
                                           {"level_milliseconds", block.milliseconds}});
  }
  return json;
}

}  // namespace tidewise

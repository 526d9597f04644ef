#include "bench/planner/benchmark.h"

#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/memory/device.h"
#include "bench/error/codes.h"
#include "bench/machine.h"
#include "bench/planner/check.h"
#include "bench/planner/device.h"
#include "bench/planner/paper_level_builder.h"
#include "bench/planner/problem.h"

namespace tidewise {
namespace {

/// All 200 levels of the published problem, so that a sample is the whole of it.
constexpr std::size_t level_memory = std::size_t{1} << 30;
constexpr std::int32_t paper_levels = 2;  // in turn, one a sample

/// Of samples [ms a level].
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

BenchmarkContender make_paper(const PlannerProblem& problem,
                              const PlannerBenchmarkOptions& options) {
  const auto actions = problem.actions(options.headings);
  const auto builder = std::make_shared<PaperLevelBuilder>(
      problem, actions, problem.mission(Objective::time, options.steps), options.threads);
  const auto level = [steps = options.steps](std::int32_t n) {  // a third of the way, two thirds
    return TimeLevel(steps * (n % paper_levels + 1) / (paper_levels + 1));
  };
  for (std::int32_t n = 0; n < paper_levels; ++n) builder->prepare(level(n));
  return {fmt::format("paper, {} actions, model alone", actions.size()),
          [builder, level](std::int32_t round) { return 1e3 * builder->build(level(round)); }};
}

void check_engines(const PlannerBenchmarkOptions& options, Progress& progress) {
  progress.begin("checking", 2, "action sets");
  check_planners(options, options.threads, {Engine::lattice, Engine::direct, Engine::paper});
  progress.advance_to(1);
  BenchmarkSize many = options;
  many.headings *= 4;
  check_planners(many, options.threads, {Engine::lattice});
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
  const std::vector<BenchmarkContender> contenders{
      make_paper(problem, options),
      make_solver(problem, Engine::direct, options.headings, options.steps),
      make_solver(problem, Engine::lattice, options.headings, options.steps),
      make_solver(problem, Engine::lattice, 4 * options.headings, options.steps),
      make_solver(problem, Engine::lattice, options.headings, options.steps, KeepRows::yes)};

  PlannerBenchmarkReport report;
  report.steps = options.steps;
  report.times.title = fmt::format(
      "planner: {} × {} cells, {} steps, {} realizations, {} modes; counting and backup in one but "
      "where the model alone is made",
      options.cells, options.cells, options.steps, options.realizations, options.modes);
  report.times.machine = fmt::format("{}; {}", device_name(current_device()), describe_machine());
  report.times.unit = "ms a level";
  measure_in_turn(contenders, options.repeats, WarmUp::one_round, report.times, progress);

  const bool claims = options == BenchmarkSize{.landing = options.landing};
  const std::string& paper = contenders[0].name;
  const std::string& direct = contenders[1].name;
  const std::string& lattice = contenders[2].name;
  const std::string& many = contenders[3].name;
  report.times.ratios = {{paper, lattice, claims ? 300.0 : 0.0, 0},
                         {many, lattice, 0, claims ? 2.0 : 0.0},
                         {contenders[4].name, lattice, 0, claims ? 1.3 : 0.0},
                         {direct, lattice, 0, 0},
                         {paper, direct, 0, 0}};
  for (const auto& side : report.times.sides) {
    report.wholes.push_back({side.name, 1e-3 * median(side.samples) * options.steps, {}});
    if (claims && side.name == lattice) report.wholes.back().at_most = {0.19, 0.107};
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
  if (!growths.empty()) text += "\nGrowth of lattice:\n";
  for (const auto& growth : growths) text += growth.to_text() + "\n";
  if (largest) {
    const double seconds = median(largest->seconds);
    text += fmt::format("{}: {:.3f} s, {:.3g} states, {:.3g} states/s, {:.0f} MB ({} runs)\n",
                        largest->title, seconds, largest->states, largest->states / seconds,
                        1e-6 * largest->memory, largest->seconds.size());
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
  for (const auto& growth : growths) json["growth"].push_back(growth.to_json());
  if (largest) {
    const double seconds = median(largest->seconds);
    json["largest"] = {{"title", largest->title},
                       {"states", largest->states},
                       {"seconds", seconds},
                       {"samples", largest->seconds},
                       {"states_a_second", largest->states / seconds},
                       {"device_memory_bytes", largest->memory}};
  }
  return json;
}

}  // namespace tidewise

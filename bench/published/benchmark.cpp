#include "bench/published/benchmark.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/memory/device.h"
#include "base/random.h"
#include "base/stopwatch.h"
#include "bench/machine.h"
#include "bench/planner/problem.h"
#include "bench/planner/published_run.h"
#include "solver/published/model.h"

namespace tidewise {
namespace {

constexpr std::size_t level_memory = std::size_t{2} << 30;
constexpr std::int32_t sampled_levels = 10;  // levels of the sample
constexpr std::int32_t max_sampled = 2000;   // states
// Speedups over the loop on the paper's machine: states, actions, realizations.
constexpr std::int32_t paper_speedups[] = {600, 820, 1000};

struct Sweep {
  std::string name;
  std::vector<BenchmarkSize> sizes;
};

BenchmarkSize size_of(std::int32_t side, std::int32_t headings, std::int32_t realizations) {
  return {.cells = side,
          .steps = side - 1,  // as many levels as cells on each side
          .realizations = realizations,
          .headings = headings,
          .landing = LandingBy::cell};
}

std::vector<Sweep> sweeps(bool quick) {
  const std::int32_t side = quick ? 20 : 100;
  const std::int32_t realizations = quick ? 50 : 5000;
  Sweep states{"states", {}};
  const std::vector<std::int32_t> sides =
      quick ? std::vector{20, 30} : std::vector{22, 46, 100, 215};
  for (const std::int32_t n : sides) states.sizes.push_back(size_of(n, 16, realizations));
  Sweep actions{"actions", {}};
  const std::vector<std::int32_t> headings =
      quick ? std::vector{4, 8} : std::vector{4, 8, 16, 32, 64};
  for (const std::int32_t n : headings) actions.sizes.push_back(size_of(side, n, realizations));
  Sweep draws{"realizations", {}};
  const std::vector<std::int32_t> counts =
      quick ? std::vector{50, 100} : std::vector{100, 500, 1000, 5000, 10000};
  for (const std::int32_t n : counts) draws.sizes.push_back(size_of(side, 16, n));
  return {states, actions, draws};
}

// Random states of some levels spread over the time: one in `options.sample`, at most max_sampled.
std::map<std::int32_t, std::vector<CellIndex>> draw(const PublishedBenchmarkOptions& options,
                                                    const BenchmarkSize& size) {
  const double states = double(size.cells) * size.cells * size.steps;
  const auto count = static_cast<std::int32_t>(
      std::clamp(states / options.sample, double{sampled_levels}, double{max_sampled}));
  const Philox random(options.seed);
  std::map<std::int32_t, std::vector<CellIndex>> sample;
  for (std::int32_t n = 0; n < count; ++n) {
    const auto words = random(static_cast<std::uint32_t>(n), 0).word;
    const std::int32_t k = (2 * (n % sampled_levels) + 1) * size.steps / (2 * sampled_levels);
    sample[k].emplace_back(static_cast<std::int32_t>(
        to_range(words[0], words[1], static_cast<std::uint32_t>(size.cells * size.cells))));
  }
  return sample;
}

// Times the loop over the sample; data of levels that can be computed before are not timed.
void time_loop(const PlannerCase& problem, const BenchmarkSize& size,
               const PublishedBenchmarkOptions& options, PublishedPoint& point) {
  const EnvironmentInfo& info = problem.info();
  const auto actions = problem.actions(size.headings);
  const Mission mission = problem.mission(Objective::time, size.steps);
  const PublishedProblem published(info, {actions, mission, problem.rule()});
  LevelFields<> now(info);
  LevelFields<> next(info);
  for (const auto& [k, cells] : draw(options, size)) {
    problem.fill(TimeLevel(k), now);
    problem.fill(TimeLevel(k + 1), next);
    const PublishedLevel level =
        published.level(TimeLevel(k), now.view(info), next.masked, next.scalar, 1);
    PublishedMatrices matrices;
    const Stopwatch watch;
    for (ActionIndex a(0); a.value < published.action_count(); ++a.value) {
      for (const CellIndex cell : cells) published.append_row(level, a, cell, matrices);
    }
    point.sampled_seconds += watch.seconds();
    point.sampled += static_cast<double>(cells.size());
  }
}

PublishedPoint measure(const std::string& sweep, const BenchmarkSize& size,
                       const PublishedBenchmarkOptions& options) {
  PublishedPoint point;
  point.sweep = sweep;
  point.states = double(size.cells) * size.cells * size.steps;
  point.actions = 2 * size.headings;
  point.realizations = size.realizations;
  SilentProgress progress;
  if (device_count() == 0) {
    time_loop(PlannerCase(size, level_memory), size, options, point);
    return point;
  }
  const PlannerProblem problem(size, level_memory);
  time_loop(problem, size, options, point);
  const PublishedRun run(problem, problem.actions(size.headings),
                         problem.mission(Objective::time, size.steps), 1);
  point.gpu = run.run(PublishedMemory::host, progress).seconds();
  return point;
}

}  // namespace

PublishedBenchmarkReport benchmark_published(const PublishedBenchmarkOptions& options,
                                             Progress& progress) {
  PublishedBenchmarkReport report;
  report.title = fmt::format(
      "published: the published method in single precision, 10 modes; the loop on one core takes "
      "1 of {} states, drawn at random from {} levels, {} at most",
      options.sample, sampled_levels, max_sampled);
  report.machine = describe_machine();
  if (device_count() > 0) {
    report.machine = fmt::format("{}; {}", device_name(current_device()), report.machine);
  }
  const std::vector<Sweep> all = sweeps(options.quick);
  std::int64_t sizes = 0;
  for (const Sweep& sweep : all) sizes += static_cast<std::int64_t>(sweep.sizes.size());
  progress.begin("measuring", sizes, "sizes");
  for (const Sweep& sweep : all) {
    for (const BenchmarkSize& size : sweep.sizes) {
      report.points.push_back(measure(sweep.name, size, options));
      progress.advance_to(static_cast<std::int64_t>(report.points.size()));
    }
  }
  progress.end();
  return report;
}

std::string PublishedBenchmarkReport::to_text() const {
  std::string text =
      fmt::format("{}\n{}\n\n{:<14} {:>10} {:>8} {:>13} {:>12} {:>12} {:>10}\n", title, machine, "",
                  "states", "actions", "realizations", "loop, s", "GPU, s", "times");
  for (const PublishedPoint& point : points) {
    text += fmt::format("{:<14} {:>10.3g} {:>8} {:>13} {:>12.4g} ", point.sweep, point.states,
                        point.actions, point.realizations, point.sequential());
    text += point.gpu
                ? fmt::format("{:>12.4g} {:>10.0f}\n", *point.gpu, point.sequential() / *point.gpu)
                : fmt::format("{:>12} {:>10}\n", "no GPU", "");
  }
  return text + fmt::format("(the paper reports {} times on its machine)\n",
                            fmt::join(paper_speedups, ", "));
}

nlohmann::ordered_json PublishedBenchmarkReport::to_json() const {
  nlohmann::ordered_json json{{"title", title}, {"machine", machine}};
  json["paper_speedups"] = paper_speedups;
  for (const PublishedPoint& point : points) {
    nlohmann::ordered_json entry{{"sweep", point.sweep},
                                 {"states", point.states},
                                 {"actions", point.actions},
                                 {"realizations", point.realizations},
                                 {"sampled_states", point.sampled},
                                 {"sampled_seconds", point.sampled_seconds},
                                 {"sequential_seconds", point.sequential()}};
    if (point.gpu) {
      entry["gpu_seconds"] = *point.gpu;
      entry["speedup"] = point.sequential() / *point.gpu;
    }
    json["points"].push_back(std::move(entry));
  }
  return json;
}

}  // namespace tidewise

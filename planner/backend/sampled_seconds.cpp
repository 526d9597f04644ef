#include "planner/backend/sampled_seconds.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <set>
#include <utility>
#include <vector>

#include "base/stopwatch.h"
#include "model_builder/engines.h"
#include "solver/induction/level_solver.h"

namespace tidewise {
namespace {

/// Runs of neighbours, as a whole level has them, evenly over all cells.
std::vector<CellIndex> pick_cells(View<const CellIndex> cells, std::size_t count) {
  constexpr std::size_t run = 8;
  const std::size_t stride = std::max(run, cells.size * run / std::max<std::size_t>(count, 1));
  std::vector<CellIndex> picked;
  for (std::size_t first = 0; first < cells.size; first += stride) {
    for (std::size_t n = first; n < std::min(first + run, cells.size); ++n) {
      picked.push_back(cells[n]);
    }
  }
  return picked;
}

/// Seconds of one level: its start, and each cell.
struct LevelSeconds {
  double level = 0;
  double cell = 0;
};

}  // namespace

SampledSeconds sample_solve_seconds(const EnvironmentReader& environment,
                                    const PlanningProblem& problem, const PlannerOptions& options,
                                    std::int64_t states) {
  constexpr double long_enough = 0.05;  // for a level's sample [s]
  constexpr double too_long = 1;        // for all tries of a level [s]
  constexpr std::size_t fewest = 32;    // cells, of which each thread has some
  const EnvironmentInfo& info = environment.info();
  const auto engine = make_cpu_engine(options.engine, problem.rule, info.grid, info.time,
                                      problem.actions, options.threads, options.subgrid_radius);
  const std::vector<std::uint32_t> weights = counting_weights(info, problem.rule);
  SampledSeconds found;
  std::vector<LevelSeconds> samples;
  const CountLevel count = [&](TimeLevel, const LevelView& level, View<const CellIndex> cells,
                               CountSink& counts) {
    // Cells that are not tried stay where they are, so that each has a value.
    const Offset here{0, 0};
    const std::uint32_t once = 1;
    for (const CellIndex cell : cells) counts.accept(0, cell, {0, 1, 1, 1, &here, &once});
    // The least of some runs: the first has memory to ask for, and any may have to wait for others
    // on the machine.
    const auto try_cells = [&](std::size_t number) {
      constexpr int runs = 3;
      const std::vector<CellIndex> picked = pick_cells(cells, number);
      double min = std::numeric_limits<double>::infinity();
      for (int n = 0; n < runs; ++n) {
        const Stopwatch watch;
        engine->count_level(level, weights, {picked.data(), picked.size()}, counts);
        min = std::min(min, watch.seconds());
      }
      found.cells += static_cast<std::int64_t>(picked.size());
      return std::pair(min, static_cast<double>(picked.size()));
    };
    if (cells.size == 0) return;
    auto [before, few] = try_cells(fewest);
    LevelSeconds sample{0, before / few};
    // The fixed time of a level can exceed that of its sampled cells. The time of a cell is
    // therefore the difference between two sample sizes, most of which must be the cells' time.
    const Stopwatch trying;
    bool is_told = false;
    for (std::size_t number = 4 * fewest; !is_told && few < double(cells.size); number *= 4) {
      const auto [seconds, many] = try_cells(number);
      sample.cell = std::clamp((seconds - before) / (many - few), 0.0, seconds / many);
      sample.level = seconds - many * sample.cell;
      is_told = (seconds >= long_enough && seconds >= 2 * before) || trying.seconds() > too_long;
      before = seconds;
      few = many;
    }
    samples.push_back(sample);
  };
  const auto solver = make_cpu_level_solver(info, problem, options.threads, count);
  const std::int32_t last = problem.mission.last.value;
  LevelFields<> now(info);
  LevelFields<> next(info);
  for (const std::int32_t k : std::set<std::int32_t>{0, last / 2, last - 1}) {
    environment.read_level(TimeLevel(k + 1), next);
    environment.read_level(TimeLevel(k), now);
    solver->start(next);
    solver->step(TimeLevel(k), now);
  }
  if (samples.empty()) return found;
  // The median of the levels: one may have had to wait all the time.
  const auto seconds_by = [&](const LevelSeconds& sample) {
    return last * sample.level + static_cast<double>(states) * sample.cell;
  };
  std::vector<double> seconds;
  for (const LevelSeconds& sample : samples) seconds.push_back(seconds_by(sample));
  const auto middle = seconds.begin() + static_cast<std::ptrdiff_t>((seconds.size() - 1) / 2);
  std::nth_element(seconds.begin(), middle, seconds.end());
  found.seconds = *middle;
  return found;
}

}  // namespace tidewise

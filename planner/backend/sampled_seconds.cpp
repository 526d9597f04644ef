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

/// Returns about `count` cells: runs of neighbours, as in a whole level, spread evenly over all
/// cells.
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

/// Fixed seconds of one level, and seconds for each cell.
struct LevelSeconds {
  double level = 0;
  double cell = 0;
};

}  // namespace

SampledSeconds sample_solve_seconds(const EnvironmentReader& environment,
                                    const PlanningProblem& problem, const PlannerOptions& options,
                                    std::int64_t states) {
  constexpr double long_enough = 0.05;   // minimum time of a level's largest sample [s]
  constexpr double too_long = 1;         // time limit for all samples of a level [s]
  constexpr std::size_t min_cells = 32;  // smallest sample: some cells for each thread
  const EnvironmentInfo& info = environment.info();
  const auto engine = make_cpu_engine(options.engine, problem.rule, info.grid, info.time,
                                      problem.actions, options.threads, options.subgrid_radius);
  const std::vector<std::uint32_t> weights = counting_weights(info, problem.rule);
  SampledSeconds sampled;
  std::vector<LevelSeconds> samples;
  const CountLevel count = [&](TimeLevel, const LevelView& level, View<const CellIndex> cells,
                               CountSink& counts) {
    // The vehicle stays where it is in all cells that are not sampled, so that each has a value.
    const Offset no_offset{0, 0};
    const std::uint32_t once = 1;
    for (const CellIndex cell : cells) counts.accept(0, cell, {0, 1, 1, 1, &no_offset, &once});
    // Takes the minimum of some runs: the first run allocates memory, and each may wait for other
    // programs.
    const auto time_cells = [&](std::size_t number) {
      constexpr int runs = 3;
      const std::vector<CellIndex> picked = pick_cells(cells, number);
      double min = std::numeric_limits<double>::infinity();
      for (int n = 0; n < runs; ++n) {
        const Stopwatch watch;
        engine->count_level(level, weights, {picked.data(), picked.size()}, counts);
        min = std::min(min, watch.seconds());
      }
      sampled.cells += static_cast<std::int64_t>(picked.size());
      return std::pair(min, static_cast<double>(picked.size()));
    };
    if (cells.size == 0) return;
    auto [before, few] = time_cells(min_cells);
    LevelSeconds sample{0, before / few};
    // The fixed time of a level can exceed that of its sampled cells. The time of a cell is
    // therefore the difference between two sample sizes, most of which must be the cells' time.
    const Stopwatch total;
    bool is_reliable = false;
    for (std::size_t number = 4 * min_cells; !is_reliable && few < double(cells.size);
         number *= 4) {
      const auto [seconds, many] = time_cells(number);
      sample.cell = std::clamp((seconds - before) / (many - few), 0.0, seconds / many);
      sample.level = seconds - many * sample.cell;
      is_reliable = (seconds >= long_enough && seconds >= 2 * before) || total.seconds() > too_long;
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
  if (samples.empty()) return sampled;
  // Takes the median of the levels, because other programs may delay one of them throughout.
  const auto seconds_by = [&](const LevelSeconds& sample) {
    return last * sample.level + static_cast<double>(states) * sample.cell;
  };
  std::vector<double> seconds;
  for (const LevelSeconds& sample : samples) seconds.push_back(seconds_by(sample));
  const auto middle = seconds.begin() + static_cast<std::ptrdiff_t>((seconds.size() - 1) / 2);
  std::nth_element(seconds.begin(), middle, seconds.end());
  sampled.seconds = *middle;
  return sampled;
}

}  // namespace tidewise

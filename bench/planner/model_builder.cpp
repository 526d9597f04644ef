#include "bench/planner/model_builder.h"

#include <fmt/format.h>

#include <memory>

#include "base/stopwatch.h"
#include "bench/machine.h"
#include "env/tools/double_gyre.h"
#include "model_builder/engines.h"

namespace tidewise {
namespace {

// Reads one count of each action, so that no engine's work can be optimized away.
class Discard final : public CountSink {
 public:
  explicit Discard(std::int32_t threads) : sums_(static_cast<std::size_t>(threads) * spacing, 0) {}
  void accept(std::int32_t thread, CellIndex, const CellTransitions& counts) override {
    std::uint64_t sum = 0;
    for (std::int32_t a = 0; a < counts.action_count; ++a) sum += counts.row(a, 0)[0];
    sums_[static_cast<std::size_t>(thread) * spacing] += sum;
  }

 private:
  static constexpr std::size_t spacing = 16;  // threads write to different cache lines
  std::vector<std::uint64_t> sums_;
};

std::vector<CellIndex> every_nth_cell(std::int32_t stride, std::int32_t count) {
  std::vector<CellIndex> cells;
  for (std::int32_t c = stride / 2; c < count; c += stride) cells.emplace_back(c);
  return cells;
}

}  // namespace

BenchmarkReport benchmark_model_builder(const ModelBuilderBenchmarkOptions& options,
                                        Progress& progress) {
  DoubleGyreOptions gyre;
  gyre.mode_count = options.modes;
  gyre.realization_count = options.realizations;
  const DoubleGyreLevel level = make_double_gyre_level(gyre, TimeLevel(gyre.level_count / 2));
  const Grid& grid = level.info.grid;
  const TimeAxis& time = level.info.time;
  const auto actions = make_actions({0.5, 1}, options.headings, grid, time);
  const auto all_cells = every_nth_cell(1, grid.cell_count());
  const auto sample_cells = every_nth_cell(100, grid.cell_count());

  const PositionRule by_cell = position_rule(LandingBy::cell, level.info);
  const PositionRule by_area = position_rule(LandingBy::area, level.info);
  const LevelView view = level.fields.view(level.info);
  std::vector<BenchmarkContender> contenders;
  const auto add = [&](const std::string& name, Engine kind, const PositionRule& rule,
                       std::int32_t threads, const std::vector<CellIndex>& cells) {
    const std::shared_ptr<CountingEngine> engine =
        make_cpu_engine(kind, rule, grid, time, actions, threads);
    contenders.push_back({name, [&view, &cells, engine, threads](std::int32_t) {
                            Discard sink(threads);
                            const Stopwatch watch;
                            engine->count_level(view, {}, cells, sink);
                            return 1e6 * watch.seconds() / static_cast<double>(cells.size());
                          }});
  };
  add("paper, 1 thread", Engine::paper, by_cell, 1, sample_cells);
  add("direct, 1 thread", Engine::direct, by_cell, 1, sample_cells);
  add("direct by area, 1 thread", Engine::direct, by_area, 1, sample_cells);
  add("lattice, 1 thread", Engine::lattice, by_cell, 1, all_cells);
  add("lattice, 2 threads", Engine::lattice, by_cell, 2, all_cells);
  add("lattice by area, 1 thread", Engine::lattice, by_area, 1, all_cells);
  add("lattice by area, 2 threads", Engine::lattice, by_area, 2, all_cells);

  BenchmarkReport report;
  report.title =
      fmt::format("model-builder: one level, {} × {} cells, {} actions, {} realizations, {} modes",
                  grid.nx, grid.ny, actions.size(), options.realizations, options.modes);
  report.machine = describe_machine();
  report.unit = "µs a cell";
  measure_in_turn(contenders, options.repeats, WarmUp::one_round, report, progress);
  report.ratios = {{"lattice, 1 thread", "lattice, 2 threads", 1.8},
                   {"lattice by area, 1 thread", "lattice by area, 2 threads", 1.8},
                   {"lattice by area, 1 thread", "lattice, 1 thread", 0}};
  return report;
}

}  // namespace tidewise

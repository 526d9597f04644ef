#include "bench/planner/model_builder.h"

#include <fmt/format.h>

#include <chrono>
#include <functional>

#include "bench/machine.h"
#include "env/tools/double_gyre.h"
#include "model_builder/engines.h"

namespace tidewise {
namespace {

/// Reads one count of each action, so that no engine's work is in vain, and keeps nothing.
class Discard final : public CountSink {
 public:
  explicit Discard(std::int32_t threads) : sums_(static_cast<std::size_t>(threads) * spacing, 0) {}
  void accept(std::int32_t thread, CellIndex, const CellTransitions& counts) override {
    std::uint64_t sum = 0;
    for (std::int32_t a = 0; a < counts.action_count; ++a) sum += counts.row(a, 0)[0];
    sums_[static_cast<std::size_t>(thread) * spacing] += sum;
  }

 private:
  static constexpr std::size_t spacing = 16;  // threads write a cache line each
  std::vector<std::uint64_t> sums_;
};

std::vector<CellIndex> every(std::int32_t stride, std::int32_t count) {
  std::vector<CellIndex> cells;
  for (std::int32_t c = stride / 2; c < count; c += stride) cells.emplace_back(c);
  return cells;
}

struct EngineContender {
  std::string name;
  std::unique_ptr<CountingEngine> engine;
  std::int32_t threads;
  std::vector<CellIndex> cells;
};

double microseconds_a_cell(EngineContender& contender, const LevelView& level) {
  Discard sink(contender.threads);
  const auto start = std::chrono::steady_clock::now();
  contender.engine->count_level(level, {}, contender.cells, sink);
  const std::chrono::duration<double, std::micro> taken = std::chrono::steady_clock::now() - start;
  return taken.count() / static_cast<double>(contender.cells.size());
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
  const auto all = every(1, grid.cell_count());
  const auto some = every(100, grid.cell_count());

  const PositionRule by_cell = position_rule(LandingBy::cell, level.info);
  const PositionRule by_area = position_rule(LandingBy::area, level.info);
  std::vector<EngineContender> contenders;
  const auto add = [&](const std::string& name, Engine engine, const PositionRule& rule,
                       std::int32_t threads, const std::vector<CellIndex>& cells) {
    contenders.push_back(
        {name, make_cpu_engine(engine, rule, grid, time, actions, threads), threads, cells});
  };
  add("paper, 1 thread", Engine::paper, by_cell, 1, some);
  add("direct, 1 thread", Engine::direct, by_cell, 1, some);
  add("direct by area, 1 thread", Engine::direct, by_area, 1, some);
  add("lattice, 1 thread", Engine::lattice, by_cell, 1, all);
  add("lattice, 2 threads", Engine::lattice, by_cell, 2, all);
  add("lattice by area, 1 thread", Engine::lattice, by_area, 1, all);
  add("lattice by area, 2 threads", Engine::lattice, by_area, 2, all);

  BenchmarkReport report;
  report.title =
      fmt::format("model-builder: one level, {} × {} cells, {} actions, {} realizations, {} modes",
                  grid.nx, grid.ny, actions.size(), options.realizations, options.modes);
  report.machine = describe_machine();
  report.unit = "µs a cell";
  for (const auto& contender : contenders) report.sides.push_back({contender.name, {}});
  const LevelView view = level.fields.view(level.info);
  progress.begin("measuring", options.repeats + 1, "rounds");
  for (std::int32_t round = 0; round <= options.repeats; ++round) {
    for (std::size_t n = 0; n < contenders.size(); ++n) {
      const double taken = microseconds_a_cell(contenders[n], view);
      if (round > 0) report.sides[n].samples.push_back(taken);  // the first round warms up
    }
    progress.advance_to(round + 1);
  }
  progress.end();
  report.ratios = {{"paper, 1 thread", "lattice, 1 thread", 60},
                   {"lattice, 1 thread", "lattice, 2 threads", 1.8},
                   {"lattice by area, 1 thread", "lattice by area, 2 threads", 1.8},
                   {"lattice by area, 1 thread", "lattice, 1 thread", 0},
                   {"paper, 1 thread", "direct, 1 thread", 0}};
  return report;
}

}  // namespace tidewise

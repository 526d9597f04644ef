#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/error.h"
#include "base/memory/device.h"
#include "base/memory/memory.h"
#include "bench/error/codes.h"
#include "bench/machine.h"
#include "bench/planner/benchmark.h"
#include "bench/planner/device.h"
#include "bench/planner/problem.h"

namespace tidewise {
namespace {

constexpr std::int32_t sweep_steps = 50;  // steps of a sample, except where their number varies
constexpr std::int32_t cell_sweep_realizations = 1000;  // so that 1000 × 1000 cells fit any card

// Times of whole solves by `lattice` [s], after one to warm up.
std::vector<double> solve_times(const PlannerProblem& problem, std::int32_t headings,
                                std::int32_t steps, std::int32_t repeats) {
  const auto actions = problem.actions(headings);
  const Mission mission = problem.mission(Objective::time, steps);
  std::vector<double> samples;
  for (std::int32_t repeat = 0; repeat <= repeats; ++repeat) {
    const double seconds = solve_on_device(problem, actions, mission, Engine::lattice);
    if (repeat > 0) samples.push_back(seconds);
  }
  return samples;
}

class Sweeps {
 public:
  Sweeps(const PlannerBenchmarkOptions& options, Progress& progress)
      : options_(options), progress_(progress) {}

  Growth realizations() {
    Growth growth{
        "realizations", fmt::format("{}, {}, {}", cells_, actions_, modes_), "ms a level", {}};
    for (const std::int32_t realizations : {625, 1250, 2500, 5000, 10000, 20000}) {
      BenchmarkSize size = size_;
      size.realizations = realizations;
      add(growth, realizations,
          milliseconds_per_level(PlannerProblem(size, beyond_caches), options_.headings));
    }
    return growth;
  }

  Growth actions() {
    Growth growth{
        "actions", fmt::format("{}, {}, {}", cells_, realizations_, modes_), "ms a level", {}};
    const PlannerProblem problem(size_, beyond_caches);
    for (const std::int32_t actions : {8, 16, 32, 64, 128, 256}) {
      add(growth, actions, milliseconds_per_level(problem, actions / 2));
    }
    return growth;
  }

  Growth modes() {
    Growth growth{
        "modes", fmt::format("{}, {}, {}", cells_, actions_, realizations_), "ms a level", {}};
    for (const std::int32_t modes : {2, 5, 10, 20, 40}) {
      BenchmarkSize size = size_;
      size.modes = modes;
      add(growth, modes,
          milliseconds_per_level(PlannerProblem(size, beyond_caches), options_.headings));
    }
    return growth;
  }

  Growth cells() {
    Growth growth{"cells",
                  fmt::format("{}, {} realizations, {}", actions_, cell_sweep_realizations, modes_),
                  "ms a level",
                  {}};
    for (const std::int32_t cells : {50, 100, 200, 400, 1000}) {
      BenchmarkSize size = size_;
      size.cells = cells;
      size.realizations = cell_sweep_realizations;
      size.steps = cells;  // the gyre turns in as many steps: the same flow on finer grids
      add(growth, double(cells) * cells,
          milliseconds_per_level(PlannerProblem(size, beyond_caches), options_.headings));
    }
    return growth;
  }

  Growth levels() {
    Growth growth{"steps",
                  fmt::format("{}, {}, {}, {}", cells_, actions_, realizations_, modes_),
                  "s in all",
                  {}};
    const PlannerProblem problem(size_, beyond_caches);
    for (const std::int32_t steps : {10, 20, 50, 100, 200, 400}) {
      add(growth, steps, measure(problem, options_.headings, steps, options_.repeats));
    }
    return growth;
  }

  LargestProblem largest() {
    const BenchmarkSize size{.cells = 1000, .realizations = 1000, .landing = options_.landing};
    const PlannerProblem problem(size, beyond_caches);
    Solves solves = measure(problem, size.headings, size.steps, std::min(options_.repeats, 3));
    LargestProblem largest{
        fmt::format("The largest problem, {0} × {0} cells, {1} levels, {2} actions, {3} "
                    "realizations, {4} modes",
                    size.cells, size.steps + 1, 2 * size.headings, size.realizations, size.modes),
        double(size.cells) * size.cells * (size.steps + 1), std::move(solves.samples),
        solves.memory};
    progress_.advance_to(++measured_);
    return largest;
  }

 private:
  struct Solves {
    std::vector<double> samples;  // times
    double memory;                // maximum device memory without the levels [B]
  };

  static Solves measure(const PlannerProblem& problem, std::int32_t headings, std::int32_t steps,
                        std::int32_t repeats) {
    forget_peak_device_memory();
    const std::size_t levels = peak_device_memory();
    auto samples = solve_times(problem, headings, steps, repeats);
    return {std::move(samples), static_cast<double>(peak_device_memory() - levels)};
  }

  Solves milliseconds_per_level(const PlannerProblem& problem, std::int32_t headings) const {
    Solves solves = measure(problem, headings, sweep_steps, options_.repeats);
    for (double& sample : solves.samples) sample *= 1e3 / sweep_steps;
    return solves;
  }

  void add(Growth& growth, double size, Solves solves) {
    growth.points.push_back({size, std::move(solves.samples), solves.memory});
    progress_.advance_to(++measured_);
  }

  const PlannerBenchmarkOptions& options_;
  Progress& progress_;
  BenchmarkSize size_ = options_;
  std::string cells_ = fmt::format("{0} × {0} cells", size_.cells);
  std::string realizations_ = fmt::format("{} realizations", size_.realizations);
  std::string actions_ = fmt::format("{} actions", 2 * options_.headings);
  std::string modes_ = fmt::format("{} modes", size_.modes);
  std::int64_t measured_ = 0;
};

// Number of measurements: realizations, actions, modes, cells, steps and the largest problem.
constexpr std::int64_t all_points = 6 + 6 + 5 + 5 + 6 + 1;

}  // namespace

std::string PlannerGrowthReport::to_text() const {
  std::string text = title + "\n" + machine + "\n\n";
  for (const auto& growth : growths) text += growth.to_text() + "\n";
  const double seconds = median(largest.seconds);
  return text + fmt::format("{}: {:.3f} s, {:.3g} states, {:.3g} states/s, {:.0f} MB ({} runs)\n",
                            largest.title, seconds, largest.states, largest.states / seconds,
                            1e-6 * largest.memory, largest.seconds.size());
}

nlohmann::ordered_json PlannerGrowthReport::to_json() const {
  nlohmann::ordered_json json{{"title", title}, {"machine", machine}};
  for (const auto& growth : growths) json["growth"].push_back(growth.to_json());
  const double seconds = median(largest.seconds);
  json["largest"] = {{"title", largest.title},
                     {"states", largest.states},
                     {"seconds", seconds},
                     {"samples", largest.seconds},
                     {"states_per_second", largest.states / seconds},
                     {"device_memory_bytes", largest.memory}};
  return json;
}

PlannerGrowthReport measure_growth(const PlannerBenchmarkOptions& options, Progress& progress) {
  if (device_count() == 0) {
    throw input_error(errors::bench_needs_gpu, "growth");
  }
  Sweeps sweeps(options, progress);
  progress.begin("measuring growth", all_points, "sizes");
  PlannerGrowthReport report;
  report.title = fmt::format("growth of lattice, landing by {}", to_string(options.landing));
  report.machine = fmt::format("{}; {}", device_name(current_device()), describe_machine());
  report.growths = {sweeps.realizations(), sweeps.actions(), sweeps.modes(), sweeps.cells(),
                    sweeps.levels()};
  report.largest = sweeps.largest();
  progress.end();
  return report;
}

}  // namespace tidewise

#include "bench/gyre/benchmark.h"

#include <fmt/format.h>
#include <omp.h>

#include <cmath>

#include "base/stopwatch.h"
#include "bench/gyre/comparison.h"
#include "bench/gyre/problem.h"
#include "bench/machine.h"

namespace tidewise {
namespace {

// Number of members of the Monte Carlo.
std::int32_t member_count(const GyreBenchmarkOptions& options) {
  return options.is_small ? 4 : 100;
}

constexpr double duration = 0.1;  // [L/U]; the maximum speed is about 30, the deviation a fifth

// Sets the number of threads for the lifetime of this object.
class Threads {
 public:
  explicit Threads(std::int32_t count) : previous_(omp_get_max_threads()) {
    omp_set_num_threads(count);
  }
  Threads(const Threads&) = delete;
  Threads& operator=(const Threads&) = delete;
  ~Threads() { omp_set_num_threads(previous_); }

 private:
  int previous_;
};

GyreSide side_of(const std::string& name, const GyreRun& run,
                 const SamplingComparison& comparison) {
  return {name,
          static_cast<std::int32_t>(run.state.realization_count),
          gyre::kinetic_energy(run.state.mean),
          comparison.state_variance,
          comparison.mean,
          -comparison.variance,
          run.seconds};
}

void compare_sides(const GyreBenchmarkOptions& options, Progress& progress,
                   GyreBenchmarkReport& report) {
  GyreProblem problem;
  problem.cells = options.cells;
  problem.mode_count = options.modes;
  problem.numbers.reynolds = 40;
  problem.spin_up = 1;
  problem.deviation = 0.2;
  progress.begin("comparing", 4, "runs");
  const gyre::VelocityField mean = spun_up_gyre(problem);
  progress.advance_to(1);
  const gyre::OrthogonalSolver solver(mean.grid(), problem.numbers);
  const auto start = [&](std::int32_t realizations, std::uint64_t seed) {
    return perturbed_gyre(problem, mean, static_cast<std::size_t>(realizations), seed);
  };
  const gyre::OrthogonalState few = start(member_count(options), 1);
  const GyreRun same = run_orthogonal(solver, few, duration);
  progress.advance_to(2);
  const GyreRun many = run_orthogonal(solver, start(options.realizations, 2), duration);
  progress.advance_to(3);
  const MonteCarloRun monte_carlo = run_monte_carlo(solver.gyre(), few, same.steps);
  progress.advance_to(4);
  progress.end();
  const SamplingComparison with_same = compare(same.state, monte_carlo.members, Coefficients::same);
  const SamplingComparison with_independent =
      compare(many.state, monte_carlo.members, Coefficients::independent);

  gyre::VelocityField member_mean(mean.grid());
  for (const gyre::VelocityField& member : monte_carlo.members) {
    gyre::add(member_mean, 1.0 / member_count(options), member);
  }
  const Stopwatch watch;
  gyre::VelocityField from_mean = mean;
  for (const double step : same.steps) solver.gyre().advance(from_mean, 0, step);
  const double from_mean_seconds = watch.seconds();
  const double from_mean_energy = gyre::kinetic_energy(from_mean);
  gyre::add(from_mean, -1, member_mean);

  report.comparison = fmt::format(
      "wind-driven gyre, {} × {} cells, Re {}, {} modes, {} time units in {} steps, {} thread{}",
      options.cells, options.cells, problem.numbers.reynolds, options.modes, duration,
      same.steps.size(), options.threads, options.threads == 1 ? "" : "s");
  report.variance_outside = with_independent.variance_outside;
  // A side without spread lacks all of the variance.
  report.sides = {
      {"Monte Carlo", member_count(options), gyre::kinetic_energy(member_mean),
       with_same.member_variance, 0, 0, monte_carlo.seconds},
      side_of("DO, realizations of its own", many, with_independent),
      side_of("DO, the Monte Carlo's realizations", same, with_same),
      {"one run, from the mean", 1, from_mean_energy, 0,
       std::sqrt(gyre::inner_product(from_mean, from_mean)) / with_same.mean_sampling_error,
       -with_same.member_variance / with_same.variance_sampling_error, from_mean_seconds}};
}

void measure_stage(const GyreBenchmarkOptions& options, Progress& progress,
                   BenchmarkReport& report) {
  // The published size.
  const std::int32_t cells = options.is_small ? 24 : 200;
  const std::int32_t modes = options.is_small ? 2 : 10;
  const std::int32_t realizations = options.is_small ? 30 : 5000;
  GyreProblem problem;
  problem.cells = cells;
  problem.mode_count = modes;
  problem.spin_up = 0;
  gyre::OrthogonalState state =
      perturbed_gyre(problem, spun_up_gyre(problem), static_cast<std::size_t>(realizations), 1);
  const gyre::OrthogonalSolver solver(state.mean.grid(), problem.numbers);
  gyre::VelocityField realization = gyre::realization_of(state, 0);
  const double step = 0.5 * solver.stable_step(state);
  report.title = fmt::format(
      "A third of a step, one stage: {} × {} cells, {} modes, {} realizations, {} thread{}", cells,
      cells, modes, realizations, options.threads, options.threads == 1 ? "" : "s");
  report.machine = describe_machine();
  report.unit = "ms";
  const std::string all = fmt::format("DO, {} realizations", realizations);
  report.ratios = {{all, "one realization", 0, 0}};
  const auto time = [](const auto& advance) {
    return [advance](std::int32_t) {
      const Stopwatch watch;
      advance();
      return 1e3 / 3 * watch.seconds();
    };
  };
  measure_in_turn({{all, time([&] { solver.advance(state, step); })},
                   {"one realization", time([&] { solver.gyre().advance(realization, 0, step); })}},
                  options.repeats, WarmUp::none, report, progress);
}

}  // namespace

GyreBenchmarkReport benchmark_gyre(const GyreBenchmarkOptions& options, Progress& progress) {
  const Threads threads(options.threads);
  GyreBenchmarkReport report;
  compare_sides(options, progress, report);
  measure_stage(options, progress, report.stage);
  return report;
}

}  // namespace tidewise

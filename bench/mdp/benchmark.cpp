#include "bench/mdp/benchmark.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <new>

#include "base/error.h"
#include "base/memory/device.h"
#include "base/memory/memory.h"
#include "base/memory/peak_memory.h"
#include "base/stopwatch.h"
#include "bench/copy_bandwidth.h"
#include "bench/error/codes.h"
#include "bench/machine.h"
#include "bench/mdp/aims.h"
#include "bench/mdp/worlds.h"
#include "mdp/solve/solve_process.h"

namespace tidewise {
namespace {

// Hides the progress of sweeps; passes on only interruptions.
class RoundProgress final : public Progress {
 public:
  explicit RoundProgress(Progress& outer) : outer_(outer) {}
  void begin(std::string_view, std::int64_t, std::string_view) override { check_interruption(); }
  void advance_to(std::int64_t) override { check_interruption(); }
  void end() override {}

  void next_round() { ++rounds_; }
  bool interrupted() const { return interrupted_; }
  void check_interruption() {
    try {
      outer_.advance_to(rounds_);
    } catch (...) {
      interrupted_ = true;
      throw;
    }
  }

 private:
  Progress& outer_;
  std::int64_t rounds_ = 0;
  bool interrupted_ = false;
};

// True if a side takes part in a round; the first round warms up.
bool takes_part(const MdpSide& side, std::int32_t round, const MdpBenchmarkOptions& options) {
  if (side.pace == MdpPace::fast) return round <= options.repeats;
  return round == 1;  // slow sides run once
}

template <class Real>
double greatest_difference(const std::vector<Real>& a, const std::vector<Real>& b) {
  double max = 0;
  for (std::size_t s = 0; s < std::min(a.size(), b.size()); ++s) {
    max = std::max(max, std::abs(double(a[s]) - double(b[s])));
  }
  return max;
}

// Measures all sides on one world.
template <class Real>
class WorldRun {
 public:
  WorldRun(mdp::DecisionProcess<Real>& process, const MdpBenchmarkOptions& options,
           std::vector<MdpFigures>& figures)
      : process_(process), options_(options), figures_(figures) {}

  void run(const std::vector<MdpSide>& sides, RoundProgress& progress) {
    for (const MdpSide& side : sides) {
      MdpFigures& figures = figures_.emplace_back();
      figures.name = side.name;
      figures.method = side.options.method;
      figures.backend = side.options.backend;
    }
    for (std::int32_t round = 0; round <= options_.repeats; ++round) {
      for (std::size_t n = 0; n < sides.size(); ++n) {
        if (!takes_part(sides[n], round, options_)) continue;
        if (figures_[n].trouble.empty()) attempt(sides[n], round, figures_[n], progress);
        progress.next_round();
        progress.check_interruption();
      }
    }
  }

 private:
  void attempt(const MdpSide& side, std::int32_t round, MdpFigures& figures,
               RoundProgress& progress) {
    try {
      solve(side, round, figures, progress);
    } catch (const std::bad_alloc&) {
      figures.trouble = "out of memory";
    } catch (const InputError& error) {
      figures.trouble = error.what();
    } catch (const RunError& error) {
      if (progress.interrupted()) throw;
      figures.trouble = error.what();
    }
  }

  void solve(const MdpSide& side, std::int32_t round, MdpFigures& figures,
             RoundProgress& progress) {
    forget_peak_memory();
    forget_peak_device_memory();
    const std::int64_t before = peak_memory_bytes();
    mdp::SolveOptions solve_options = side.options;
    solve_options.unloadable = &process_;
    const mdp::ProcessSolution<Real> solution =
        mdp::solve_process(process_, solve_options, progress);
    figures.host_memory = std::max(figures.host_memory, peak_memory_bytes());
    figures.added_memory = std::max(figures.added_memory, peak_memory_bytes() - before);
    figures.device_memory =
        std::max(figures.device_memory, static_cast<std::int64_t>(peak_device_memory()));
    if (round == 0) return;
    figures.seconds.push_back(solution.seconds);
    figures.sweep_seconds.push_back(solution.sweep_seconds);
    figures.sweeps = solution.sweeps;
    figures.improvements = solution.improvements;
    figures.converged = solution.converged;
    figures.error = solution.bounds.error();
    if (reference_.empty())
      reference_ = solution.value;  // values of the first side in the first round
    figures.difference =
        std::max(figures.difference, greatest_difference(solution.value, reference_));
  }

  mdp::DecisionProcess<Real>& process_;
  const MdpBenchmarkOptions& options_;
  std::vector<MdpFigures>& figures_;
  std::vector<Real> reference_;  // (state)
};

std::int64_t count_rounds(const std::vector<MdpSide>& sides, const MdpBenchmarkOptions& options) {
  std::int64_t count = 0;
  for (const MdpSide& side : sides) {
    count += side.pace == MdpPace::fast ? options.repeats + 1 : 1;
  }
  return count;
}

BenchmarkReport times_of(const MdpWorldReport& world) {
  BenchmarkReport times;
  times.title = world.name;
  times.unit = "ms";
  for (const MdpFigures& side : world.figures) {
    if (side.seconds.empty()) continue;
    times.sides.push_back({side.name, {}});
    for (const double seconds : side.seconds) times.sides.back().samples.push_back(1e3 * seconds);
  }
  return times;
}

template <class Real>
MdpWorldReport measure_world(const std::string& name, const MdpBenchmarkOptions& options,
                             Progress& progress) {
  MdpWorldReport report;
  report.name = name;
  const Stopwatch watch;
  const MdpWorld world = mdp_world(name);
  auto process = make_mdp_world<Real>(world, options.size, options.sides.threads);
  report.make_seconds = watch.seconds();
  report.states = process.state_count;
  report.entries = process.entry_count();
  report.model_bytes = model_bytes(process);
  const std::vector<MdpSide> sides =
      world.steps > 0 ? backward_sides(options.sides, world.steps) : mdp_sides(options.sides);
  progress.begin("measuring " + name, count_rounds(sides, options), "runs");
  RoundProgress rounds(progress);
  WorldRun<Real>(process, options, report.figures).run(sides, rounds);
  progress.end();
  report.times = times_of(report);
  return report;
}

}  // namespace

double MdpFigures::seconds_per_sweep() const {
  return sweeps > 0 && !sweep_seconds.empty() ? median(sweep_seconds) / double(sweeps) : 0;
}

MdpBenchmarkReport benchmark_mdp(const MdpBenchmarkOptions& options, Progress& progress) {
  const bool on_device = options.sides.also_on == BackendChoice::cuda;
  const bool is_whole = options.size == MdpSize::whole;
  if (on_device && device_count() == 0) {
    throw input_error(errors::bench_needs_gpu, "mdp");
  }
  for (const std::string& world : options.worlds) (void)mdp_world(world);
  MdpBenchmarkReport report;
  report.title = fmt::format(
      "mdp: {} in {}, until {} {:g}{}", fmt::join(options.worlds, ", "),
      options.precision == MdpPrecision::float32 ? "float" : "double",
      options.sides.stop == mdp::StoppingRule::change ? "no value changes by" : "values are within",
      options.sides.tolerance, is_whole ? "" : "; quick: an eighth of each side, nothing to claim");
  report.machine = describe_machine();
  if (on_device) report.machine = device_name(current_device()) + "; " + report.machine;
  const std::size_t copy_size = std::size_t{1} << (is_whole ? 30 : 24);
  report.host_copy = host_copy_bandwidth(copy_size, options.sides.threads);
  if (on_device) report.device_copy = device_copy_bandwidth(copy_size);
  for (const std::string& world : options.worlds) {
    report.worlds.push_back(options.precision == MdpPrecision::float32
                                ? measure_world<float>(world, options, progress)
                                : measure_world<double>(world, options, progress));
    if (is_whole) add_aims(report, options.sides.threads, report.worlds.back());
  }
  return report;
}

}  // namespace tidewise

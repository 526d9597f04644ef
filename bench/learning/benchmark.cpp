#include "bench/learning/benchmark.h"

#include <fmt/format.h>

#include <vector>

#include "base/standard_normal.h"
#include "base/stopwatch.h"
#include "bench/machine.h"
#include "learning/ensemble_smoother.h"

namespace tidewise {
namespace {

// Coefficients with a correlation time of about ten levels, (level, mode, realization).
std::vector<float> make_coefficients(const LearningBenchmarkOptions& options) {
  const Philox random(1);
  const auto size =
      static_cast<std::size_t>(options.modes) * static_cast<std::size_t>(options.realizations);
  std::vector<float> coefficient;
  coefficient.reserve(size * static_cast<std::size_t>(options.levels));
  for (std::int32_t k = 0; k < options.levels; ++k) {
    for (std::size_t n = 0; n < size; ++n) {
      const double draw =
          standard_normal(random, static_cast<std::uint32_t>(k), static_cast<std::uint32_t>(n));
      const double previous = k == 0 ? draw : coefficient[coefficient.size() - size];
      coefficient.push_back(static_cast<float>(0.9 * previous + 0.435 * draw));
    }
  }
  return coefficient;
}

// Consecutive legs over the first half of the levels.
std::vector<FlowObservation> make_observations(const LearningBenchmarkOptions& options) {
  const Philox random(2);
  std::vector<FlowObservation> observations;
  for (std::int32_t n = 0; n < 2 * options.legs; ++n) {
    const std::int32_t level = (n / 2) * (options.levels / 2) / options.legs;
    FlowObservation observation{standard_normal(random, 0, static_cast<std::uint32_t>(n)),
                                0.3,
                                0,
                                level + 0.5,
                                {{level, {}}}};
    for (std::int32_t m = 0; m < options.modes; ++m) {
      observation.parts[0].sensitivity.push_back(
          0.3 *
          standard_normal(random, static_cast<std::uint32_t>(m), static_cast<std::uint32_t>(n), 1));
    }
    observations.push_back(std::move(observation));
  }
  return observations;
}

}  // namespace

BenchmarkReport benchmark_learning(const LearningBenchmarkOptions& options, Progress& progress) {
  const std::vector<float> coefficient = make_coefficients(options);
  const CoefficientView forecast{coefficient.data(), options.levels, options.modes,
                                 options.realizations};
  const std::vector<FlowObservation> observations = make_observations(options);
  const std::vector<FlowObservation> no_observations;
  const SmootherOptions square_root;
  SmootherOptions perturbed;
  perturbed.scheme = UpdateScheme::perturbed_observations;
  SmootherOptions localised;
  localised.localisation = 20;
  BenchmarkReport report;
  report.title = fmt::format(
      "Ensemble smoother, {} realizations, {} modes, {} levels, {} legs of two components, 1 "
      "thread",
      options.realizations, options.modes, options.levels, options.legs);
  report.machine = describe_machine();
  report.unit = "s";
  const auto time = [&](const std::vector<FlowObservation>& observed,
                        const SmootherOptions& scheme) {
    return [&](std::int32_t) {
      const Stopwatch watch;
      (void)learn(observed, forecast, {}, scheme);
      return watch.seconds();
    };
  };
  measure_in_turn({{"square root", time(observations, square_root)},
                   {"perturbed observations", time(observations, perturbed)},
                   {"square root, localised to 20 levels", time(observations, localised)},
                   {"coefficients read and written", time(no_observations, square_root)}},
                  options.repeats, WarmUp::none, report, progress);
  return report;
}

}  // namespace tidewise

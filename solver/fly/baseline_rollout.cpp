#include "solver/fly/baseline_rollout.h"

#include "env/levels/level_pair.h"
#include "solver/fly/ensemble.h"
#include "solver/pass/forward.h"

namespace tidewise {
namespace {

// Makes one step of all flights. Returns true if a flight is still under way.
bool advance_baselines(const FlyBaselineStep& fly, std::int32_t threads) {
  const std::size_t flights = fly.ensemble.number.size;
  const bool in_parallel = flights > max_flights_of_thread;
  bool under_way = false;
#pragma omp parallel for schedule(static) num_threads(threads) if (in_parallel) \
    reduction(||                                                                \
              : under_way)
  for (std::size_t n = 0; n < flights; ++n) under_way = fly(n) || under_way;
  return under_way;
}

}  // namespace

std::vector<BaselineFlights> fly_baselines(const EnvironmentReader& environment,
                                           const Mission& mission,
                                           const std::vector<BaselineSpeed>& speeds,
                                           const RolloutOptions& options, Progress& progress) {
  const EnvironmentInfo& info = environment.info();
  const std::vector<BaselineRule> rules = baseline_rules(mission, speeds, info.time.step);
  const auto numbers = repeated_numbers(flight_numbers(info, options), rules.size());
  LevelPair levels(environment, mission.departure, mission.last);
  Ensemble<> ensemble = depart(info, mission, RolloutMode::continuous, numbers,
                               levels.next().masked[static_cast<std::size_t>(mission.start.value)]);
  const bool under_way =
      ensemble.state[0] == StepOutcome::under_way;  // all flights start in the same state
  walk_forward(levels, mission.departure, mission.last, "flying without a plan", progress,
               under_way, [&](TimeLevel k, const LevelView& now, const LevelView& next) {
                 const StepContext context =
                     make_step_context(info, mission, k, now, next, {mission.target, {}, {}});
                 return advance_baselines(baseline_step(context, mission, rules, ensemble.view()),
                                          options.threads);
               });
  return baseline_ends(rules, mission, ensemble, info.time.step);
}

}  // namespace tidewise

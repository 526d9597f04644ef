#include "solver/fly/rollout.h"

#include <utility>

#include "env/file/level_pair.h"
#include "solver/fly/ensemble.h"
#include "solver/fly/flight_log.h"
#include "solver/fly/fly_step.h"
#include "solver/fly/trajectory_accumulator.h"

namespace tidewise {
namespace {

/// Advances a fleet on the CPU, a level at a time.
class CpuRollout {
 public:
  CpuRollout(const EnvironmentInfo& info, const std::vector<Action>& actions,
             const Mission& mission, const RolloutOptions& options,
             EffectsOfLevel effects_instead = {})
      : info_(info),
        actions_(actions),
        mission_(mission),
        options_(options),
        effects_instead_(std::move(effects_instead)),
        effects_(action_effects(actions, mission, info.time.step)),
        policy_(static_cast<std::size_t>(info.grid.cell_count())),
        up_to_(summed_weights(info)) {}

  RolloutResult run(const EnvironmentReader& environment, const PolicySource& policy,
                    Progress& progress) {
    const auto numbers = flight_numbers(info_, options_);  // judged before anything is read
    LevelPair levels(environment, mission_.departure, mission_.last);
    Ensemble<> ensemble =
        depart(info_, mission_, options_.mode, numbers,
               levels.next().masked[static_cast<std::size_t>(mission_.start.value)]);
    TrajectoryAccumulator accumulator(actions_, ensemble, options_.threads);
    const std::int32_t steps = mission_.last.value - mission_.departure.value;
    FlightLog<> log(
        log_steps(options_.log_memory, ensemble.size(), static_cast<std::size_t>(steps)),
        ensemble.size());
    std::size_t logged = 0;
    bool under_way = ensemble.state[0] == StepOutcome::under_way;  // they all start alike
    progress.begin("flying", steps, "levels");
    for (TimeLevel k = mission_.departure; k < mission_.last && under_way; ++k.value) {
      levels.advance();
      read_policy(policy, k, effects_.size(), {policy_.data(), policy_.size()});
      StepContext context =
          make_step_context(info_, mission_, k, levels.now(), levels.next(), tables());
      if (effects_instead_) context.refined = effects_instead_(k, context.policy);
      under_way = advance(context, k, ensemble, log, logged);
      if (++logged == log.steps()) {
        accumulator.append(log.view(), logged);
        logged = 0;
      }
      progress.advance_to(k.value + 1 - mission_.departure.value);
    }
    accumulator.append(log.view(), logged);
    progress.end();
    return accumulator.close(ensemble, options_.mode, mission_.departure);
  }

 private:
  StepTables tables() const {
    return {{mission_.target.data(), mission_.target.size()},
            {policy_.data(), policy_.size()},
            {effects_.data(), effects_.size()}};
  }

  /// Whether any flight is still under way.
  bool advance(const StepContext& context, TimeLevel k, Ensemble<>& ensemble, FlightLog<>& log,
               std::size_t logged) const {
    if (options_.mode == RolloutMode::continuous) {
      const ContinuousStep step{context};
      return advance_all(FlyStep<ContinuousStep>{step, k, ensemble.view(), log.view(), logged});
    }
    const ChainStep step{
        context,
        DisplacementScale(info_.grid, info_.time),
        {Philox(options_.seed), count_total(info_), {up_to_.data(), up_to_.size()}}};
    return advance_all(FlyStep<ChainStep>{step, k, ensemble.view(), log.view(), logged});
  }

  template <class Step>
  bool advance_all(const FlyStep<Step>& fly) const {
    const std::size_t flights = fly.ensemble.number.size;
    const bool worth_sharing = flights > 64;  // a thread takes longer to wake than to do these
    bool under_way = false;
#pragma omp parallel for schedule(static) num_threads(options_.threads) if (worth_sharing) \
    reduction(||                                                                           \
              : under_way)
    for (std::size_t n = 0; n < flights; ++n) under_way = fly(n) || under_way;
    return under_way;
  }

  const EnvironmentInfo& info_;
  const std::vector<Action>& actions_;
  const Mission& mission_;
  const RolloutOptions& options_;
  EffectsOfLevel effects_instead_;
  std::vector<ActionEffect> effects_;
  std::vector<std::int16_t> policy_;  // (y, x), of the level at work
  std::vector<std::uint32_t> up_to_;  // (realization), weights summed; empty without weights
};

}  // namespace

RolloutResult fly(const EnvironmentReader& environment, const std::vector<Action>& actions,
                  const Mission& mission, const PolicySource& policy, const RolloutOptions& options,
                  Progress& progress, EffectsOfLevel effects_instead) {
  return CpuRollout(environment.info(), actions, mission, options, std::move(effects_instead))
      .run(environment, policy, progress);
}

}  // namespace tidewise

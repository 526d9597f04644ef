#include "solver/fly/rollout.h"

#include <utility>

#include "env/file/level_pair.h"
#include "model_builder/step/level_spread.h"
#include "solver/fly/ensemble.h"
#include "solver/fly/flight_log.h"
#include "solver/fly/fly_step.h"
#include "solver/fly/trajectory_accumulator.h"
#include "solver/step/planning_problem.h"

namespace tidewise {
namespace {

/// Advances a fleet on the CPU, a level at a time.
class CpuRollout {
 public:
  CpuRollout(const EnvironmentInfo& info, const PlanningProblem& problem,
             const RolloutOptions& options, EffectsOfLevel effects_instead = {})
      : info_(info),
        problem_(problem),
        options_(options),
        effects_instead_(std::move(effects_instead)),
        effects_(action_effects(problem, info.time.step)),
        policy_(static_cast<std::size_t>(info.grid.cell_count())),
        up_to_(summed_weights(info, problem.rule)) {}

  RolloutResult run(const EnvironmentReader& environment, const PolicySource& policy,
                    Progress& progress) {
    const auto numbers = flight_numbers(info_, options_);  // judged before anything is read
    LevelPair levels(environment, problem_.mission.departure, problem_.mission.last);
    Ensemble<> ensemble =
        depart(info_, problem_.mission, options_.mode, numbers,
               levels.next().masked[static_cast<std::size_t>(problem_.mission.start.value)]);
    TrajectoryAccumulator accumulator(problem_.actions, ensemble, options_.threads);
    const std::int32_t steps = problem_.mission.last.value - problem_.mission.departure.value;
    FlightLog<> log(
        log_steps(options_.log_memory, ensemble.size(), static_cast<std::size_t>(steps)),
        ensemble.size());
    std::size_t logged = 0;
    bool under_way = ensemble.state[0] == StepOutcome::under_way;  // they all start alike
    progress.begin("flying", steps, "levels");
    for (TimeLevel k = problem_.mission.departure; k < problem_.mission.last && under_way;
         ++k.value) {
      levels.advance();
      read_policy(policy, k, effects_.size(), policy_);
      StepContext context =
          make_step_context(info_, problem_.mission, k, levels.now(), levels.next(), tables());
      if (effects_instead_) context.refined = effects_instead_(k, context.policy);
      under_way = advance(context, k, ensemble, log, logged);
      if (++logged == log.steps()) {
        accumulator.append(log.view(), logged);
        logged = 0;
      }
      progress.advance_to(k.value + 1 - problem_.mission.departure.value);
    }
    accumulator.append(log.view(), logged);
    progress.end();
    return accumulator.close(ensemble, options_.mode, problem_.mission.departure);
  }

 private:
  StepTables tables() const { return {problem_.mission.target, policy_, effects_}; }

  /// Whether any flight is still under way.
  bool advance(const StepContext& context, TimeLevel k, Ensemble<>& ensemble, FlightLog<>& log,
               std::size_t logged) const {
    if (options_.mode == RolloutMode::continuous) {
      const ContinuousStep step{context};
      return advance_all(FlyStep<ContinuousStep>{step, k, ensemble.view(), log.view(), logged});
    }
    const DisplacementScale scale(info_.grid, info_.time);
    const std::vector<ModeScale> modes = mode_scales(context.now, scale, problem_.rule);
    const ChainStep step{context,
                         scale,
                         problem_.rule,
                         modes,
                         {Philox(options_.seed), counting_total(info_, problem_.rule), up_to_}};
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
  PlanningProblem problem_;
  const RolloutOptions& options_;
  EffectsOfLevel effects_instead_;
  std::vector<ActionEffect> effects_;
  std::vector<std::int16_t> policy_;  // (y, x), of the level at work
  std::vector<std::uint32_t> up_to_;  // (realization), weights summed; empty without weights
};

}  // namespace

RolloutResult fly(const EnvironmentReader& environment, const PlanningProblem& problem,
                  const PolicySource& policy, const RolloutOptions& options, Progress& progress,
                  EffectsOfLevel effects_instead) {
  return CpuRollout(environment.info(), problem, options, std::move(effects_instead))
      .run(environment, policy, progress);
}

}  // namespace tidewise

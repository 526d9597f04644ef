#include "solver/rollout.h"

#include "solver/fleet.h"
#include "solver/flight_log.h"
#include "solver/fly_step.h"
#include "solver/level_pair.h"
#include "solver/refine/refine_policy.h"
#include "solver/same_bits.h"
#include "solver/trajectory_book.h"

namespace tidewise {
namespace {

/// What a refined action does.
ActionEffect refined_effect(const RefinedAction& refined, const EnvironmentInfo& info,
                            const Mission& mission) {
  const double step = info.time.step;
  const double heading = refined.heading;
  const double speed = refined.speed;
  const Direction direction = same_bits_direction(heading);
  return {speed * direction.cosine, speed * direction.sine,
          power_spent(mission.energy, speed) * step,
          action_reward(mission.objective, mission.energy, speed, step),
          make_action(speed, heading, info.grid, info.time).displacement};
}

/// Advances a fleet on the CPU, a level at a time.
class CpuRollout {
 public:
  CpuRollout(const EnvironmentInfo& info, const std::vector<Action>& actions,
             const Mission& mission, const RolloutOptions& options,
             const RefinedPolicy* refined = nullptr)
      : info_(info),
        actions_(actions),
        mission_(mission),
        options_(options),
        refined_(refined),
        effects_(action_effects(actions, mission, info.time.step)),
        policy_(static_cast<std::size_t>(info.grid.cell_count())),
        up_to_(summed_weights(info)) {}

  RolloutResult run(const EnvironmentReader& environment, const PolicySource& policy,
                    Progress& progress) {
    const auto numbers = flight_numbers(info_, options_);  // judged before anything is read
    LevelPair levels(environment, mission_.departure, mission_.last);
    Fleet<> fleet = depart(info_, mission_, options_.mode, numbers,
                           levels.next().closed[static_cast<std::size_t>(mission_.start.value)]);
    TrajectoryBook book(actions_, fleet, options_.threads);
    const std::int32_t steps = mission_.last.value - mission_.departure.value;
    FlightLog<> log(log_steps(options_.log_memory, fleet.size(), static_cast<std::size_t>(steps)),
                    fleet.size());
    std::size_t logged = 0;
    bool under_way = fleet.state[0] == StepOutcome::under_way;  // they all start alike
    progress.begin("flying", steps, "levels");
    for (TimeLevel k = mission_.departure; k < mission_.last && under_way; ++k.value) {
      levels.advance();
      read_policy(policy, k, effects_.size(), {policy_.data(), policy_.size()});
      StepContext context =
          make_step_context(info_, mission_, k, levels.now(), levels.next(), tables());
      context.refined = refined_effects(k);
      under_way = advance(context, k, fleet, log, logged);
      if (++logged == log.steps()) {
        book.append(log.view(), logged);
        logged = 0;
      }
      progress.advance_to(k.value + 1 - mission_.departure.value);
    }
    book.append(log.view(), logged);
    progress.end();
    return book.close(fleet, options_.mode, mission_.departure);
  }

 private:
  /// What is done in each cell at level k, (y, x); empty where no policy was refined.
  View<const ActionEffect> refined_effects(TimeLevel k) {
    if (refined_ == nullptr) return {};
    refined_effects_.resize(policy_.size());
    for (std::size_t cell = 0; cell < policy_.size(); ++cell) {
      if (policy_[cell] == no_action) continue;
      refined_effects_[cell] = effects_[static_cast<std::size_t>(policy_[cell])];
    }
    const auto level = static_cast<std::size_t>(k.value);
    if (level < refined_->level.size()) {
      for (const RefinedAction& one : refined_->level[level]) {
        if (!(one.gain > 0)) continue;
        refined_effects_[static_cast<std::size_t>(one.cell)] = refined_effect(one, info_, mission_);
      }
    }
    return {refined_effects_.data(), refined_effects_.size()};
  }

  StepTables tables() const {
    return {{mission_.target.data(), mission_.target.size()},
            {policy_.data(), policy_.size()},
            {effects_.data(), effects_.size()}};
  }

  /// Whether any flight is still under way.
  bool advance(const StepContext& context, TimeLevel k, Fleet<>& fleet, FlightLog<>& log,
               std::size_t logged) const {
    if (options_.mode == RolloutMode::continuous) {
      const ContinuousStep step{context};
      return advance_all(FlyStep<ContinuousStep>{step, k, fleet.view(), log.view(), logged});
    }
    const ChainStep step{
        context,
        DisplacementScale(info_.grid, info_.time),
        {Philox(options_.seed), count_total(info_), {up_to_.data(), up_to_.size()}}};
    return advance_all(FlyStep<ChainStep>{step, k, fleet.view(), log.view(), logged});
  }

  template <class Step>
  bool advance_all(const FlyStep<Step>& fly) const {
    const std::size_t flights = fly.fleet.number.size;
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
  const RefinedPolicy* refined_;  // null: none is
  std::vector<ActionEffect> effects_;
  std::vector<ActionEffect> refined_effects_;  // (y, x), of the level at work
  std::vector<std::int16_t> policy_;           // (y, x), of the level at work
  std::vector<std::uint32_t> up_to_;  // (realization), weights summed; empty without weights
};

}  // namespace

RolloutResult fly(const EnvironmentReader& environment, const std::vector<Action>& actions,
                  const Mission& mission, const PolicySource& policy, const RolloutOptions& options,
                  Progress& progress) {
  return CpuRollout(environment.info(), actions, mission, options)
      .run(environment, policy, progress);
}

RolloutResult fly_refined(const EnvironmentReader& environment, const std::vector<Action>& actions,
                          const Mission& mission, const PolicySource& policy,
                          const RefinedPolicy& refined, const RolloutOptions& options,
                          Progress& progress) {
  return CpuRollout(environment.info(), actions, mission, options, &refined)
      .run(environment, policy, progress);
}

}  // namespace tidewise

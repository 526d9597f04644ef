#include "solver/fly/rollout.h"

#include <algorithm>
#include <deque>
#include <optional>
#include <utility>

#include "base/error.h"
#include "env/levels/level_pair.h"
#include "model_builder/step/level_spread.h"
#include "solver/fly/ensemble.h"
#include "solver/fly/flight_log.h"
#include "solver/fly/fly_step.h"
#include "solver/fly/trajectory_accumulator.h"
#include "solver/legs/legs.h"
#include "solver/pass/forward.h"
#include "solver/step/planning_problem.h"

namespace tidewise {
namespace {

// Advances the flights of one mission on the CPU, level by level.
class CpuRollout {
 public:
  // All arguments must outlive this object. Errors: those of flight_numbers().
  CpuRollout(const EnvironmentInfo& info, const PlanningProblem& problem,
             const PolicySource& policy, const RolloutOptions& options,
             EffectsOfLevel refined_effects = {})
      : info_(info),
        problem_(problem),
        source_(policy),
        options_(options),
        refined_effects_(std::move(refined_effects)),
        numbers_(flight_numbers(info, options)),
        effects_(action_effects(problem, info.time.step)),
        cumulative_weights_(summed_weights(info, problem.rule)) {
    const auto cells = static_cast<std::size_t>(info.grid.cell_count());
    for (std::size_t leg = 0; leg <= mission().via.size(); ++leg) {
      legs_.push_back({leg_mission(mission(), leg), std::vector<std::int16_t>(cells, no_action)});
    }
  }
  CpuRollout(const CpuRollout&) = delete;
  CpuRollout& operator=(const CpuRollout&) = delete;

  const Mission& mission() const { return problem_.mission; }
  bool under_way() const { return under_way_; }

  // Starts the flights at departure. `masked`: of that level, (y, x).
  void depart(View<const std::uint8_t> masked) {
    const Mission& mission = legs_.front().mission;
    ensemble_.emplace(tidewise::depart(info_, mission, options_.mode, numbers_,
                                       masked[static_cast<std::size_t>(mission.start.value)]));
    std::vector<std::size_t> tracked = tracked_flights(ensemble_->size(), options_.tracks);
    const std::size_t tracks = tracked.size();
    columns_ = log_columns(ensemble_->size(), tracked);
    accumulator_.emplace(problem_.actions, *ensemble_, std::move(tracked), options_.threads);
    const auto steps = static_cast<std::size_t>(mission.last.value - mission.departure.value);
    log_.emplace(log_steps(options_.log_memory, tracks, steps), tracks);
    // All flights start in the same state.
    under_way_ = !numbers_.empty() && ensemble_->state[0] == StepOutcome::under_way;
    leg_of_flight_.assign(ensemble_->size(), 0);
    passed_.assign(legs_.size() > 1 ? ensemble_->size() : 0, {});
    pass_via_points(mission.departure);
  }

  // Makes the step from level k. Errors: those of reading the policy.
  void step(TimeLevel k, const LevelView& now, const LevelView& next) {
    std::vector<StepContext> contexts;
    for (std::size_t leg = 0; leg < legs_.size(); ++leg) {
      Leg& current = legs_[leg];
      if (is_flown(leg)) read_policy(source_.leg(leg), k, effects_.size(), current.policy);
      contexts.push_back(make_step_context(info_, current.mission, k, now, next,
                                           {current.mission.target, current.policy, effects_}));
    }
    if (refined_effects_) contexts[0].refined = refined_effects_(k, contexts[0].policy);
    under_way_ = advance(contexts, k);
    pass_via_points(TimeLevel(k.value + 1));
    if (++logged_ == log_->steps()) flush();
    if (k.value + 1 == problem_.mission.last.value) under_way_ = false;
  }

  RolloutResult close() {
    flush();
    RolloutResult result = accumulator_->close(*ensemble_, options_.mode, problem_.mission);
    for (std::size_t n = 0; n < passed_.size(); ++n) {
      result.trajectories[n].passed = std::move(passed_[n]);
    }
    return result;
  }

 private:
  // A leg of the mission (solver/legs/legs.h); most missions have one.
  struct Leg {
    Mission mission;
    std::vector<std::int16_t> policy;  // (y, x), of the current level
  };

  bool is_flown(std::size_t leg) const {
    if (legs_.size() == 1) return true;
    for (std::size_t n = 0; n < leg_of_flight_.size(); ++n) {
      if (leg_of_flight_[n] == leg && ensemble_->state[n] == StepOutcome::under_way) return true;
    }
    return false;
  }

  // Moves the flights that are at level k in the cells where their leg ends to the next leg.
  void pass_via_points(TimeLevel k) {
    if (legs_.size() == 1) return;
    for (std::size_t n = 0; n < leg_of_flight_.size(); ++n) {
      if (ensemble_->state[n] != StepOutcome::under_way) continue;
      const Vehicle& vehicle = ensemble_->vehicle[n];
      const CellIndex cell =
          info_.grid.cell(info_.grid.column_at(vehicle.x), info_.grid.row_at(vehicle.y));
      leg_of_flight_[n] =
          tidewise::pass_via_points(mission(), k, cell, leg_of_flight_[n], passed_[n]);
    }
  }

  void flush() {
    accumulator_->append(log_->view(), logged_);
    logged_ = 0;
  }

  // Makes one step of all flights. Returns true if a flight is still under way.
  bool advance(const std::vector<StepContext>& contexts, TimeLevel k) {
    if (options_.mode == RolloutMode::continuous) {
      std::vector<FlyStep<ContinuousStep<>>> steps;
      steps.reserve(contexts.size());
      for (const StepContext& context : contexts) {
        steps.push_back(
            {{context}, k, ensemble_->view(), log_->view().from(0, 0, columns_), logged_});
      }
      return advance_all(steps);
    }
    const DisplacementScale scale(info_.grid, info_.time);
    const std::vector<ModeScale> modes = mode_scales(contexts[0].now, scale, problem_.rule);
    std::vector<FlyStep<ChainStep>> steps;
    steps.reserve(contexts.size());
    for (const StepContext& context : contexts) {
      const ChainStep step{
          context,
          scale,
          problem_.rule,
          modes,
          {Philox(options_.seed), counting_total(info_, problem_.rule), cumulative_weights_}};
      steps.push_back({step, k, ensemble_->view(), log_->view().from(0, 0, columns_), logged_});
    }
    return advance_all(steps);
  }

  /// `fly`: step of each leg, (leg)
  template <class Step>
  bool advance_all(const std::vector<FlyStep<Step>>& fly) const {
    const std::size_t flights = fly[0].ensemble.number.size;
    const bool in_parallel = flights > max_flights_of_thread;
    bool under_way = false;
#pragma omp parallel for schedule(static) num_threads(options_.threads) if (in_parallel) \
    reduction(||                                                                         \
              : under_way)
    for (std::size_t n = 0; n < flights; ++n) under_way = fly[leg_of_flight_[n]](n) || under_way;
    return under_way;
  }

  const EnvironmentInfo& info_;
  PlanningProblem problem_;
  const PolicySource& source_;
  const RolloutOptions& options_;
  EffectsOfLevel refined_effects_;
  std::vector<std::int32_t> numbers_;  // validated before anything is read
  std::vector<ActionEffect> effects_;
  std::vector<Leg> legs_;
  std::vector<std::size_t> leg_of_flight_;         // (flight)
  std::vector<std::vector<std::int32_t>> passed_;  // (flight): see Trajectory::passed
  std::vector<std::uint32_t> cumulative_weights_;  // (realization); empty without weights
  std::optional<Ensemble<>> ensemble_;
  std::optional<TrajectoryAccumulator> accumulator_;
  std::vector<std::int32_t> columns_;  // (flight): column in the log, or -1
  std::optional<FlightLog<>> log_;
  std::size_t logged_ = 0;
  bool under_way_ = false;
};

// Fleets of several members that pass through the levels together.
class CpuFleet {
 public:
  // `members`: at least one; failure: (member), receives the error of a member's step.
  CpuFleet(std::vector<CpuRollout*> members, std::vector<std::exception_ptr>& failure)
      : members_(std::move(members)), failure_(failure) {
    for (std::size_t m = 0; m < members_.size(); ++m) {
      if (members_[m] == nullptr) continue;
      const Mission& mission = members_[m]->mission();
      first_ = no_active_flights_ ? mission.departure : std::min(first_, mission.departure);
      last_ = no_active_flights_ ? mission.last : std::max(last_, mission.last);
      no_active_flights_ = false;
    }
  }

  void fly(const EnvironmentReader& environment, Progress& progress) {
    if (no_active_flights_) return;
    LevelPair levels(environment, first_, last_);
    progress.begin("flying", last_.value - first_.value, "levels");
    walk_forward(levels, first_, last_, *this,
                 [&](std::int32_t steps) { progress.advance_to(steps); });
    progress.end();
  }

  // walk_forward() calls the following functions.
  void arrive(TimeLevel k, const LevelView& level) {
    for_each([&](CpuRollout& member) {
      if (member.mission().departure == k) member.depart(level.masked);
    });
  }
  // True if some flight is under way at level k or departs later.
  bool goes_on(TimeLevel k) const {
    bool any = false;
    for_each([&](CpuRollout& member) {
      any = any || member.under_way() || k < member.mission().departure;
    });
    return any;
  }
  void step(TimeLevel k, const LevelView& now, const LevelView& next) {
    for (std::size_t m = 0; m < members_.size(); ++m) step(m, k, now, next);
  }

 private:
  template <class Work>
  void for_each(const Work& work) const {
    for (CpuRollout* member : members_) {
      if (member != nullptr) work(*member);
    }
  }

  void step(std::size_t m, TimeLevel k, const LevelView& now, const LevelView& next) {
    if (members_[m] == nullptr || !members_[m]->under_way()) return;
    try {
      members_[m]->step(k, now, next);
    } catch (...) {
      failure_[m] = std::current_exception();
      members_[m] = nullptr;
    }
  }

  std::vector<CpuRollout*> members_;
  std::vector<std::exception_ptr>& failure_;
  bool no_active_flights_ = true;
  TimeLevel first_;
  TimeLevel last_;
};

}  // namespace

std::vector<MemberFlights> fly_policies(const EnvironmentReader& environment,
                                        const PositionRule& rule,
                                        const std::vector<Action>& actions,
                                        const std::vector<FlightMember>& members,
                                        Progress& progress) {
  std::deque<std::optional<CpuRollout>> rollouts;
  std::vector<CpuRollout*> fleet;
  std::vector<std::exception_ptr> failure(members.size());
  for (std::size_t m = 0; m < members.size(); ++m) {
    const FlightMember& member = members[m];
    auto& rollout = rollouts.emplace_back();
    try {
      rollout.emplace(environment.info(), PlanningProblem{actions, *member.mission, rule},
                      *member.policy, member.options);
    } catch (const InputError&) {
      failure[m] = std::current_exception();
    }
    fleet.push_back(rollout ? &*rollout : nullptr);
  }
  CpuFleet(std::move(fleet), failure).fly(environment, progress);
  std::vector<MemberFlights> results;
  for (std::size_t m = 0; m < members.size(); ++m) {
    MemberFlights& result = results.emplace_back();
    result.failure = failure[m];
    if (failure[m] == nullptr) result.rollout = rollouts[m]->close();
  }
  return results;
}

RolloutResult fly(const EnvironmentReader& environment, const PlanningProblem& problem,
                  const PolicySource& policy, const RolloutOptions& options, Progress& progress,
                  EffectsOfLevel refined_effects) {
  CpuRollout rollout(environment.info(), problem, policy, options, std::move(refined_effects));
  std::vector<std::exception_ptr> failure(1);
  CpuFleet({&rollout}, failure).fly(environment, progress);
  if (failure.front()) std::rethrow_exception(failure.front());
  return rollout.close();
}

}  // namespace tidewise

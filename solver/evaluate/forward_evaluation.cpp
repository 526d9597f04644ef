#include "solver/evaluate/forward_evaluation.h"

#include <algorithm>
#include <deque>

#include "env/levels/level_pair.h"
#include "model_builder/engines.h"
#include "solver/evaluate/forward_propagation.h"
#include "solver/evaluate/held_fronts.h"
#include "solver/evaluate/policy_transitions.h"
#include "solver/legs/legs.h"
#include "solver/step/planning_problem.h"

namespace tidewise {
namespace {

/// The probability mass of a mission's legs; most missions have one.
class LegFronts {
 public:
  /// All of it must outlive this object.
  LegFronts(const EnvironmentInfo& info, const PlanningProblem& problem, const PolicySource& policy)
      : mission_(problem.mission),
        policy_(policy),
        action_count_(problem.actions.size()),
        legs_(leg_missions(problem.mission)),
        action_(static_cast<std::size_t>(info.grid.cell_count())) {
    for (const Mission& leg : legs_) {
      fronts_.emplace_back(info, PlanningProblem{problem.actions, leg, problem.rule});
    }
  }

  void start(View<const std::uint8_t> masked) {
    fronts_.front().start(masked);
    if (mission_.departure < mission_.last) hand_over();
  }

  bool under_way() const {
    return std::any_of(fronts_.begin(), fronts_.end(),
                       [](const ForwardPropagation& front) { return front.under_way(); });
  }

  void step(TimeLevel k, const LevelView& now, const LevelView& next, std::int32_t threads,
            const CountLevel& count) {
    const View<const std::int16_t> action = action_;
    for (std::size_t leg = 0; leg < fronts_.size(); ++leg) {
      ForwardPropagation& front = fronts_[leg];
      if (!front.under_way()) continue;
      read_policy(policy_.leg(leg), k, action_count_, action_);
      landings_.expect(front.cells(), action);
      count(k, now, front.cells(), landings_);
      front.begin_step(k, now, next, action);
      front.land(0, front.cells().size, landings_, threads);
      front.end_step();
    }
    hand_over();
  }

  ExpectedOutcome close() const {
    ExpectationAccumulator sum = fronts_.front().ended();
    for (std::size_t leg = 1; leg < fronts_.size(); ++leg) sum += fronts_[leg].ended();
    return sum.close();
  }

 private:
  void hand_over() {
    for (std::size_t leg = 0; leg + 1 < fronts_.size(); ++leg) {
      const ViaPlace& place = mission_.via[leg];
      fronts_[leg].hand_over([&](CellIndex cell) { return is_in(place, cell); }, fronts_[leg + 1]);
    }
  }

  const Mission& mission_;
  const PolicySource& policy_;
  std::size_t action_count_;
  std::vector<Mission> legs_;
  std::deque<ForwardPropagation> fronts_;  // (leg)
  std::vector<std::int16_t> action_;       // (y, x), of the leg and level at work
  PolicyTransitions landings_;
};

/// From the departure on, until nothing is under way. `Fronts`: LegFronts or HeldFronts.
template <class Fronts>
ExpectedOutcome propagate(Fronts& fronts, const EnvironmentReader& environment,
                          const Mission& mission, std::int32_t threads, Progress& progress,
                          const CountLevel& count) {
  LevelPair levels(environment, mission.departure, mission.last);
  fronts.start(levels.next().masked);
  progress.begin("evaluating the policy", mission.last.value - mission.departure.value, "levels");
  for (TimeLevel k = mission.departure; k < mission.last && fronts.under_way(); ++k.value) {
    levels.advance();
    fronts.step(k, levels.now(), levels.next(), threads, count);
    progress.advance_to(k.value + 1 - mission.departure.value);
  }
  progress.end();
  return fronts.close();
}

}  // namespace

ExpectedOutcome evaluate_policy(const EnvironmentReader& environment,
                                const PlanningProblem& problem, const PolicySource& policy,
                                std::int32_t threads, Progress& progress) {
  const EnvironmentInfo& info = environment.info();
  const auto engine = make_cpu_engine(Engine::lattice, problem.rule, info.grid, info.time,
                                      problem.actions, threads);
  const auto weights = counting_weights(info, problem.rule);
  return evaluate_policy(
      environment, problem, policy, threads, progress,
      [&](TimeLevel, const LevelView& level, View<const CellIndex> cells, CountSink& sink) {
        engine->count_level(level, weights, cells, sink);
      });
}

ExpectedOutcome evaluate_policy(const EnvironmentReader& environment,
                                const PlanningProblem& problem, const PolicySource& policy,
                                std::int32_t threads, Progress& progress, const CountLevel& count) {
  if (problem.mission.decisions.hold()) {
    HeldFronts fronts(environment.info(), problem, policy);
    return propagate(fronts, environment, problem.mission, threads, progress, count);
  }
  LegFronts fronts(environment.info(), problem, policy);
  return propagate(fronts, environment, problem.mission, threads, progress, count);
}

}  // namespace tidewise

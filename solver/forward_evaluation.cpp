#include "solver/forward_evaluation.h"

#include <algorithm>
#include <limits>

#include "model_builder/counting_engine.h"
#include "solver/level_pair.h"
#include "solver/policy_landings.h"
#include "solver/step_context.h"

namespace tidewise {
namespace {

/// Probability, and with it the spent and harvested energy of all that it stands for.
struct Mass {
  double probability = 0;
  double spent = 0;
  double harvested = 0;
};

/// The probability mass of one level on its way to the next.
class MassFront {
 public:
  MassFront(const EnvironmentInfo& info, const std::vector<Action>& actions, const Mission& mission,
            std::int32_t threads)
      : info_(info),
        mission_(mission),
        engine_(make_cpu_engine(Engine::lattice, info.grid, info.time, actions, threads)),
        effects_(action_effects(actions, mission, info.time.step)),
        policy_(static_cast<std::size_t>(info.grid.cell_count())),
        mass_(policy_.size()),
        mass_next_(policy_.size()) {}

  ExpectedOutcome run(const EnvironmentReader& environment, const PolicySource& policy,
                      Progress& progress) {
    LevelPair levels(environment, mission_.departure, mission_.last);
    start(levels.next().closed);
    progress.begin("evaluating the policy", mission_.last.value - mission_.departure.value,
                   "levels");
    for (TimeLevel k = mission_.departure; k < mission_.last && !active_.empty(); ++k.value) {
      levels.advance();
      read_policy(policy, k, effects_.size(), {policy_.data(), policy_.size()});
      count_landings(levels.now());
      push(make_step_context(info_, mission_, effects_, policy_, levels, k), k);
      progress.advance_to(k.value + 1 - mission_.departure.value);
    }
    progress.end();
    return outcome();
  }

 private:
  void start(View<const std::uint8_t> closed) {
    const StepOutcome outcome = outcome_at_start(mission_, closed, mission_.start);
    if (outcome == StepOutcome::under_way) {
      mass_[static_cast<std::size_t>(mission_.start.value)].probability = 1;
      active_ = {mission_.start};
      return;
    }
    finish(outcome, {1, 0, 0}, 0);
    if (outcome != StepOutcome::arrived) value_ = mission_.failure_penalty;
  }

  /// Landings of every cell that holds mass, by its policy's action.
  void count_landings(const LevelView& level) {
    const View<const CellIndex> cells{active_.data(), active_.size()};
    const auto& weights = info_.realization_weight;
    landings_.expect(cells, {policy_.data(), policy_.size()});
    engine_->count_level(level, {weights.data(), weights.size()}, cells, landings_);
  }

  /// Moves the mass on, cell after cell in ascending order, so that every sum has one order.
  void push(const StepContext& context, TimeLevel k) {
    const double elapsed = (k.value + 1 - mission_.departure.value) * info_.time.step;
    for (std::size_t n = 0; n < active_.size(); ++n) {
      push_cell(context, active_[n], landings_.of(n), elapsed);
    }
    std::swap(mass_, mass_next_);
    std::fill(mass_next_.begin(), mass_next_.end(), Mass{});
    active_.clear();
    for (std::size_t cell = 0; cell < mass_.size(); ++cell) {
      if (mass_[cell].probability > 0) active_.emplace_back(static_cast<std::int32_t>(cell));
    }
  }

  void push_cell(const StepContext& context, CellIndex cell, const std::vector<Landing>& landings,
                 double elapsed) {
    const Grid& grid = info_.grid;
    const auto from = static_cast<std::size_t>(cell.value);
    const Mass& here = mass_[from];
    if (policy_[from] == no_action) {
      value_ += here.probability * context.failure_penalty;
      finish(StepOutcome::obstacle, here, elapsed);
      return;
    }
    const ActionEffect& taken = effects_[static_cast<std::size_t>(policy_[from])];
    const std::int32_t column = grid.column(cell);
    const std::int32_t row = grid.row(cell);
    for (const Landing& landing : landings) {
      const StepOutcome outcome = context.rule(column, row, landing.to);
      const bool inside = grid.contains(column + landing.to.dx, row + landing.to.dy);
      const auto to = static_cast<std::size_t>(
          inside ? grid.cell(column + landing.to.dx, row + landing.to.dy).value : 0);
      const bool harvests = info_.has_scalar && inside;
      const StepWorth worth =
          context.worth(taken, outcome, harvests ? context.now.scalar[from] : 0.0F,
                        harvests ? context.next.scalar[to] : 0.0F);
      const double share = landing.count / double(count_total(info_));
      const double probability = here.probability * share;
      const Mass moved{probability, here.spent * share + probability * worth.spent,
                       here.harvested * share + probability * worth.harvested};
      value_ += probability * worth.reward;
      if (outcome == StepOutcome::under_way) {
        mass_next_[to].probability += moved.probability;
        mass_next_[to].spent += moved.spent;
        mass_next_[to].harvested += moved.harvested;
      } else {
        finish(outcome, moved, elapsed);
      }
    }
  }

  void finish(StepOutcome outcome, const Mass& mass, double elapsed) {
    auto& total = finished_[static_cast<std::size_t>(outcome)];
    total.probability += mass.probability;
    total.spent += mass.spent;
    total.harvested += mass.harvested;
    if (outcome == StepOutcome::arrived) arrival_time_ += mass.probability * elapsed;
  }

  ExpectedOutcome outcome() const {
    const auto& at = [this](StepOutcome end) -> const Mass& {
      return finished_[static_cast<std::size_t>(end)];
    };
    const Mass& arrived = at(StepOutcome::arrived);
    const auto given_arrival = [&](double sum) {
      return arrived.probability > 0 ? sum / arrived.probability
                                     : std::numeric_limits<double>::quiet_NaN();
    };
    return {arrived.probability,
            given_arrival(arrival_time_),
            given_arrival(arrived.spent),
            given_arrival(arrived.spent - arrived.harvested),
            at(StepOutcome::obstacle).probability,
            at(StepOutcome::out_of_domain).probability,
            at(StepOutcome::out_of_time).probability,
            value_};
  }

  const EnvironmentInfo& info_;
  const Mission& mission_;
  std::unique_ptr<CountingEngine> engine_;
  std::vector<ActionEffect> effects_;
  std::vector<std::int16_t> policy_;  // (y, x)
  std::vector<Mass> mass_;            // (y, x), at k
  std::vector<Mass> mass_next_;       // (y, x), at k+1
  std::vector<CellIndex> active_;     // cells that hold mass at k, ascending
  PolicyLandings landings_;           // of each active cell
  Mass finished_[4];                  // by StepOutcome
  double arrival_time_ = 0;
  double value_ = 0;
};

}  // namespace

ExpectedOutcome evaluate_policy(const EnvironmentReader& environment,
                                const std::vector<Action>& actions, const Mission& mission,
                                const PolicySource& policy, std::int32_t threads,
                                Progress& progress) {
  return MassFront(environment.info(), actions, mission, threads)
      .run(environment, policy, progress);
}

}  // namespace tidewise

#include "solver/forward_evaluation.h"

#include <algorithm>

#include "model_builder/counting_engine.h"
#include "solver/expectation_book.h"
#include "solver/level_pair.h"
#include "solver/mass_step.h"
#include "solver/policy_landings.h"

namespace tidewise {
namespace {

/// The probability mass of one level on its way to the next.
class MassFront {
 public:
  MassFront(const EnvironmentInfo& info, const std::vector<Action>& actions, const Mission& mission,
            std::int32_t threads, const CountLevel& count)
      : info_(info),
        mission_(mission),
        threads_(threads),
        count_(count),
        effects_(action_effects(actions, mission, info.time.step)),
        policy_(static_cast<std::size_t>(info.grid.cell_count())),
        mass_(policy_.size()),
        mass_next_(policy_.size()) {}

  ExpectedOutcome run(const EnvironmentReader& environment, const PolicySource& policy,
                      Progress& progress) {
    LevelPair levels(environment, mission_.departure, mission_.last);
    start(levels.next().closed[static_cast<std::size_t>(mission_.start.value)]);
    progress.begin("evaluating the policy", mission_.last.value - mission_.departure.value,
                   "levels");
    for (TimeLevel k = mission_.departure; k < mission_.last && !active_.empty(); ++k.value) {
      levels.advance();
      read_policy(policy, k, effects_.size(), {policy_.data(), policy_.size()});
      count_landings(k, levels.now());
      const std::int32_t steps = k.value + 1 - mission_.departure.value;
      const StepContext context =
          make_step_context(info_, mission_, k, levels.now(), levels.next(), tables());
      land({context, static_cast<double>(count_total(info_))});
      book_.enter(sum_over_cells(totals_), steps * info_.time.step);
      move_on();
      progress.advance_to(steps);
    }
    progress.end();
    return book_.close();
  }

 private:
  void start(std::uint8_t closed) {
    const StepOutcome outcome = outcome_at_start(mission_, closed);
    if (outcome == StepOutcome::under_way) {
      mass_[static_cast<std::size_t>(mission_.start.value)].probability = 1;
      active_ = {mission_.start};
      return;
    }
    book_.end_at_start(outcome, mission_.failure_penalty);
  }

  StepTables tables() const {
    return {{mission_.target.data(), mission_.target.size()},
            {policy_.data(), policy_.size()},
            {effects_.data(), effects_.size()}};
  }

  /// Landings of every cell that holds mass, by its policy's action.
  void count_landings(TimeLevel k, const LevelView& level) {
    const View<const CellIndex> cells{active_.data(), active_.size()};
    landings_.expect(cells, {policy_.data(), policy_.size()});
    count_(k, level, cells, landings_);
  }

  /// What each landing comes to, and each cell's total over its own.
  void land(const MassStep& step) {
    totals_.resize(active_.size());
    if (moved_.size() < active_.size()) moved_.resize(active_.size());
    const bool worth_sharing = active_.size() > 64;
#pragma omp parallel for schedule(static) num_threads(threads_) if (worth_sharing)
    for (std::size_t n = 0; n < active_.size(); ++n) totals_[n] = land(step, n);
  }

  CellTotals land(const MassStep& step, std::size_t n) {
    const CellIndex cell = active_[n];
    const Mass& here = mass_[static_cast<std::size_t>(cell.value)];
    CellTotals sum{cell, {}};
    moved_[n].clear();
    if (policy_[static_cast<std::size_t>(cell.value)] == no_action) {
      sum.totals.add(step.strand(here));
      return sum;
    }
    for (const Landing& landing : landings_.of(n)) {
      const LandedMass landed = step.land(cell, here, landing.to, landing.count);
      sum.totals.add(landed);
      if (landed.outcome != StepOutcome::under_way) continue;
      moved_[n].push_back(
          {cell.value + landing.to.dy * info_.grid.nx + landing.to.dx, landed.mass});
    }
    return sum;
  }

  /// Moves on what is under way, cell after cell in ascending order: what a cell receives comes in
  /// the order of GatherMass, and its sum has the same bits.
  void move_on() {
    for (std::size_t n = 0; n < active_.size(); ++n) {
      for (const Moved& moved : moved_[n]) {
        mass_next_[static_cast<std::size_t>(moved.to)] += moved.mass;
      }
    }
    std::swap(mass_, mass_next_);
    std::fill(mass_next_.begin(), mass_next_.end(), Mass{});
    active_.clear();
    for (std::size_t cell = 0; cell < mass_.size(); ++cell) {
      if (mass_[cell].probability > 0) active_.emplace_back(static_cast<std::int32_t>(cell));
    }
  }

  struct Moved {
    std::int32_t to;  // cell
    Mass mass;
  };

  const EnvironmentInfo& info_;
  const Mission& mission_;
  std::int32_t threads_;
  const CountLevel& count_;
  std::vector<ActionEffect> effects_;
  std::vector<std::int16_t> policy_;       // (y, x)
  std::vector<Mass> mass_;                 // (y, x), at k
  std::vector<Mass> mass_next_;            // (y, x), at k+1
  std::vector<CellIndex> active_;          // cells that hold mass at k, ascending
  PolicyLandings landings_;                // of each active cell
  std::vector<std::vector<Moved>> moved_;  // (active cell), what is under way
  std::vector<CellTotals> totals_;         // (active cell)
  ExpectationBook book_;
};

}  // namespace

ExpectedOutcome evaluate_policy(const EnvironmentReader& environment,
                                const std::vector<Action>& actions, const Mission& mission,
                                const PolicySource& policy, std::int32_t threads,
                                Progress& progress) {
  const EnvironmentInfo& info = environment.info();
  const auto engine = make_cpu_engine(Engine::lattice, info.grid, info.time, actions, threads);
  const auto& weights = info.realization_weight;
  return evaluate_policy(
      environment, actions, mission, policy, threads, progress,
      [&](TimeLevel, const LevelView& level, View<const CellIndex> cells, CountSink& sink) {
        engine->count_level(level, {weights.data(), weights.size()}, cells, sink);
      });
}

ExpectedOutcome evaluate_policy(const EnvironmentReader& environment,
                                const std::vector<Action>& actions, const Mission& mission,
                                const PolicySource& policy, std::int32_t threads,
                                Progress& progress, const CountLevel& count) {
  return MassFront(environment.info(), actions, mission, threads, count)
      .run(environment, policy, progress);
}

}  // namespace tidewise

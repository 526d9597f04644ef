#include "output/model/ocean_process.h"

#include <algorithm>
#include <limits>
#include <string>

#include "base/error.h"
#include "env/levels/level_pair.h"
#include "mdp/process/row_writer.h"
#include "output/error/codes.h"
#include "solver/step/action_rewards.h"
#include "solver/step/boundary.h"
#include "solver/step/mission_outcome.h"
#include "solver/step/nearness.h"
#include "solver/step/obstacle_index.h"
#include "solver/step/planning_problem.h"

namespace tidewise {
namespace {

/// Cells × levels 0 … L, and the state of those that failed.
std::int32_t count_states(const Grid& grid, TimeLevel last) {
  const std::int64_t states = std::int64_t{grid.cell_count()} * (last.value + 1) + 1;
  if (states > std::numeric_limits<std::int32_t>::max()) {
    throw input_error(errors::process_states_too_many, states);
  }
  return static_cast<std::int32_t>(states);
}

template <class Real>
class ProcessMaker {
 public:
  ProcessMaker(const ModelFile& model, const EnvironmentReader& environment,
               const PlanningProblem& problem)
      : model_(model),
        info_(environment.info()),
        mission_(problem.mission),
        cells_(info_.grid.cell_count()),
        ended_(count_states(info_.grid, problem.mission.last) - 1),
        action_count_(static_cast<std::int32_t>(problem.actions.size())),
        rewards_(problem, info_.time.step),
        nothing_(static_cast<std::size_t>(cells_), 0.0F),
        at_boundary_(boundary_value(info_, mission_)),
        value_(static_cast<std::size_t>(ended_) + 1, Real{0}),
        writer_(ended_ + 1, action_count_, true) {
    writer_.reserve(model.info().entries);
    for (std::int32_t cell = 0; cell < cells_; ++cell) late_.push_back(at_boundary_.late(cell));
  }

  /// Level k < L: the rows of open cells outside the target.
  void add_level(TimeLevel k, const CompactLevel& rows, const LevelView& now,
                 const LevelView& next) {
    // Where v(k+1, ·) is 0, worth() is the reward alone; where time is up it is v(L, ·).
    const std::vector<float>& value_next = k.value + 1 == mission_.last.value ? late_ : nothing_;
    const OutcomeRule rule =
        outcome_rule(info_, mission_, k, mission_.target,
                     {now.masked, next.masked, now.scalar, next.scalar, value_next});
    const ObstacleIndex obstacles(info_.grid, now.masked, next.masked);
    const NearnessPrices prices({info_.grid, nearness_price(mission_), now.masked, next.masked},
                                obstacles);
    set_boundary(k, now.masked);
    for (std::int32_t cell = 0; cell < cells_; ++cell) {
      const bool decided = !rule.landing.is_non_terminal(static_cast<std::size_t>(cell));
      const bool open = is_open_around(obstacles, cell);
      // Of being there for a step, whatever that leads to.
      const float price = decided || mission_.margin == 0 ? 0.0F : prices(CellIndex(cell));
      for (std::int32_t action = 0; action < action_count_; ++action) {
        transitions_.clear();
        if (!decided) collect(k, rule, rows, cell, action, open, price);
        const std::string fault = writer_.add_row(transitions_);
        if (!fault.empty()) {
          throw input_error(errors::process_model_damaged, k.value, cell, action, fault);
        }
      }
    }
  }

  mdp::DecisionProcess<Real> finish(View<const std::uint8_t> masked_at_last) {
    set_boundary(mission_.last, masked_at_last);
    mdp::DecisionProcess<Real> process = writer_.finish();
    process.initial_value = std::move(value_);
    process.discount = 1;
    process.initial_state = state(mission_.departure, mission_.start.value);
    return process;
  }

 private:
  std::int32_t state(TimeLevel k, std::int32_t cell) const { return k.value * cells_ + cell; }

  void set_boundary(TimeLevel k, View<const std::uint8_t> masked) {
    for (std::int32_t cell = 0; cell < cells_; ++cell) {
      const auto place = static_cast<std::size_t>(cell);
      const bool barred = masked[place] != 0;
      const bool in_target = mission_.target[place] != 0;
      value_[state(k, cell)] = k < mission_.last && is_non_terminal(barred, in_target)
                                   ? Real{0}
                                   : static_cast<Real>(at_boundary_(barred, in_target, place));
    }
  }

  /// Whether no way out of the cell can meet an obstacle: the sub-grid and the cell hold them all.
  bool is_open_around(const ObstacleIndex& obstacles, std::int32_t cell) const {
    const SubGrid& reach = model_.info().subgrid;
    const std::int32_t column = info_.grid.column(CellIndex(cell));
    const std::int32_t row = info_.grid.row(CellIndex(cell));
    return !obstacles.any(column + std::min(reach.dx_min, 0), column + std::max(reach.dx_max, 0),
                          row + std::min(reach.dy_min, 0), row + std::max(reach.dy_max, 0));
  }

  /// The landings of one row into transitions_.
  void collect(TimeLevel k, const OutcomeRule& rule, const CompactLevel& rows, std::int32_t cell,
               std::int32_t action, bool open, float price) {
    const Grid& grid = info_.grid;
    const std::int32_t column = grid.column(CellIndex(cell));
    const std::int32_t row = grid.row(CellIndex(cell));
    const float part = rewards_.kind[rewards_.kind_of[action]];
    const auto at = static_cast<std::size_t>(cell) * static_cast<std::size_t>(action_count_) +
                    static_cast<std::size_t>(action);
    const auto end = static_cast<std::size_t>(rows.row_start[at + 1]);
    for (auto n = static_cast<std::size_t>(rows.row_start[at]); n < end; ++n) {
      const Offset to = model_.info().subgrid.offset(rows.offset[n]);
      const StepEnd landed = rule.landing(column, row, to, {.open = open});
      // Who met the disc on the way to another cell has arrived, and is not there.
      const bool goes_on = landed.outcome == StepOutcome::under_way ||
                           (landed.outcome == StepOutcome::arrived &&
                            rule.landing.in_target(column + to.dx, row + to.dy));
      const std::int32_t there =
          goes_on ? state(TimeLevel(k.value + 1), grid.cell(column + to.dx, row + to.dy).value)
                  : ended_;
      transitions_.push_back({there, static_cast<double>(rows.count[n]) / model_.info().total,
                              rule.worth(landed, column, row, to, part) + price});
    }
  }

  const ModelFile& model_;
  const EnvironmentInfo& info_;
  const Mission& mission_;
  std::int32_t cells_;
  std::int32_t ended_;  ///< the last state: what has failed, or arrived in the middle of a step
  std::int32_t action_count_;
  ActionRewards rewards_;
  std::vector<float> nothing_;  // (y, x)
  BoundaryValue at_boundary_;
  std::vector<float> late_;  // (y, x): v(L, ·) of open water outside the target
  std::vector<Real> value_;  // (state)
  mdp::RowWriter<Real> writer_;
  std::vector<mdp::Transition> transitions_;
};

}  // namespace

template <class Real>
mdp::DecisionProcess<Real> make_ocean_process(const ModelFile& model,
                                              const EnvironmentReader& environment,
                                              const PlanningProblem& problem, Progress& progress) {
  model.require_match(environment, problem.rule, problem.actions);
  const StoredModel stored = model.stored(environment.info());
  ProcessMaker<Real> maker(model, environment, problem);
  LevelPair levels(environment, TimeLevel(0), problem.mission.last);
  progress.begin("making the process", problem.mission.last.value, "levels");
  for (TimeLevel k(0); k < problem.mission.last; ++k.value) {
    levels.advance();
    const CompactLevel rows = stored.read(k);
    stored.validate(k, levels.now());
    maker.add_level(k, rows, levels.now(), levels.next());
    progress.advance_to(k.value + 1);
  }
  progress.end();
  return maker.finish(levels.next().masked);
}

template mdp::DecisionProcess<float> make_ocean_process(const ModelFile&, const EnvironmentReader&,
                                                        const PlanningProblem&, Progress&);
template mdp::DecisionProcess<double> make_ocean_process(const ModelFile&, const EnvironmentReader&,
                                                         const PlanningProblem&, Progress&);

}  // namespace tidewise

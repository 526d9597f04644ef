#include <algorithm>
#include <limits>
#include <utility>

#include "solver/backup/expectation.h"
#include "solver/backup/level_backup.h"
#include "solver/induction/level_solver.h"
#include "solver/induction/value_overflow.h"
#include "solver/policy/next_leg.h"
#include "solver/step/boundary.h"
#include "solver/step/mission_outcome.h"
#include "solver/step/nearness.h"
#include "solver/step/planning_problem.h"

namespace tidewise {
namespace {

/// v and π of the level at hand, v of the one after it, and what the outcome needs of both.
class CpuLevelSolver final : public SubdomainLevelSolver {
 public:
  CpuLevelSolver(const EnvironmentInfo& info, const RowWindow& window,
                 const PlanningProblem& problem, std::int32_t threads, CountLevel count,
                 PolicyRows* rows)
      : info_(info),
        mission_(problem.mission),
        threads_(threads),
        count_(std::move(count)),
        subdomain_begin_(static_cast<std::size_t>(window.south_halo()) * columns()),
        subdomain_end_(subdomain_begin_ + static_cast<std::size_t>(window.size()) * columns()),
        inverse_count_(inverse_count(row_total(info, problem.rule))),
        rewards_(problem, info.time.step),
        value_(cell_count()),
        value_next_(cell_count()),
        action_(cell_count()),
        masked_next_(cell_count()),
        scalar_next_(info.has_scalar ? cell_count() : 0),
        held_(mission_.decisions.hold() ? problem.actions.size() * cell_count() : 0, 0.0F),
        held_next_(held_.size(), 0.0F),
        rows_(mission_.decisions.hold() ? nullptr : rows) {}

  void start(const LevelFields<>& fields) override {
    set_boundary(fields, BeyondTarget::late);
    keep(fields);
  }

  void step(TimeLevel k, const LevelFields<>& fields) override {
    std::swap(value_, value_next_);
    set_boundary(fields, BeyondTarget::non_terminal);
    const OutcomeRule rule =
        outcome_rule(info_, mission_, k, mission_.target,
                     {fields.masked, masked_next_, fields.scalar, scalar_next_, value_next_});
    const ObstacleIndex obstacles(info_.grid, fields.masked, masked_next_);
    std::swap(held_, held_next_);
    const HeldActions held = held_actions(mission_, k, held_next_, held_);
    LevelBackup backup(rule, rewards_, inverse_count_, threads_, obstacles, value_, action_, held,
                       rows_);
    if (rows_ != nullptr) rows_->begin_level(threads_);
    count_(k, fields.view(info_), non_terminal_, backup);
    if (rows_ != nullptr) rows_->end_level(k, action_);
    if (mission_.margin > 0) {
      const NearnessPrices prices(
          {info_.grid, nearness_price(mission_), fields.masked, masked_next_}, obstacles);
      add_prices(prices, non_terminal_, info_.grid, value_);
      add_prices(prices, non_terminal_, info_.grid, held.now);
    }
    refuse_overflow(
        subdomain_grid(), k,
        std::as_const(value_).view().part(subdomain_begin_, subdomain_end_ - subdomain_begin_));
    if (mission_.next) mission_.next->take_over(k, action_, value_);
    keep(fields);
  }

  std::int64_t decided() const override { return static_cast<std::int64_t>(non_terminal_.size()); }
  void hand_over(TimeLevel k, PolicySink& sink) const override { sink.accept(k, action_, value_); }
  View<float> value() override { return value_; }
  View<const std::int16_t> action() const override { return action_; }

 private:
  std::size_t columns() const { return static_cast<std::size_t>(info_.grid.nx); }
  std::size_t cell_count() const { return static_cast<std::size_t>(info_.grid.cell_count()); }

  /// The grid as it is from the band's first row on, for messages.
  Grid subdomain_grid() const {
    Grid grid = info_.grid;
    grid.first_row += static_cast<std::int32_t>(subdomain_begin_ / columns());
    return grid;
  }

  void set_boundary(const LevelFields<>& fields, BeyondTarget water) {
    const BoundaryValue at_boundary = boundary_value(info_, mission_);
    non_terminal_.clear();
    std::fill(action_.begin(), action_.end(), no_action);
    for (std::size_t cell = 0; cell < cell_count(); ++cell) {
      const bool masked = fields.masked[cell] != 0;
      const bool in_target = mission_.target[cell] != 0;
      if (water == BeyondTarget::non_terminal && is_non_terminal(masked, in_target) &&
          cell >= subdomain_begin_ && cell < subdomain_end_) {
        value_[cell] = -std::numeric_limits<float>::infinity();
        non_terminal_.emplace_back(static_cast<std::int32_t>(cell));
      } else {
        value_[cell] = at_boundary(masked, in_target, cell);
      }
    }
  }

  void keep(const LevelFields<>& fields) {
    copy(masked_next_, fields.masked);
    copy(scalar_next_, fields.scalar);
  }

  const EnvironmentInfo& info_;
  const Mission& mission_;
  std::int32_t threads_;
  CountLevel count_;
  std::size_t subdomain_begin_;  ///< cells that are decided on; those of the halo are others'
  std::size_t subdomain_end_;
  float inverse_count_;
  ActionRewards rewards_;
  Array<float> value_;               // (y, x)
  Array<float> value_next_;          // (y, x)
  Array<std::int16_t> action_;       // (y, x)
  Array<std::uint8_t> masked_next_;  // (y, x)
  Array<float> scalar_next_;         // (y, x)
  // What each action is worth that is held on: (action, y, x), and (0) where none ever is. Cells
  // that were never written hold 0, which adds nothing to a sum that counts them 0 times.
  Array<float> held_;
  Array<float> held_next_;
  PolicyRows* rows_;
  std::vector<CellIndex> non_terminal_;  // open water outside the target
};

}  // namespace

std::unique_ptr<SubdomainLevelSolver> make_cpu_subdomain_solver(
    const EnvironmentInfo& info, const RowWindow& window, const PlanningProblem& problem,
    std::int32_t threads, CountLevel count, PolicyRows* rows) {
  return std::make_unique<CpuLevelSolver>(info, window, problem, threads, std::move(count), rows);
}

std::unique_ptr<LevelSolver> make_cpu_level_solver(const EnvironmentInfo& info,
                                                   const PlanningProblem& problem,
                                                   std::int32_t threads, CountLevel count,
                                                   PolicyRows* rows) {
  return make_cpu_subdomain_solver(info, all_rows(info.grid.ny), problem, threads, std::move(count),
                                   rows);
}

}  // namespace tidewise

#include "solver/backward_induction.h"

#include <chrono>
#include <limits>

#include "env/blame.h"
#include "env/level_stream.h"
#include "solver/expectation.h"
#include "solver/level_backup.h"

namespace tidewise {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// v and π of the level at hand, v of the one after it, and what the outcome needs of both.
class BackwardPass {
 public:
  BackwardPass(const EnvironmentInfo& info, const std::vector<Action>& actions,
               const Mission& mission, std::int32_t threads)
      : info_(info),
        mission_(mission),
        threads_(threads),
        rewards_(mission, actions, info.time.step),
        value_(cell_count()),
        value_next_(cell_count()),
        action_(cell_count()),
        closed_next_(cell_count()),
        scalar_next_(info.has_scalar ? cell_count() : 0) {}

  /// Level L: nothing is left to decide.
  void start(const LevelFields<>& fields) {
    set_boundary(fields, BeyondTarget::penalty);
    keep(fields);
  }

  /// A level before L.
  void step(TimeLevel k, const LevelFields<>& fields, const CountLevel& count) {
    std::swap(value_, value_next_);
    set_boundary(fields, BeyondTarget::undecided);
    LevelBackup backup(outcome_rule(k, fields), rewards_, inverse_count(count_total(info_)),
                       threads_, value_.view(), action_.view());
    count(k, fields.view(info_), {undecided_.data(), undecided_.size()}, backup);
    keep(fields);
  }

  std::size_t decided() const { return undecided_.size(); }
  void hand_over(TimeLevel k, PolicySink& sink) const {
    sink.accept(k, action_.view(), value_.view());
  }

 private:
  enum class BeyondTarget { penalty, undecided };  ///< what open water that is no target gets

  std::size_t cell_count() const { return static_cast<std::size_t>(info_.grid.cell_count()); }

  void set_boundary(const LevelFields<>& fields, BeyondTarget water) {
    undecided_.clear();
    std::fill(action_.begin(), action_.end(), no_action);
    for (std::size_t cell = 0; cell < cell_count(); ++cell) {
      if (fields.closed[cell] != 0) {
        value_[cell] = mission_.failure_penalty;
      } else if (mission_.target[cell] != 0) {
        value_[cell] = 0.0F;
      } else if (water == BeyondTarget::penalty) {
        value_[cell] = mission_.failure_penalty;
      } else {
        value_[cell] = -std::numeric_limits<float>::infinity();
        undecided_.emplace_back(static_cast<std::int32_t>(cell));
      }
    }
  }

  OutcomeRule outcome_rule(TimeLevel k, const LevelFields<>& fields) const {
    OutcomeRule rule;
    rule.grid = info_.grid;
    rule.last_step = k.value + 1 == mission_.last.value ? LastStep::yes : LastStep::no;
    rule.failure_penalty = mission_.failure_penalty;
    rule.arrival_reward = mission_.arrival_reward;
    rule.harvest = harvest_factor(mission_.objective, mission_.energy, info_.time.step);
    rule.value_next = value_next_.view();
    rule.target = {mission_.target.data(), mission_.target.size()};
    rule.closed_now = fields.closed.view();
    rule.closed_next = closed_next_.view();
    rule.scalar_now = fields.scalar.view();
    rule.scalar_next = scalar_next_.view();
    return rule;
  }

  void keep(const LevelFields<>& fields) {
    copy(closed_next_, fields.closed);
    copy(scalar_next_, fields.scalar);
  }

  const EnvironmentInfo& info_;
  const Mission& mission_;
  std::int32_t threads_;
  ActionRewards rewards_;
  Array<float> value_;                // (y, x)
  Array<float> value_next_;           // (y, x)
  Array<std::int16_t> action_;        // (y, x)
  Array<std::uint8_t> closed_next_;   // (y, x)
  Array<float> scalar_next_;          // (y, x)
  std::vector<CellIndex> undecided_;  // open water outside the target
};

}  // namespace

SolveReport solve_backward(const EnvironmentReader& environment, const std::vector<Action>& actions,
                           const Mission& mission, std::int32_t threads, const CountLevel& count,
                           PolicySink& sink, Progress& progress) {
  const EnvironmentInfo& info = environment.info();
  BackwardPass pass(info, actions, mission, threads);
  LevelStream levels(environment, levels_between(mission.last, TimeLevel(0)));
  SolveReport report;
  report.states = static_cast<std::int64_t>(info.grid.cell_count()) * (mission.last.value + 1);

  progress.begin("planning", mission.last.value, "levels");
  for (TimeLevel k = mission.last; k.value >= 0; --k.value) {
    const auto before_reading = Clock::now();
    const LevelFields<>& fields = levels.next();
    report.read_seconds += seconds_since(before_reading);
    const auto before_solving = Clock::now();
    if (k == mission.last) {
      pass.start(fields);
    } else {
      pass.step(k, fields, count);
      report.rows += static_cast<std::int64_t>(pass.decided() * actions.size());
    }
    report.solve_seconds += seconds_since(before_solving);
    pass.hand_over(k, sink);
    progress.advance_to(mission.last.value - k.value);
  }
  progress.end();
  report.transitions = report.rows * info.realization_count;
  return report;
}

SolveReport solve_mission(const EnvironmentReader& environment, const std::vector<Action>& actions,
                          const Mission& mission, const PlannerOptions& options, PolicySink& sink,
                          Progress& progress) {
  const EnvironmentInfo& info = environment.info();
  const auto engine = make_cpu_engine(options.engine, info.grid, info.time, actions,
                                      options.threads, options.subgrid_radius);
  const View<const std::uint32_t> weights{info.realization_weight.data(),
                                          info.realization_weight.size()};
  const CountLevel count = [&](TimeLevel, const LevelView& level, View<const CellIndex> cells,
                               CountSink& counts) {
    blaming(environment, [&] { engine->count_level(level, weights, cells, counts); });
  };
  return solve_backward(environment, actions, mission, options.threads, count, sink, progress);
}

}  // namespace tidewise

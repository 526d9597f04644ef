#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "model_builder/engines.h"
#include "model_builder/explicit/compact_level.h"
#include "model_builder/explicit/device_compact_level.h"
#include "solver/backup/expectation.h"
#include "solver/backup/level_backup.h"
#include "solver/explicit/rule.h"
#include "solver/policy/policy.h"
#include "solver/step/mission_outcome.h"
#include "support/ocean/environment_builder.h"
#include "support/ocean/landing_rules.h"

namespace tidewise::test {

/// One level of a random environment with obstacles and a target, its explicit model, and the
/// result of the CPU's backup.
class ExplicitLevel {
 public:
  struct Options {
    Objective objective = Objective::time;
    std::vector<double> speeds = {0.5, 1};
    std::int32_t headings = 8;
    bool weighted = false;
    bool last_step = false;
  };

  explicit ExplicitLevel(const Options& options) : info(plain_info(16, 12, 3, 2, 30)) {
    if (options.weighted) {
      info.realization_weight.assign(30, (1u << 24) / 32);
      info.realization_weight[3] += (1u << 24) / 16;
    }
    mission.objective = options.objective;
    mission.target = target_cells(info.grid, 13.5, 9.5, 1);
    mission.disc = target_disc(info.grid, 13.5, 9.5, 1);
    mission.failure = {-1100, -1050, -1000, 2.5};
    mission.last = TimeLevel(options.last_step ? 1 : 2);
    mission.energy.c_t = 0.01;
    actions = make_actions(options.speeds, options.headings, info.grid, info.time);
    fill_fields();
    count();
    solve();
  }

  OutcomeRule outcome() const {
    return outcome_rule(info, mission, TimeLevel(0), mission.target,
                        {masked_now, masked_next, scalar_now, scalar_next, value_next});
  }

  /// An ExplicitRule without the outcomes of cells. `kinds` must outlive it.
  ExplicitRule rule(const ActionRewards& kinds) const {
    ExplicitRule rule;
    rule.outcome = outcome();
    rule.kind = kinds.kind;
    rule.kind_of = kinds.kind_of;
    rule.inverse_count = inverse_count(total());
    return rule;
  }

  ActionRewards rewards() const { return {{actions, mission, test::by_cell}, info.time.step}; }
  std::int32_t action_count() const { return static_cast<std::int32_t>(actions.size()); }
  std::uint32_t total() const { return row_total(info, rule_of_landing); }

  static constexpr PositionRule rule_of_landing{LandingBy::cell, 3};
  EnvironmentInfo info;
  Mission mission;
  std::vector<Action> actions;
  LevelFields<> fields;  // only the flow is set
  SubGrid subgrid;
  CompactLevel rows;
  std::vector<std::uint8_t> masked_now, masked_next;       // (y, x)
  std::vector<float> value_next, scalar_now, scalar_next;  // (y, x)
  std::vector<float> value;                                // (y, x), computed on the CPU
  std::vector<std::int16_t> action;                        // (y, x), computed on the CPU

 private:
  std::size_t cells() const { return static_cast<std::size_t>(info.grid.cell_count()); }

  void fill_fields() {
    std::mt19937 random(7);
    std::uniform_real_distribution<float> number(-50, 100);
    for (auto* field : {&value_next, &scalar_now, &scalar_next}) {
      for (std::size_t cell = 0; cell < cells(); ++cell) field->push_back(number(random));
    }
    masked_now.assign(cells(), 0);
    masked_next.assign(cells(), 0);
    masked_now[static_cast<std::size_t>(info.grid.cell(2, 2).value)] = 1;
    masked_next[static_cast<std::size_t>(info.grid.cell(3, 2).value)] = 1;
    const BoundaryValue at_boundary = boundary_value(info, mission);
    for (std::size_t cell = 0; cell < cells() && mission.last == TimeLevel(1); ++cell) {
      value_next[cell] = at_boundary(masked_next[cell] != 0, mission.target[cell] != 0, cell);
    }
    masked_now[static_cast<std::size_t>(info.grid.cell(13, 10).value)] = 1;  // over the target
  }

  void count() {
    fields = LevelFields<>(info);
    std::mt19937 random(1);
    std::normal_distribution<float> normal(0, 0.6F);
    for (auto* field :
         {&fields.u_mean, &fields.v_mean, &fields.u_mode, &fields.v_mode, &fields.coefficient}) {
      for (auto& velocity : *field) velocity = normal(random);
    }
    std::vector<CellIndex> all_cells;
    for (std::int32_t c = 0; c < info.grid.cell_count(); ++c) all_cells.emplace_back(c);
    const LevelView level = fields.view(info);
    subgrid = subgrid_of(bound_displacements(level, DisplacementScale(info.grid, info.time),
                                             rule_of_landing, all_cells, actions, 1),
                         actions, rule_of_landing);
    CompactLevelBuilder builder(info.grid, action_count(), subgrid, 1);
    make_cpu_engine(Engine::lattice, rule_of_landing, info.grid, info.time, actions, 1)
        ->count_level(level, info.realization_weight, all_cells, builder);
    rows = builder.take();
  }

  void solve() {
    value.assign(cells(), 0);
    action.assign(cells(), no_action);
    std::vector<CellIndex> non_terminal;
    for (std::size_t cell = 0; cell < cells(); ++cell) {
      if (masked_now[cell] != 0) {
        value[cell] = mission.failure.obstacle;
      } else if (mission.target[cell] == 0) {
        value[cell] = -INFINITY;
        non_terminal.emplace_back(static_cast<std::int32_t>(cell));
      }
    }
    const ActionRewards kinds = rewards();
    const ObstacleIndex obstacles(info.grid, masked_now, masked_next);
    LevelBackup backup(outcome(), kinds, inverse_count(total()), 1, obstacles, value, action);
    feed_counts(rows, subgrid, action_count(), non_terminal, 1, backup);
  }
};

}  // namespace tidewise::test

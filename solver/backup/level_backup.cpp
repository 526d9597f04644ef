#include "solver/backup/level_backup.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "solver/backup/expectation.h"

namespace tidewise {

LevelBackup::LevelBackup(const OutcomeRule& rule, const ActionRewards& rewards, float inverse_count,
                         std::int32_t threads, const ObstacleIndex& obstacles, View<float> value,
                         View<std::int16_t> action, const HeldActions& held, PolicyRows* rows)
    : rule_(rule),
      rewards_(rewards),
      inverse_count_(inverse_count),
      obstacles_(obstacles),
      tables_(static_cast<std::size_t>(threads)),
      value_(value),
      action_(action),
      held_(held),
      rows_(rows) {}

void LevelBackup::fill(OutcomeTable& table, CellIndex cell, const CellTransitions& counts) const {
  Offset last = counts.origin[0];
  table.origin = counts.origin[0];
  for (std::int32_t a = 1; a < counts.action_count; ++a) {
    table.origin.dx = std::min(table.origin.dx, counts.origin[a].dx);
    table.origin.dy = std::min(table.origin.dy, counts.origin[a].dy);
    last.dx = std::max(last.dx, counts.origin[a].dx);
    last.dy = std::max(last.dy, counts.origin[a].dy);
  }
  last.dx += counts.width - 1;
  last.dy += counts.height - 1;
  table.width = last.dx - table.origin.dx + 1;
  table.height = last.dy - table.origin.dy + 1;
  table.outcome.resize(rewards_.kind.size() * static_cast<std::size_t>(table.width) *
                       static_cast<std::size_t>(table.height));
  if (!held_.next.empty()) {
    table.under_way.resize(static_cast<std::size_t>(table.width) *
                           static_cast<std::size_t>(table.height));
  }

  const std::int32_t column = rule_.landing.grid.column(cell);
  const std::int32_t row = rule_.landing.grid.row(cell);
  // Every path within the window lies in the window or in the start cell's row and column.
  const bool open =
      !obstacles_.any(column + std::min(table.origin.dx, 0), column + std::max(last.dx, 0),
                      row + std::min(table.origin.dy, 0), row + std::max(last.dy, 0));
  const LandingRule& landing = rule_.landing;
  const PathsFromCell paths{open, landing.off_target(column, row, table.origin, last)};
  const std::size_t window =
      static_cast<std::size_t>(table.width) * static_cast<std::size_t>(table.height);
  // A single action (as from the `paper` engine) needs only its own kind.
  const std::size_t first_kind =
      counts.action_count > 1
          ? 0
          : static_cast<std::size_t>(
                rewards_.kind_of[static_cast<std::size_t>(counts.first_action)]);
  const std::size_t end_kind = counts.action_count > 1 ? rewards_.kind.size() : first_kind + 1;
  const auto fill_window = [&](Offset origin, std::int32_t width, std::int32_t height) {
    for (std::int32_t dy = origin.dy; dy < origin.dy + height; ++dy) {
      std::size_t place =
          static_cast<std::size_t>(dy - table.origin.dy) * static_cast<std::size_t>(table.width) +
          static_cast<std::size_t>(origin.dx - table.origin.dx);
      for (std::int32_t dx = origin.dx; dx < origin.dx + width; ++dx, ++place) {
        const Offset to{dx, dy};
        const StepEnd end = landing(column, row, to, paths);
        if (!held_.next.empty()) {
          table.under_way[place] = end.outcome == StepOutcome::under_way ? 1 : 0;
        }
        for (std::size_t kind = first_kind; kind < end_kind; ++kind) {
          table.outcome[kind * window + place] =
              rule_.step_return(end, column, row, to, rewards_.kind[kind]);
        }
      }
    }
  };
  // Actions with large displacements leave most of the table between them empty.
  const std::size_t action_entries = static_cast<std::size_t>(counts.action_count) *
                                     static_cast<std::size_t>(counts.width) *
                                     static_cast<std::size_t>(counts.height);
  if (action_entries >= window) {
    fill_window(table.origin, table.width, table.height);
  } else {
    for (std::int32_t a = 0; a < counts.action_count; ++a) {
      fill_window(counts.origin[a], counts.width, counts.height);
    }
  }
}

float LevelBackup::sum(const OutcomeTable& table, const CellTransitions& counts,
                       std::int32_t a) const {
  const auto action = static_cast<std::size_t>(counts.first_action + a);
  const float* outcome = table.at(rewards_.kind_of[action], counts.origin[a]);
  OrderedSum sum;
  for (std::int32_t r = 0; r < counts.height; ++r, outcome += table.width) {
    const std::uint32_t* count = counts.row(a, r);
    for (std::int32_t c = 0; c < counts.width; ++c) {
      sum.add(static_cast<float>(count[c]), outcome[c]);
    }
    sum.next_row();
  }
  return sum.sum();
}

float LevelBackup::sum_held(const OutcomeTable& table, CellIndex cell,
                            const CellTransitions& counts, std::int32_t a) const {
  const auto action = static_cast<std::size_t>(counts.first_action + a);
  const Grid& grid = rule_.landing.grid;
  const auto cells = static_cast<std::size_t>(grid.cell_count());
  const float* held = held_.next.data + action * cells;
  const float reward = rewards_.kind[static_cast<std::size_t>(rewards_.kind_of[action])];
  OutcomeRule rule = rule_;
  rule.value_next = held_.next.part(action * cells, cells);
  const auto value_of = [&](std::int32_t landing_cell) {
    if (rule.harvest == 0) return reward + held[landing_cell];
    return rule.value_between({StepOutcome::under_way, 1}, cell.value, landing_cell, reward);
  };
  const Offset origin = counts.origin[a];
  const float* outcome = table.at(rewards_.kind_of[action], origin);
  const std::uint8_t* under_way = table.under_way_at(origin);
  OrderedSum sum;
  for (std::int32_t r = 0; r < counts.height; ++r) {
    std::int32_t landing_cell = cell.value + (origin.dy + r) * grid.nx + origin.dx;
    const std::uint32_t* count = counts.row(a, r);
    for (std::int32_t c = 0; c < counts.width; ++c, ++landing_cell) {
      sum.add(static_cast<float>(count[c]),
              under_way[c] == 0 ? outcome[c] : value_of(landing_cell));
    }
    sum.next_row();
    outcome += table.width;
    under_way += table.width;
  }
  return sum.sum();
}

void LevelBackup::accept(std::int32_t thread, CellIndex cell, const CellTransitions& counts) {
  OutcomeTable& table = tables_[static_cast<std::size_t>(thread)];
  fill(table, cell, counts);
  const auto place = static_cast<std::size_t>(cell.value);
  const auto cells = static_cast<std::size_t>(rule_.landing.grid.cell_count());
  float best = value_[place];
  std::int32_t best_action = action_[place];
  for (std::int32_t a = 0; a < counts.action_count; ++a) {
    const std::int32_t action = counts.first_action + a;
    const float expected =
        (held_.next.empty() ? sum(table, counts, a) : sum_held(table, cell, counts, a)) *
        inverse_count_;
    if (expected > best) {
      best = expected;
      best_action = action;
    }
    if (held_.now.empty()) continue;
    held_.now[static_cast<std::size_t>(action) * cells + place] = expected;
    // refuse_overflow() reports the NaN. Otherwise missions that hold this action would add the
    // infinite value, however small its count.
    if (!std::isfinite(expected)) best = std::numeric_limits<float>::quiet_NaN();
  }
  if (rows_ != nullptr && best_action != action_[place]) {
    rows_->keep(thread, cell, counts, best_action - counts.first_action);
  }
  value_[place] = best;
  action_[place] = static_cast<std::int16_t>(best_action);
}

}  // namespace tidewise

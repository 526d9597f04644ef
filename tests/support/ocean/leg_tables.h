#pragma once

#include <deque>
#include <utility>
#include <vector>

#include "solver/policy/policy.h"
#include "solver/step/mission.h"
#include "solver/step/target_circles.h"
#include "support/ocean/random_case.h"

namespace tidewise::test {

/// The policies and values of all legs of a mission in memory.
class LegTables final : public PolicySink, public PolicySource {
 public:
  LegTables(const Grid& grid, const Mission& mission)
      : tables(mission.via.size() + 1, PolicyTable(grid, mission.last)) {}

  void accept(std::size_t leg, TimeLevel k, View<const std::int16_t> action,
              View<const float> value) override {
    tables[leg].accept(0, k, action, value);
  }
  void read_action(TimeLevel k, View<std::int16_t> action) const override {
    tables.front().read_action(k, action);
  }
  void read_value(TimeLevel k, View<float> value) const override {
    tables.front().read_value(k, value);
  }
  const PolicySource& leg(std::size_t n) const override { return tables.at(n); }

  std::deque<PolicyTable> tables;  ///< (leg)
};

/// Random actions, different on each leg.
class RandomLegs final : public PolicySource {
 public:
  RandomLegs(std::size_t action_count, std::uint64_t seed, std::size_t legs) {
    for (std::size_t leg = 0; leg < legs; ++leg) legs_.emplace_back(action_count, seed + leg);
  }
  void read_action(TimeLevel k, View<std::int16_t> action) const override {
    legs_.front().read_action(k, action);
  }
  void read_value(TimeLevel k, View<float> value) const override {
    legs_.front().read_value(k, value);
  }
  const PolicySource& leg(std::size_t n) const override { return legs_.at(n); }

 private:
  std::deque<RandomPolicy> legs_;
};

/// Makes a via point of these cells, (column, row). `rest`: distance from it to the target.
inline ViaPlace via_point(const Grid& grid, const std::vector<std::pair<int, int>>& cells,
                          double rest) {
  std::vector<std::uint8_t> inside(static_cast<std::size_t>(grid.cell_count()), 0);
  for (const auto& [i, j] : cells) inside[static_cast<std::size_t>(grid.cell(i, j).value)] = 1;
  ViaPlace place;
  place.cells = place_cells(inside);
  place.circles = target_circles(grid, inside);
  place.rest = rest;
  return place;
}

/// Makes a via point of 3 × 3 cells around the cell at this offset from the mission's start. Cells
/// outside the grid are omitted.
inline ViaPlace via_block(const Grid& grid, const Mission& mission, int columns, int rows,
                          double rest) {
  std::vector<std::pair<int, int>> cells;
  const int i = grid.column(mission.start) + columns;
  const int j = grid.row(mission.start) + rows;
  for (int y = j - 1; y <= j + 1; ++y) {
    for (int x = i - 1; x <= i + 1; ++x) {
      if (grid.contains(x, y)) cells.emplace_back(x, y);
    }
  }
  return via_point(grid, cells, rest);
}

/// Gives a mission two via points, which overlap.
inline void add_via_points(Mission& mission, const Grid& grid) {
  mission.via = {via_block(grid, mission, 2, 1, 5 * grid.dx),
                 via_block(grid, mission, 3, 2, 4 * grid.dx)};
}

}  // namespace tidewise::test

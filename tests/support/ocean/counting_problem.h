#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <numeric>
#include <random>
#include <tuple>
#include <utility>
#include <vector>

#include "env/environment_info.h"
#include "env/level_fields.h"
#include "model_builder/engines.h"
#include "support/ocean/environment_builder.h"

namespace tidewise::test {

/// Transition counts by (cell, action, dy, dx), without zeros. All engines must agree on them.
using Counts = std::map<std::tuple<int, int, int, int>, std::uint32_t>;

/// Collects the transition counts of an engine.
class Collector final : public CountSink {
 public:
  explicit Collector(int threads) : parts_(static_cast<std::size_t>(threads)) {}
  void accept(std::int32_t thread, CellIndex cell, const CellTransitions& counts) override {
    auto& part = parts_[static_cast<std::size_t>(thread)];
    for (int a = 0; a < counts.action_count; ++a) {
      for (int row = 0; row < counts.height; ++row) {
        for (int column = 0; column < counts.width; ++column) {
          const auto n = counts.row(a, row)[column];
          if (n == 0) continue;
          part[{cell.value, counts.first_action + a, counts.origin[a].dy + row,
                counts.origin[a].dx + column}] += n;
        }
      }
    }
  }
  Counts take() {
    Counts all;
    for (auto& part : parts_) all.merge(part);
    return all;
  }

 private:
  std::vector<Counts> parts_;
};

/// One level of open water to count transitions in, with cells and steps of 1.
struct CountingProblem {
  EnvironmentInfo info;
  LevelFields<> fields;
  std::vector<CellIndex> cells;  ///< cells to count; by default all

  CountingProblem(int nx, int ny, int modes, int realizations) {
    info.grid = {nx, ny, 0.5, 0.5, 1, 1};
    info.time = {2, 0, 1};
    info.mode_count = modes;
    info.realization_count = realizations;
    fields = still_level(info);
    for (int c = 0; c < nx * ny; ++c) cells.emplace_back(c);
  }

  /// Fills the level with normal draws. `spread`: standard deviation of the modes, about that of
  /// the displacements.
  void randomize(unsigned seed, double spread) {
    std::mt19937 random(seed);
    std::normal_distribution<float> normal(0, 1);
    for (auto* field : {&fields.u_mean, &fields.v_mean}) {
      for (auto& value : *field) value = 1.5F * normal(random);
    }
    for (auto* field : {&fields.u_mode, &fields.v_mode}) {
      for (auto& value : *field) value = static_cast<float>(spread) * normal(random);
    }
    for (auto& value : fields.coefficient) value = normal(random);
  }

  std::vector<Action> actions(const std::vector<double>& speeds, int headings) const {
    return make_actions(speeds, headings, info.grid, info.time);
  }

  LevelView level() const { return fields.view(info); }
  View<const CellIndex> cell_view() const { return cells; }

  /// Returns the counts of `engine`, which calls back from `threads` threads.
  Counts count(CountingEngine& engine, int threads,
               const std::vector<std::uint32_t>& weights = {}) const {
    Collector collector(threads);
    engine.count_level(level(), weights, cell_view(), collector);
    return collector.take();
  }

  /// Returns the reference counts, those of `paper` on one CPU thread.
  Counts reference(const PositionRule& rule, const std::vector<Action>& actions,
                   const std::vector<std::uint32_t>& weights = {}) const {
    return count(*make_cpu_engine(Engine::paper, rule, info.grid, info.time, actions, 1), 1,
                 weights);
  }
};

}  // namespace tidewise::test

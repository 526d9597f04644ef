#include "output/run/policy_difference.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

#include "output/magnitude_quantile.h"

namespace tidewise {
namespace {

/// Compares one level of both policies.
class LevelComparer {
 public:
  explicit LevelComparer(const PolicyPair& pair)
      : pair_(pair),
        action_a_(static_cast<std::size_t>(pair.grid.cell_count())),
        action_b_(action_a_.size()),
        value_a_(action_a_.size()),
        value_b_(action_a_.size()) {
    const std::size_t common = static_cast<std::size_t>(pair.alignment.common_columns.count()) *
                               static_cast<std::size_t>(pair.alignment.common_rows.count());
    state_.resize(common);
    heading_.resize(common);
    value_.resize(common);
  }

  /// Reads level k of B and the same states of A.
  void read(TimeLevel k) {
    level_ = k;
    pair_.a.read_action(k, action_a_);
    pair_.b.read_action(k, action_b_);
    pair_.a.read_value(k, value_a_);
    pair_.b.read_value(k, value_b_);
  }

  DifferenceSums compare() {
    DifferenceSums sums;
    std::size_t n = 0;
    for_each_common_cell([&](CellIndex cell) {
      compare_state(cell, n, sums);
      ++n;
    });
    return sums;
  }

  /// Calls `take` with the value change of each state in which both policies act.
  template <class Take>
  void visit_values(const Take& take) const {
    for_each_common_cell([&](CellIndex cell) {
      const auto c = static_cast<std::size_t>(cell.value);
      if (action_a_[c] != no_action && action_b_[c] != no_action) take(value_b_[c] - value_a_[c]);
    });
  }

  void pass_to(DifferenceSink& sink, std::int32_t n) const {
    sink.accept(n, state_, heading_, value_);
  }

 private:
  template <class Visit>
  void for_each_common_cell(const Visit& visit) const {
    const auto& [columns, rows] =
        std::pair(pair_.alignment.common_columns, pair_.alignment.common_rows);
    for (std::int32_t j = rows.first; j <= rows.last; ++j) {
      for (std::int32_t i = columns.first; i <= columns.last; ++i) visit(pair_.grid.cell(i, j));
    }
  }

  void compare_state(CellIndex cell, std::size_t n, DifferenceSums& sums) {
    constexpr float nan = std::numeric_limits<float>::quiet_NaN();
    const auto c = static_cast<std::size_t>(cell.value);
    const std::int16_t a = action_a_[c];
    const std::int16_t b = action_b_[c];
    heading_[n] = nan;
    value_[n] = nan;
    if (a == no_action || b == no_action) {
      const StateChange change = a != no_action   ? StateChange::only_first
                                 : b != no_action ? StateChange::only_second
                                                  : StateChange::neither;
      state_[n] = static_cast<std::uint8_t>(change);
      sums.only_first += change == StateChange::only_first ? 1 : 0;
      sums.only_second += change == StateChange::only_second ? 1 : 0;
      return;
    }
    ++sums.states;
    state_[n] = static_cast<std::uint8_t>(a == b ? StateChange::same : StateChange::changed);
    compare_actions(a, b, n, sums);
    compare_values(cell, n, sums);
  }

  void compare_actions(std::int16_t a, std::int16_t b, std::size_t n, DifferenceSums& sums) {
    const Action& action_a = pair_.actions[a];
    const Action& action_b = pair_.actions[b];
    const bool under_way = action_a.speed > 0 && action_b.speed > 0;
    const double turn =
        a == b ? 0 : std::remainder(action_b.heading - action_a.heading, 2 * std::numbers::pi);
    if (under_way) heading_[n] = static_cast<float>(turn);
    if (a == b) return;
    ++sums.changed;
    if (!under_way) return;
    ++sums.turned;
    sums.heading_sum += std::abs(turn);
    sums.heading_greatest = std::max(sums.heading_greatest, std::abs(turn));
  }

  void compare_values(CellIndex cell, std::size_t n, DifferenceSums& sums) {
    const auto c = static_cast<std::size_t>(cell.value);
    const float change = value_b_[c] - value_a_[c];
    value_[n] = change;
    sums.value_sum += change;
    sums.value_magnitude_sum += std::abs(change);
    if (std::abs(change) <= std::abs(sums.value_greatest) && sums.states > 1) return;
    sums.value_greatest = change;
    sums.level = level_;
    sums.cell = cell;
  }

  const PolicyPair& pair_;
  TimeLevel level_;
  std::vector<std::int16_t> action_a_, action_b_;  // (y, x) of B
  std::vector<float> value_a_, value_b_;           // (y, x) of B
  std::vector<std::uint8_t> state_;                // (y, x) of the common cells
  std::vector<float> heading_, value_;             // (y, x) of the common cells
};

}  // namespace

void DifferenceSums::add(const DifferenceSums& other) {
  if (other.states > 0 &&
      (states == 0 || std::abs(other.value_greatest) > std::abs(value_greatest))) {
    value_greatest = other.value_greatest;
    level = other.level;
    cell = other.cell;
  }
  states += other.states;
  changed += other.changed;
  only_first += other.only_first;
  only_second += other.only_second;
  turned += other.turned;
  heading_sum += other.heading_sum;
  heading_greatest = std::max(heading_greatest, other.heading_greatest);
  value_sum += other.value_sum;
  value_magnitude_sum += other.value_magnitude_sum;
}

PolicyDifference compare_policies(const PolicyPair& pair, DifferenceSink* sink,
                                  Progress& progress) {
  const IndexRange& levels = pair.alignment.common_levels;
  PolicyDifference difference;
  LevelComparer comparer(pair);
  MagnitudeQuantile quantile;
  const std::int64_t count = std::max(levels.count(), 0);
  progress.begin("comparing", 2 * count, "levels");
  for (std::int32_t k = levels.first; k <= levels.last; ++k) {
    comparer.read(TimeLevel(k));
    difference.levels.push_back(comparer.compare());
    difference.all.add(difference.levels.back());
    comparer.visit_values([&](float change) { quantile.count(change); });
    if (sink != nullptr) comparer.pass_to(*sink, k - levels.first);
    progress.advance_to(k - levels.first + 1);
  }
  quantile.begin_second_pass(0.95);
  for (std::int32_t k = levels.first; k <= levels.last; ++k) {
    comparer.read(TimeLevel(k));
    comparer.visit_values([&](float change) { quantile.refine(change); });
    progress.advance_to(count + k - levels.first + 1);
  }
  progress.end();
  difference.value_p95 = quantile.result();
  return difference;
}

PolicyCoverage measure_coverage(const PolicyPair& pair, TimeLevel departure, TimeLevel last) {
  const auto cells = static_cast<std::size_t>(pair.grid.cell_count());
  std::vector<std::int16_t> a(cells);
  std::vector<std::int16_t> b(cells);
  PolicyCoverage coverage;
  for (TimeLevel k = departure; k < last; ++k.value) {
    pair.a.read_action(k, {a.data(), cells});
    pair.b.read_action(k, {b.data(), cells});
    for (std::size_t n = 0; n < cells; ++n) {
      if (b[n] == no_action) continue;
      ++coverage.states;
      if (a[n] != no_action) continue;
      const CellIndex cell(static_cast<std::int32_t>(n));
      const bool inside = pair.alignment.common_columns.contains(pair.grid.column(cell)) &&
                          pair.alignment.common_rows.contains(pair.grid.row(cell));
      if (!pair.a.holds(k)) {
        ++coverage.out_of_time;
      } else if (!inside) {
        ++coverage.outside;
      } else {
        ++coverage.closed;
      }
    }
  }
  return coverage;
}

}  // namespace tidewise

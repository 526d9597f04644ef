#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "mdp/graph/strong_components.h"
#include "mdp/interval/reward_rows.h"
#include "mdp/interval/row_rule.h"

namespace tidewise::mdp {

/// The rows of a strongly connected component, laid out for sweeps in place: what other states
/// bring is added up once, what stays is divided out, and states come in order of their distance to
/// the ways out, so that a sweep carries what lies beyond these as far as it goes.
/// Source of the order: Dai, Hansen, "Prioritizing Bellman backups without a priority queue", ICAPS
/// 2007.
template <class Real>
class ComponentRows {
 public:
  /// `group`: the component's; `group_of` and `place_of`, (state): which component a state is of,
  /// and where it is in that. Rows that `rule` does not take, or that never leave their state, are
  /// left out. Borrows nothing.
  ComponentRows(const RewardRows<Real>& rows, const RowRule& rule, const StateGroups& groups,
                std::int64_t group, const std::vector<std::int32_t>& group_of,
                const std::vector<std::int32_t>& place_of, const std::vector<double>& value,
                const std::vector<std::int32_t>& action)
      : states_(groups.first(group), groups.first(group) + groups.size(group)) {
    const auto find_place = [&](std::int32_t to) {
      return group_of[static_cast<std::size_t>(to)] == group
                 ? place_of[static_cast<std::size_t>(to)]
                 : outside;
    };
    const std::vector<std::int32_t> order = by_distance(rows, rule, find_place);
    std::vector<std::int32_t> rank(states_.size());
    for (std::size_t n = 0; n < order.size(); ++n) {
      rank[static_cast<std::size_t>(order[n])] = static_cast<std::int32_t>(n);
    }
    const std::vector<std::int32_t> listed = std::exchange(states_, {});
    for (const std::int32_t place : order) {
      states_.push_back(listed[static_cast<std::size_t>(place)]);
    }
    const auto find_rank = [&](std::int32_t to) {
      const std::int32_t place = find_place(to);
      return place == outside ? outside : rank[static_cast<std::size_t>(place)];
    };
    for (const std::int32_t state : states_) add_state(rows, rule, state, find_rank, value);
    value_.resize(states_.size());
    load(value, action);
  }

  /// Backs up every state by its best row, in place; the greatest change. A row is given up for one
  /// that is worth more.
  double improve() {
    has_switched_ = false;
    double greatest = 0;
    for (std::size_t n = 0; n < states_.size(); ++n) {
      std::int32_t& taken = taken_[n];
      const std::int32_t end = first_row_[n + 1];
      if (first_row_[n] == end) continue;
      double best = worth(taken);
      for (std::int32_t row = first_row_[n]; row < end; ++row) {
        const double one = row == taken ? best : worth(row);
        if (!(one > best)) continue;
        best = one;
        taken = row;
        has_switched_ = true;
      }
      greatest = std::max(greatest, std::abs(best - value_[n]));
      value_[n] = best;
    }
    return greatest;
  }
  /// Whether improve() gave up a row.
  bool has_switched() const { return has_switched_; }

  /// Backs up every state by the row that it takes, in place; the entries that were read.
  std::int64_t evaluate() {
    std::int64_t entries = 0;
    for (std::size_t n = 0; n < states_.size(); ++n) {
      if (first_row_[n] == first_row_[n + 1]) continue;
      const auto row = static_cast<std::size_t>(taken_[n]);
      value_[n] = worth(taken_[n]);
      entries += first_entry_[row + 1] - first_entry_[row];
    }
    return entries;
  }

  /// That improve() reads.
  std::int64_t entry_count() const { return static_cast<std::int64_t>(to_.size()); }

  /// Begins anew with `value` and `action`, (state).
  void load(const std::vector<double>& value, const std::vector<std::int32_t>& action) {
    for (std::size_t n = 0; n < states_.size(); ++n) {
      value_[n] = value[static_cast<std::size_t>(states_[n])];
      for (std::int32_t row = first_row_[n]; row < first_row_[n + 1]; ++row) {
        if (action_[static_cast<std::size_t>(row)] ==
            action[static_cast<std::size_t>(states_[n])]) {
          taken_[n] = row;
        }
      }
    }
  }

  /// `value`, `action`: (state).
  void store(std::vector<double>& value, std::vector<std::int32_t>& action) const {
    for (std::size_t n = 0; n < states_.size(); ++n) {
      if (first_row_[n] == first_row_[n + 1]) continue;
      value[static_cast<std::size_t>(states_[n])] = value_[n];
      action[static_cast<std::size_t>(states_[n])] = action_[static_cast<std::size_t>(taken_[n])];
    }
  }

 private:
  static constexpr std::int32_t outside = -1;  // in place of a place

  double worth(std::int32_t row) const {
    const auto at = static_cast<std::size_t>(row);
    double sum = constant_[at];
    for (std::int64_t n = first_entry_[at]; n < first_entry_[at + 1]; ++n) {
      const auto entry = static_cast<std::size_t>(n);
      sum = std::fma(share_[entry], value_[static_cast<std::size_t>(to_[entry])], sum);
    }
    return sum;
  }

  /// Calls take(action, row) for those of a state that count.
  template <class Take>
  static void for_rows(const DecisionProcess<Real>& process, const RowRule& rule,
                       std::int32_t state, const Take& take) {
    for (std::int32_t action = 0; action < process.action_count; ++action) {
      const std::int64_t row = process.row(state, action);
      if (process.is_allowed(row) && rule.takes(row)) take(action, row);
    }
  }

  /// Places, (in the component): those that lead out first, then those that lead to these, and so
  /// on.
  template <class FindPlace>
  std::vector<std::int32_t> by_distance(const RewardRows<Real>& rows, const RowRule& rule,
                                        const FindPlace& find_place) const {
    const auto count = static_cast<std::int32_t>(states_.size());
    const auto for_ways = [&](const auto& take) {
      for (std::int32_t from = 0; from < count; ++from) {
        for_rows(rows.solved(), rule, states_[static_cast<std::size_t>(from)],
                 [&](std::int32_t, std::int64_t row) {
                   rows.for_entries(row, [&](std::int32_t to, double probability) {
                     if (probability > 0) take(from, find_place(to));
                   });
                 });
      }
    };
    std::vector<std::int32_t> order;
    std::vector<std::uint8_t> is_seen(states_.size(), 0);
    const auto see = [&](std::int32_t place) {
      if (is_seen[static_cast<std::size_t>(place)] != 0) return;
      is_seen[static_cast<std::size_t>(place)] = 1;
      order.push_back(place);
    };
    std::vector<std::int64_t> begin(states_.size() + 1, 0);  // of who leads to a place
    for_ways([&](std::int32_t from, std::int32_t to) {
      if (to == outside) {
        see(from);
      } else {
        ++begin[static_cast<std::size_t>(to)];
      }
    });
    std::int64_t all = 0;
    for (std::int64_t& one : begin) one = all += one;
    std::vector<std::int32_t> leads(static_cast<std::size_t>(all));
    for_ways([&](std::int32_t from, std::int32_t to) {
      if (to == outside) return;
      leads[static_cast<std::size_t>(--begin[static_cast<std::size_t>(to)])] = from;
    });
    for (std::size_t n = 0; n < order.size(); ++n) {
      const auto to = static_cast<std::size_t>(order[n]);
      for (std::int64_t way = begin[to]; way < begin[to + 1]; ++way) {
        see(leads[static_cast<std::size_t>(way)]);
      }
    }
    for (std::int32_t place = 0; place < count; ++place) see(place);
    return order;
  }

  template <class FindRank>
  void add_state(const RewardRows<Real>& rows, const RowRule& rule, std::int32_t state,
                 const FindRank& find_rank, const std::vector<double>& value) {
    const double discount = rows.discount();
    taken_.push_back(static_cast<std::int32_t>(constant_.size()));
    for_rows(rows.solved(), rule, state, [&](std::int32_t one, std::int64_t row) {
      double known = 0;
      RowExtent extent;
      const std::size_t begin = to_.size();
      rows.for_entries(row, [&](std::int32_t to, double probability) {
        if (!extent.include(to == state, probability)) return;
        const std::int32_t rank = find_rank(to);
        if (rank == outside) {
          known = std::fma(probability, value[static_cast<std::size_t>(to)], known);
        } else {
          to_.push_back(rank);
          share_.push_back(discount * probability);
        }
      });
      const double scale = extent.stay + extent.left;
      const double leaving = scale * (1 - discount) + discount * extent.left;
      if (!(leaving > 0)) {
        to_.resize(begin);
        share_.resize(begin);
        return;
      }
      for (std::size_t n = begin; n < share_.size(); ++n) share_[n] /= leaving;
      const double reward = rule.steps ? 1 : rows.reward(row);
      constant_.push_back((scale * reward + discount * known) / leaving);
      action_.push_back(one);
      first_entry_.push_back(static_cast<std::int64_t>(to_.size()));
    });
    first_row_.push_back(static_cast<std::int32_t>(constant_.size()));
  }

  std::vector<std::int32_t> states_;          // in order
  std::vector<double> value_;                 // likewise
  std::vector<std::int32_t> taken_;           // likewise: a row
  std::vector<std::int32_t> first_row_{0};    // likewise, + 1
  std::vector<double> constant_;              // (row)
  std::vector<std::int32_t> action_;          // (row)
  std::vector<std::int64_t> first_entry_{0};  // (row + 1)
  std::vector<std::int32_t> to_;              // (entry): where it is in this order
  std::vector<double> share_;                 // (entry)
  bool has_switched_ = false;
};

}  // namespace tidewise::mdp

#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "solver/mdp/exact_blocks.h"

namespace tidewise {

/// Evaluates policies of a few states exactly, but for rounding: the values that solve
/// v = r + γ P v, others' being given.
template <class Real>
class PolicyElimination {
 public:
  /// `states`: a component; `group_of`, (state), tells its states from others. Borrows all.
  PolicyElimination(const RewardRows<Real>& rows, const RowRule& rule, const std::int32_t* states,
                    std::int64_t count, const std::vector<std::int32_t>& group_of)
      : rows_(rows),
        rule_(rule),
        states_(states),
        count_(static_cast<std::size_t>(count)),
        group_of_(group_of),
        group_(group_of[static_cast<std::size_t>(states[0])]) {
    place_.reserve(count_);
    for (std::size_t n = 0; n < count_; ++n) place_.emplace_back(states_[n], n);
    std::sort(place_.begin(), place_.end());
  }

  /// Lets `action`, (state), lead out of the component from each of its states, by those that it
  /// holds where they do; whether that can be.
  bool choose_ending_policy(std::vector<std::int32_t>& action) const {
    std::vector<std::uint8_t> ends(count_, 0);
    std::size_t ending = 0;
    for (const bool keep : {true, false}) {
      for (std::size_t before = count_ + 1; before != ending;) {
        before = ending;
        for (std::size_t n = 0; n < count_; ++n) {
          if (ends[n] != 0) continue;
          const std::int32_t chosen = leading_action(states_[n], ends, keep ? &action : nullptr);
          if (chosen < 0) continue;
          action[static_cast<std::size_t>(states_[n])] = chosen;
          ends[n] = 1;
          ++ending;
        }
      }
    }
    return ending == count_;
  }

  /// `found`: (place in the component). False where the policy goes round for ever.
  /// A row of I − P with what it leads to outside is weakly dominated by its diagonal and negative
  /// off it, so that elimination needs no pivots, and no sum of it cancels but on the diagonal.
  bool evaluate(const std::vector<std::int32_t>& action, const std::vector<double>& value,
                std::vector<double>& found) {
    fill(action, value, found);
    for (std::size_t k = 0; k < count_; ++k) {
      const double pivot = at(k, k);
      if (!(pivot > least_pivot)) return false;
      for (std::size_t i = k + 1; i < count_; ++i) {
        const double factor = at(i, k) / pivot;
        if (factor == 0) continue;
        for (std::size_t j = k + 1; j < count_; ++j) at(i, j) -= factor * at(k, j);
        found[i] -= factor * found[k];
      }
    }
    for (std::size_t k = count_; k-- > 0;) {
      for (std::size_t j = k + 1; j < count_; ++j) found[k] -= at(k, j) * found[j];
      found[k] /= at(k, k);
      if (!std::isfinite(found[k])) return false;
    }
    return true;
  }

 private:
  static constexpr double least_pivot = 1e-15;

  double& at(std::size_t i, std::size_t j) { return matrix_[i * count_ + j]; }
  std::size_t place_of(std::int32_t state) const {
    return std::lower_bound(place_.begin(), place_.end(),
                            std::pair<std::int32_t, std::size_t>{state, 0})
        ->second;
  }
  bool is_within(std::int32_t state) const {
    return group_of_[static_cast<std::size_t>(state)] == group_;
  }

  /// The lowest action that counts, or the one of `only`, by which one may come out or to where one
  /// does; −1 where there is none.
  std::int32_t leading_action(std::int32_t state, const std::vector<std::uint8_t>& ends,
                              const std::vector<std::int32_t>* only) const {
    const DecisionProcess<Real>& process = rows_.solved();
    for (std::int32_t action = 0; action < process.action_count; ++action) {
      if (only != nullptr && (*only)[static_cast<std::size_t>(state)] != action) continue;
      const std::int64_t row = process.row(state, action);
      if (!rule_.takes(row)) continue;
      for (auto n = process.row_begin[std::size_t(row)];
           n < process.row_begin[std::size_t(row) + 1]; ++n) {
        if (!(process.probability[std::size_t(n)] > 0)) continue;
        const std::int32_t to = process.successor[std::size_t(n)];
        if (!is_within(to) || ends[place_of(to)] != 0) return action;
      }
    }
    return -1;
  }

  void fill(const std::vector<std::int32_t>& action, const std::vector<double>& value,
            std::vector<double>& found) {
    const DecisionProcess<Real>& process = rows_.solved();
    matrix_.assign(count_ * count_, 0);
    found.assign(count_, 0);
    for (std::size_t i = 0; i < count_; ++i) {
      const std::int64_t row =
          process.row(states_[i], action[static_cast<std::size_t>(states_[i])]);
      at(i, i) = 1;
      found[i] = rule_.steps ? 1 : rows_.reward(row);
      rows_.for_entries(row, [&](std::int32_t to, double probability) {
        if (is_within(to)) {
          at(i, place_of(to)) -= probability;
        } else {
          found[i] = std::fma(probability, value[static_cast<std::size_t>(to)], found[i]);
        }
      });
    }
  }

  const RewardRows<Real>& rows_;
  const RowRule& rule_;
  const std::int32_t* states_;
  std::size_t count_;
  const std::vector<std::int32_t>& group_of_;
  std::int32_t group_;
  std::vector<std::pair<std::int32_t, std::size_t>> place_;  // by state
  std::vector<double> matrix_;                               // (place, place)
};

}  // namespace tidewise

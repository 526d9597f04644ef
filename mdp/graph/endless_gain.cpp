#include "mdp/graph/endless_gain.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "mdp/backup/exact_backup.h"
#include "mdp/graph/predecessor_rows.h"

namespace tidewise::mdp {
namespace {

/// The greatest set of states that `rows`, (state), −1 for none, do not leave; ascending.
template <class Real>
std::vector<std::int32_t> closed_set(const DecisionProcess<Real>& process,
                                     std::vector<std::int64_t> rows) {
  std::vector<std::int32_t> removed;
  const auto leaves = [&](std::int32_t to) { return rows[to] < 0; };
  for (std::int32_t state = 0; state < process.state_count; ++state) {
    if (rows[state] >= 0 && process.may_lead(rows[state], leaves)) removed.push_back(state);
  }
  for (const std::int32_t state : removed) rows[state] = -1;
  std::optional<PredecessorRows> predecessors;  // created when a state is removed
  while (!removed.empty()) {
    const std::int32_t state = removed.back();
    removed.pop_back();
    if (!predecessors) predecessors.emplace(process);
    predecessors->for_rows(state, [&](std::int64_t row) {
      if (rows[process.state_of(row)] != row) return;
      rows[process.state_of(row)] = -1;
      removed.push_back(process.state_of(row));
    });
  }
  std::vector<std::int32_t> closed;
  for (std::int32_t state = 0; state < process.state_count; ++state) {
    if (rows[state] >= 0) closed.push_back(state);
  }
  return closed;
}

/// The state to which a row leads with probability 1, or −1.
template <class Real>
std::int32_t sure_successor(const DecisionProcess<Real>& process, std::int64_t row) {
  std::int32_t sure = -1;
  for (auto n = process.row_begin[row]; n < process.row_begin[row + 1]; ++n) {
    if (!(process.probability[n] > 0)) continue;
    if (sure >= 0 || process.probability[n] < 1) return -1;
    sure = process.successor[n];
  }
  return sure;
}

/// States of the deterministic loops of `rows`, (state), −1 for none, that gain at least
/// `min_gain` per round, and more than rounding of their rewards may produce; ascending.
template <class Real>
std::vector<std::int32_t> gaining_loops(const DecisionProcess<Real>& process,
                                        const std::vector<std::int64_t>& rows, double min_gain) {
  constexpr double min_share = 1e-6;  // share of the gains and losses in a round
  const auto next = [&](std::int32_t state) {
    const std::int64_t row = rows[state];
    return row < 0 ? -1 : sure_successor(process, row);
  };
  std::vector<std::int32_t> gaining;
  std::vector<std::int32_t> walk(rows.size(), -1);  // (state): the walk that visited it first
  for (std::int32_t first = 0; first < process.state_count; ++first) {
    std::int32_t state = first;
    while (state >= 0 && walk[state] < 0) {
      walk[state] = first;
      state = next(state);
    }
    if (state < 0 || walk[state] != first) continue;
    // The walk reached its own path: go round once.
    double gain = 0;
    double absolute_sum = 0;
    std::vector<std::int32_t> loop;
    for (std::int32_t at = state; loop.empty() || at != state; at = next(at)) {
      const auto reward = static_cast<double>(process.reward[rows[at]]);
      gain += reward;
      absolute_sum += std::abs(reward);
      loop.push_back(at);
    }
    if (gain < min_gain || gain < min_share * absolute_sum) continue;
    gaining.insert(gaining.end(), loop.begin(), loop.end());
  }
  std::sort(gaining.begin(), gaining.end());
  return gaining;
}

}  // namespace

template <class Real>
std::vector<std::int32_t> endless_gain(const DecisionProcess<Real>& process,
                                       const std::vector<Real>& value, double min_gain) {
  double max = 0;
  for (const Real v : value) max = std::max(max, std::abs(static_cast<double>(v)));
  const double min_increase = std::max(min_gain, 1e-6 * max);
  std::vector<std::int64_t> greedy(static_cast<std::size_t>(process.state_count), -1);
  std::vector<std::int64_t> gaining = greedy;
  for (std::int32_t state = 0; state < process.state_count; ++state) {
    BestAction<double> best;
    process.for_actions(state, [&](std::int32_t action, std::int64_t row) {
      take_better(best, exact_row_value(process, value, row), action);
    });
    if (best.action < 0) continue;
    greedy[state] = process.row(state, best.action);
    if (!(best.value - static_cast<double>(value[state]) < min_increase))
      gaining[state] = greedy[state];
  }
  auto closed = closed_set(process, std::move(gaining));
  if (!closed.empty()) return closed;
  return gaining_loops(process, greedy, min_gain);
}

template std::vector<std::int32_t> endless_gain(const DecisionProcess<float>&,
                                                const std::vector<float>&, double);
template std::vector<std::int32_t> endless_gain(const DecisionProcess<double>&,
                                                const std::vector<double>&, double);

}  // namespace tidewise::mdp

#include "mdp/graph/endless_gain.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "mdp/backup/exact_backup.h"

namespace tidewise::mdp {
namespace {

/// The greatest subset of some states that actions of theirs, one each, do not lead out of.
template <class Real>
class ClosedSet {
 public:
  ClosedSet(const DecisionProcess<Real>& process, std::vector<std::int32_t> states,
            std::vector<std::int64_t> rows)
      : process_(process),
        states_(std::move(states)),
        rows_(std::move(rows)),
        place_(static_cast<std::size_t>(process.state_count), -1),
        begin_(states_.size() + 1, 0) {
    for (std::size_t n = 0; n < states_.size(); ++n) {
      place_[static_cast<std::size_t>(states_[n])] = static_cast<std::int32_t>(n);
    }
    list_predecessors();
  }

  std::vector<std::int32_t> find() {
    std::vector<std::int32_t> leaving;
    std::vector<std::uint8_t> left(states_.size(), 0);
    const auto leave = [&](std::int32_t place) {
      std::uint8_t& known = left[static_cast<std::size_t>(place)];
      if (known == 0) leaving.push_back(place);
      known = 1;
    };
    for (std::size_t n = 0; n < states_.size(); ++n) {
      for_successors(n, [&](std::int32_t to) {
        if (to < 0) leave(static_cast<std::int32_t>(n));
      });
    }
    while (!leaving.empty()) {
      const auto place = static_cast<std::size_t>(leaving.back());
      leaving.pop_back();
      for (auto n = begin_[place]; n < begin_[place + 1]; ++n) {
        leave(predecessor_[static_cast<std::size_t>(n)]);
      }
    }
    std::vector<std::int32_t> kept;
    for (std::size_t n = 0; n < states_.size(); ++n) {
      if (left[n] == 0) kept.push_back(states_[n]);
    }
    return kept;
  }

 private:
  /// Calls look(place), −1 for a state that is not among ours.
  template <class Look>
  void for_successors(std::size_t place, const Look& look) const {
    const auto row = static_cast<std::size_t>(rows_[place]);
    for (auto n = process_.row_begin[row]; n < process_.row_begin[row + 1]; ++n) {
      const auto entry = static_cast<std::size_t>(n);
      if (!(process_.probability[entry] > 0)) continue;
      look(place_[static_cast<std::size_t>(process_.successor[entry])]);
    }
  }

  void list_predecessors() {
    for (std::size_t n = 0; n < states_.size(); ++n) {
      for_successors(n, [&](std::int32_t to) {
        if (to >= 0) ++begin_[static_cast<std::size_t>(to) + 1];
      });
    }
    for (std::size_t n = 1; n < begin_.size(); ++n) begin_[n] += begin_[n - 1];
    predecessor_.resize(static_cast<std::size_t>(begin_.back()));
    std::vector<std::int64_t> free(begin_.begin(), begin_.end() - 1);
    for (std::size_t n = 0; n < states_.size(); ++n) {
      for_successors(n, [&](std::int32_t to) {
        if (to < 0) return;
        const std::int64_t at = free[static_cast<std::size_t>(to)]++;
        predecessor_[static_cast<std::size_t>(at)] = static_cast<std::int32_t>(n);
      });
    }
  }

  const DecisionProcess<Real>& process_;
  std::vector<std::int32_t> states_;       // (place), ascending
  std::vector<std::int64_t> rows_;         // (place): the action's row
  std::vector<std::int32_t> place_;        // (state): place, or −1
  std::vector<std::int64_t> begin_;        // (place + 1)
  std::vector<std::int32_t> predecessor_;  // places that lead to each place
};

/// The state that a row surely leads to, or −1.
template <class Real>
std::int32_t sure_successor(const DecisionProcess<Real>& process, std::int64_t row) {
  std::int32_t sure = -1;
  for (auto n = process.row_begin[std::size_t(row)]; n < process.row_begin[std::size_t(row) + 1];
       ++n) {
    if (!(process.probability[std::size_t(n)] > 0)) continue;
    if (sure >= 0 || process.probability[std::size_t(n)] < 1) return -1;
    sure = process.successor[std::size_t(n)];
  }
  return sure;
}

/// States of the loops that `rows`, (state), −1 for none, surely go round and that bring at least
/// `least_gain` in a turn, and more than rounding of their rewards may seem to; ascending.
template <class Real>
std::vector<std::int32_t> gaining_loops(const DecisionProcess<Real>& process,
                                        const std::vector<std::int64_t>& rows, double least_gain) {
  constexpr double least_share = 1e-6;  // of what is gained and lost in a turn
  const auto next = [&](std::int32_t state) {
    const std::int64_t row = rows[std::size_t(state)];
    return row < 0 ? -1 : sure_successor(process, row);
  };
  std::vector<std::int32_t> found;
  std::vector<std::int32_t> walk(rows.size(), -1);  // (state): the walk that passed it first
  for (std::int32_t first = 0; first < process.state_count; ++first) {
    std::int32_t state = first;
    while (state >= 0 && walk[std::size_t(state)] < 0) {
      walk[std::size_t(state)] = first;
      state = next(state);
    }
    if (state < 0 || walk[std::size_t(state)] != first) continue;
    // The walk met itself: once round.
    double gain = 0;
    double moved = 0;
    std::vector<std::int32_t> loop;
    for (std::int32_t at = state; loop.empty() || at != state; at = next(at)) {
      const auto reward = static_cast<double>(process.reward[std::size_t(rows[std::size_t(at)])]);
      gain += reward;
      moved += std::abs(reward);
      loop.push_back(at);
    }
    if (gain < least_gain || gain < least_share * moved) continue;
    found.insert(found.end(), loop.begin(), loop.end());
  }
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace

template <class Real>
std::vector<std::int32_t> endless_gain(const DecisionProcess<Real>& process,
                                       const std::vector<Real>& value, double least_gain) {
  double greatest = 0;
  for (const Real v : value) greatest = std::max(greatest, std::abs(static_cast<double>(v)));
  const double needed = std::max(least_gain, 1e-6 * greatest);
  std::vector<std::int32_t> states;
  std::vector<std::int64_t> rows;
  std::vector<std::int64_t> greedy(static_cast<std::size_t>(process.state_count), -1);
  for (std::int32_t state = 0; state < process.state_count; ++state) {
    BestAction<double> best;
    for (std::int32_t action = 0; action < process.action_count; ++action) {
      const std::int64_t row = process.row(state, action);
      if (process.is_allowed(row)) {
        take_better(best, exact_row_value(process, value, row), action);
      }
    }
    if (best.action < 0) continue;
    greedy[std::size_t(state)] = process.row(state, best.action);
    if (best.value - static_cast<double>(value[std::size_t(state)]) < needed) continue;
    states.push_back(state);
    rows.push_back(process.row(state, best.action));
  }
  if (!states.empty()) {
    auto closed = ClosedSet<Real>(process, std::move(states), std::move(rows)).find();
    if (!closed.empty()) return closed;
  }
  return gaining_loops(process, greedy, least_gain);
}

template std::vector<std::int32_t> endless_gain(const DecisionProcess<float>&,
                                                const std::vector<float>&, double);
template std::vector<std::int32_t> endless_gain(const DecisionProcess<double>&,
                                                const std::vector<double>&, double);

}  // namespace tidewise::mdp

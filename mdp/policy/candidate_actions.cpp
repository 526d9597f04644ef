#include "mdp/policy/candidate_actions.h"

#include <algorithm>
#include <limits>

#include "mdp/backup/bellman.h"
#include "mdp/backup/row_sum.h"
#include "mdp/process/state_blocks.h"

namespace tidewise::mdp {
namespace {

// A list of more than this share of all actions saves no work, because its actions are scattered.
constexpr double max_listed_share = 0.6;

template <class Real>
bool are_zero(const Real* value, std::int32_t states) {
  return std::all_of(value, value + states, [](Real v) { return v == 0; });
}

}  // namespace

template <class Real>
CandidateActions<Real>::CandidateActions(const ProcessView<Real>& process, std::int32_t threads)
    : process_(process), threads_(threads), shortfall_(process.reward.size) {}

template <class Real>
Real CandidateActions<Real>::row_value(const Real* value, std::int64_t row) const {
  const auto at = static_cast<std::size_t>(row);
  const std::int64_t begin = process_.row_begin[at];
  const Real expected = row_sum(process_.successor.data + begin, process_.probability.data + begin,
                                process_.row_begin[at + 1] - begin, value);
  return close_row(expected, process_.discount, process_.reward[at]);
}

template <class Real>
ValueChange CandidateActions<Real>::improve(const Real* value, Real* next,
                                            std::vector<std::int32_t>& action) {
  const std::int32_t actions = process_.action_count;
  // The initial values are usually 0, and their expectation need not be computed.
  const bool is_zero = are_zero(value, process_.state_count);
  return gather_over_blocks(
      process_.state_count, threads_, [&](std::int64_t begin, std::int64_t end) {
        std::vector<Real> values(static_cast<std::size_t>(actions));
        for (std::int64_t s = begin; s < end; ++s) {
          BestAction<Real> best{value[s], -1};
          const std::int64_t first = s * actions;
          for (std::int32_t a = 0; a < actions; ++a) {
            const auto row = static_cast<std::size_t>(first + a);
            if (process_.row_begin[row] == process_.row_begin[row + 1]) {
              values[a] = -std::numeric_limits<Real>::infinity();
              continue;
            }
            values[a] = is_zero ? process_.reward[row] : row_value(value, first + a);
            take_better(best, values[a], a);
          }
          for (std::int32_t a = 0; a < actions; ++a) {
            shortfall_[first + a] = static_cast<float>(best.value - values[a]);
          }
          next[s] = best.value;
          action[s] = best.action;
        }
        return change_between(value, next, begin, end);
      });
}

template <class Real>
ActionList CandidateActions<Real>::within(double max_shortfall) const {
  const std::int32_t actions = process_.action_count;
  const auto max =
      static_cast<std::size_t>(max_listed_share * static_cast<double>(shortfall_.size()));
  const auto limit = static_cast<float>(max_shortfall);
  ActionList list;
  for (std::int32_t s = 0; s < process_.state_count; ++s) {
    const float* const shortfall = shortfall_.data() + std::int64_t{s} * actions;
    std::int32_t count = 0;
    for (std::int32_t a = 0; a < actions; ++a) count += shortfall[a] <= limit ? 1 : 0;
    if (count < 2) continue;
    for (std::int32_t a = 0; a < actions; ++a) {
      if (shortfall[a] <= limit) list.action.push_back(a);
    }
    list.state.push_back(s);
    list.begin.push_back(std::ssize(list.action));
    if (list.action.size() <= max) continue;
    list.begin.clear();
    return list;
  }
  return list;
}

template <class Real>
ActionList CandidateActions<Real>::within(double max_shortfall, const ActionList& list) const {
  const auto limit = static_cast<float>(max_shortfall);
  ActionList narrowed;
  for (std::size_t n = 0; n < list.state.size(); ++n) {
    const std::size_t old_size = narrowed.action.size();
    for (auto k = list.begin[n]; k < list.begin[n + 1]; ++k) {
      const std::int32_t a = list.action[k];
      const auto row = static_cast<std::size_t>(process_.row(list.state[n], a));
      if (shortfall_[row] <= limit) narrowed.action.push_back(a);
    }
    if (narrowed.action.size() - old_size < 2) {
      narrowed.action.resize(old_size);
      continue;
    }
    narrowed.state.push_back(list.state[n]);
    narrowed.begin.push_back(std::ssize(narrowed.action));
  }
  return narrowed;
}

template <class Real>
std::int64_t CandidateActions<Real>::improve_listed(const ActionList& list, const Real* value,
                                                    Real* next, std::vector<std::int32_t>& action) {
  const auto improve_state = [&](std::size_t n) {
    const std::int32_t s = list.state[n];
    BestAction<Real> best;
    for (auto k = list.begin[n]; k < list.begin[n + 1]; ++k) {
      const std::int32_t a = list.action[k];
      const std::int64_t row = process_.row(s, a);
      const Real q = row_value(value, row);
      take_better(best, q, a);
      action_value_[k] = q;
    }
    for (auto k = list.begin[n]; k < list.begin[n + 1]; ++k) {
      shortfall_[process_.row(s, list.action[k])] =
          static_cast<float>(best.value - action_value_[k]);
    }
    const bool changed = action[s] != best.action;
    action[s] = best.action;
    next[s] = best.value;
    return changed;
  };
  action_value_.resize(list.action.size());
  return static_cast<std::int64_t>(
      sum_over_blocks(std::ssize(list.state), threads_, [&](std::int64_t begin, std::int64_t end) {
        std::int64_t changed = 0;
        for (std::int64_t n = begin; n < end; ++n) changed += improve_state(std::size_t(n)) ? 1 : 0;
        return static_cast<double>(changed);
      }));
}

template class CandidateActions<float>;
template class CandidateActions<double>;

}  // namespace tidewise::mdp

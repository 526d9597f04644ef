#include "mdp/policy/policy_rows.h"

#include <algorithm>

#include "mdp/backup/bellman.h"
#include "mdp/backup/row_sum.h"
#include "mdp/policy/block_sum.h"
#include "mdp/policy/policy_projection.h"
#include "mdp/process/state_blocks.h"

namespace tidewise::mdp {

template <class Real>
PolicyRows<Real>::PolicyRows(const ProcessView<Real>& process, std::int32_t threads, SumOrder order)
    : process_(process),
      threads_(threads),
      order_(order),
      begin_(static_cast<std::size_t>(process.state_count)),
      length_(begin_.size()),
      stored_action_(begin_.size(), -2),
      reward_(begin_.size()) {
  const LongestRow<Real> longest{process};
  std::int64_t entry_count = 0;
  for (std::size_t s = 0; s < begin_.size(); ++s) {
    begin_[s] = entry_count;
    const std::int64_t length = longest(s);
    entry_count += length;
    has_ends_ = has_ends_ || length == 0;
  }
  successor_ = Array<std::int32_t>(static_cast<std::size_t>(entry_count));
  probability_ = Array<Real>(static_cast<std::size_t>(entry_count));
}

template <class Real>
std::int64_t PolicyRows<Real>::take(const std::vector<std::int32_t>& action, const Real* value) {
  const auto take_block = [&](std::int64_t begin, std::int64_t end) {
    std::int64_t changed = 0;
    for (std::int64_t s = begin; s < end; ++s) {
      const auto at = static_cast<std::size_t>(s);
      if (action[at] == stored_action_[at]) continue;
      ++changed;
      stored_action_[at] = action[at];
      if (action[at] < 0) {
        reward_[at] = value[s];
        continue;
      }
      const auto row =
          static_cast<std::size_t>(process_.row(static_cast<std::int32_t>(s), action[at]));
      const std::int64_t from = process_.row_begin[row];
      length_[at] = static_cast<std::int32_t>(process_.row_begin[row + 1] - from);
      reward_[at] = process_.reward[row];
      std::copy_n(process_.successor.data + from, length_[at], successor_.data() + begin_[at]);
      std::copy_n(process_.probability.data + from, length_[at], probability_.data() + begin_[at]);
    }
    return static_cast<double>(changed);
  };
  return static_cast<std::int64_t>(sum_over_blocks(process_.state_count, threads_, take_block));
}

template <class Real>
template <class Sum>
ValueChange PolicyRows<Real>::sweep_by(const Sum& sum, const Real* value, Real* next) const {
  return gather_over_blocks(
      process_.state_count, threads_, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t s = begin; s < end; ++s) {
          const auto at = static_cast<std::size_t>(s);
          const std::int64_t first = begin_[at];
          const Real expected =
              sum(successor_.data() + first, probability_.data() + first, length_[at], value);
          next[s] = close_row(expected, process_.discount, reward_[at]);
        }
        return change_between(value, next, begin, end);
      });
}

template <class Real>
ValueChange PolicyRows<Real>::sweep(const Real* value, Real* next) const {
  const auto sweep_with = [&](const auto& sum) { return sweep_by(sum, value, next); };
  switch (order_) {
    case SumOrder::of_rows:
      return sweep_with([](auto... row) { return sum_in_order(row...); });
    case SumOrder::of_block:
      return sweep_with([](auto... row) { return block_sum(row...); });
    default:
      return sweep_with([](auto... row) { return row_sum(row...); });
  }
}

template <class Real>
void PolicyRows<Real>::multiply(const Real* value, Real* next) const {
  for_blocks(process_.state_count, threads_, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t s = begin; s < end; ++s) {
      const auto at = static_cast<std::size_t>(s);
      const std::int64_t first = begin_[at];
      const Real expected =
          row_sum(successor_.data() + first, probability_.data() + first, length_[at], value);
      next[s] = std::fma(-process_.discount, expected, value[s]);
    }
  });
}

template class PolicyRows<float>;
template class PolicyRows<double>;

}  // namespace tidewise::mdp

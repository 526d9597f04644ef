#include "mdp/process/terminal_states.h"

#include <utility>

#include "base/error.h"
#include "mdp/error/codes.h"
#include "mdp/process/first_values.h"

namespace tidewise::mdp {

namespace {

/// Empties the rows for which `is_removed`(row) is true.
template <class Real, class IsRemoved>
void empty_rows(DecisionProcess<Real>& process, const IsRemoved& is_removed) {
  // Remaining entries move over removed ones, in order.
  std::size_t kept_count = 0;
  std::int64_t old_begin = 0;
  for (std::int64_t r = 0; r < process.row_count(); ++r) {
    const auto row = static_cast<std::size_t>(r);
    const std::int64_t old_end = process.row_begin[row + 1];
    const bool is_empty = is_removed(r, old_begin, old_end);
    if (is_empty) process.reward[row] = 0;
    for (auto n = static_cast<std::size_t>(old_begin);
         !is_empty && n < static_cast<std::size_t>(old_end); ++n, ++kept_count) {
      process.successor[kept_count] = process.successor[n];
      process.probability[kept_count] = process.probability[n];
      if (!process.entry_reward.empty()) process.entry_reward[kept_count] = process.entry_reward[n];
    }
    process.row_begin[row + 1] = static_cast<std::int64_t>(kept_count);
    old_begin = old_end;
  }
  process.successor.resize(kept_count);
  process.probability.resize(kept_count);
  if (!process.entry_reward.empty()) process.entry_reward.resize(kept_count);
}

template <class Real>
std::vector<std::uint8_t> mark(const DecisionProcess<Real>& process,
                               const std::vector<std::int32_t>& states) {
  std::vector<std::uint8_t> marked(static_cast<std::size_t>(process.state_count), 0);
  for (const std::int32_t state : states) marked[state] = 1;
  return marked;
}

}  // namespace

template <class Real>
DecisionProcess<Real> make_terminal(DecisionProcess<Real> process,
                                    const std::vector<std::int32_t>& states, Real value) {
  process.initial_value = first_values(process);
  for (const std::int32_t state : states) {
    if (state < 0 || state >= process.state_count) {
      throw input_error(errors::terminal_state_outside, state, process.state_count);
    }
    process.initial_value[state] = value;
  }
  const std::vector<std::uint8_t> is_terminal = mark(process, states);
  empty_rows(process, [&](std::int64_t row, std::int64_t, std::int64_t) {
    return is_terminal[row / process.action_count] != 0;
  });
  return process;
}

template <class Real>
DecisionProcess<Real> remove_states(DecisionProcess<Real> process,
                                    const std::vector<std::int32_t>& states) {
  process = make_terminal(std::move(process), states, Real{0});
  const std::vector<std::uint8_t> is_removed = mark(process, states);
  const DecisionProcess<Real>& rows = process;
  empty_rows(process, [&](std::int64_t, std::int64_t begin, std::int64_t end) {
    for (std::int64_t n = begin; n < end; ++n) {
      const auto entry = static_cast<std::size_t>(n);
      if (!(rows.probability[entry] > 0)) continue;
      if (is_removed[rows.successor[entry]] != 0) return true;
    }
    return false;
  });
  return process;
}

template DecisionProcess<float> make_terminal(DecisionProcess<float>,
                                              const std::vector<std::int32_t>&, float);
template DecisionProcess<double> make_terminal(DecisionProcess<double>,
                                               const std::vector<std::int32_t>&, double);

template DecisionProcess<float> remove_states(DecisionProcess<float>,
                                              const std::vector<std::int32_t>&);
template DecisionProcess<double> remove_states(DecisionProcess<double>,
                                               const std::vector<std::int32_t>&);

}  // namespace tidewise::mdp

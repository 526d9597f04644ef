#include "mdp/process/terminal_states.h"

#include <fmt/format.h>

#include "base/error.h"
#include "mdp/process/first_values.h"

namespace tidewise::mdp {

template <class Real>
DecisionProcess<Real> make_terminal(DecisionProcess<Real> process,
                                    const std::vector<std::int32_t>& states, Real value) {
  process.initial_value = first_values(process);
  std::vector<std::uint8_t> ends(static_cast<std::size_t>(process.state_count), 0);
  for (const std::int32_t state : states) {
    if (state < 0 || state >= process.state_count) {
      throw InputError(fmt::format("state {} is to be terminal, and there are {} states", state,
                                   process.state_count));
    }
    ends[static_cast<std::size_t>(state)] = 1;
    process.initial_value[static_cast<std::size_t>(state)] = value;
  }
  // Entries that stay move forward over those that go; within a row and between rows in order.
  std::size_t kept = 0;
  std::int64_t old_begin = 0;
  for (std::int64_t r = 0; r < process.row_count(); ++r) {
    const auto row = static_cast<std::size_t>(r);
    const std::int64_t old_end = process.row_begin[row + 1];
    const bool is_end = ends[static_cast<std::size_t>(r / process.action_count)] != 0;
    if (is_end) process.reward[row] = 0;
    for (auto n = static_cast<std::size_t>(old_begin);
         !is_end && n < static_cast<std::size_t>(old_end); ++n, ++kept) {
      process.successor[kept] = process.successor[n];
      process.probability[kept] = process.probability[n];
      if (!process.entry_reward.empty()) process.entry_reward[kept] = process.entry_reward[n];
    }
    process.row_begin[row + 1] = static_cast<std::int64_t>(kept);
    old_begin = old_end;
  }
  process.successor.resize(kept);
  process.probability.resize(kept);
  if (!process.entry_reward.empty()) process.entry_reward.resize(kept);
  return process;
}

template DecisionProcess<float> make_terminal(DecisionProcess<float>,
                                              const std::vector<std::int32_t>&, float);
template DecisionProcess<double> make_terminal(DecisionProcess<double>,
                                               const std::vector<std::int32_t>&, double);

}  // namespace tidewise::mdp

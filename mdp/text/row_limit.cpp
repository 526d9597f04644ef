#include "mdp/text/row_limit.h"

#include <fmt/format.h>

#include <limits>

#include "base/error.h"

namespace tidewise::mdp {

void require_rows_in_proportion(const std::string& place, std::int64_t states, std::int64_t actions,
                                std::int64_t listed) {
  constexpr std::int64_t most_states = std::numeric_limits<std::int32_t>::max() - 1;
  if (states > most_states || actions > most_states) {
    throw InputError(fmt::format("{}: {} states × {} actions are more than {} of either", place,
                                 states, actions, most_states));
  }
  constexpr std::int64_t small = 1'000'000;
  constexpr std::int64_t most_empty = 1024;  // rows for one that is listed
  if (states * actions <= small) return;
  if (states * actions / most_empty <= listed) return;
  throw InputError(fmt::format(
      "{}: {} states × {} actions are claimed, and {} actions of states listed; correct "
      "the counts, or number the actions from 0 in every state",
      place, states, actions, listed));
}

}  // namespace tidewise::mdp

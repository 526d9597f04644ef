#include "mdp/text/row_limit.h"

#include <limits>

#include "base/error.h"
#include "mdp/error/codes.h"

namespace tidewise::mdp {

void require_rows_in_proportion(const std::string& place, std::int64_t states, std::int64_t actions,
                                std::int64_t listed) {
  constexpr std::int64_t most_states = std::numeric_limits<std::int32_t>::max() - 1;
  if (states > most_states || actions > most_states) {
    throw input_error(errors::rows_too_many, place, states, actions, most_states);
  }
  constexpr std::int64_t small = 1'000'000;
  constexpr std::int64_t most_empty = 1024;  // rows for one that is listed
  if (states * actions <= small) return;
  if (states * actions / most_empty <= listed) return;
  throw input_error(errors::rows_more_than_listed, place, states, actions, listed);
}

}  // namespace tidewise::mdp

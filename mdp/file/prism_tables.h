#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "mdp/process/decision_process.h"
#include "mdp/text/byte_stream.h"
#include "mdp/text/chunked_vector.h"

namespace tidewise::mdp {

/// What a .tra says, line by line; its header agrees with its lines, and these ascend by state and
/// choice.
struct PrismTransitions {
  struct Choice {
    std::int32_t state = 0;
    std::int32_t choice = 0;
    std::int64_t first_transition = 0;
    std::int64_t line = 0;
    std::int32_t action = -1;  // in action_names
  };
  bool is_chain = false;  // a DTMC: no choices
  std::int64_t state_count = 0;
  std::int32_t action_count = 1;
  std::vector<Choice> choices;            // and one more, the end
  ChunkedVector<std::int32_t> successor;  // (transition)
  ChunkedVector<double> probability;
  std::vector<std::string> action_names;
};
PrismTransitions read_prism_transitions(ByteStream& bytes);

/// One line of a .trew.
struct PrismReward {
  std::int32_t state = 0;
  std::int32_t choice = 0;
  std::int32_t successor = 0;
  double reward = 0;
  std::int64_t line = 0;
};
/// Of a .trew, ascending by state, choice and successor, none twice.
std::vector<PrismReward> read_prism_transition_rewards(ByteStream& bytes,
                                                       const PrismTransitions& transitions);
/// Of a .srew, (state).
std::vector<double> read_prism_state_rewards(ByteStream& bytes, std::int64_t state_count);
/// Of a .lab, in the order in which it declares them.
std::vector<StateLabel> read_prism_labels(ByteStream& bytes, std::int64_t state_count);

}  // namespace tidewise::mdp

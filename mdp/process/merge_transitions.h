#pragma once

#include <cstddef>
#include <cstdint>

#include "mdp/process/row_writer.h"

namespace tidewise::mdp {

/// Puts the transitions of a row that lead to one state together, with the sum of their
/// probabilities and the mean of their rewards by probability, and drops those that never happen.
/// Requires that successors ascend. Returns how many remain, in front.
inline std::size_t merge_alike(Transition* transitions, std::size_t count) {
  std::size_t kept = 0;
  for (std::size_t n = 0; n < count;) {
    const std::int32_t successor = transitions[n].successor;
    double probability = 0;
    double gain = 0;
    std::size_t end = n;
    for (; end < count && transitions[end].successor == successor; ++end) {
      probability += transitions[end].probability;
      gain += transitions[end].probability * transitions[end].reward;
    }
    // One that stands alone keeps its own reward, to the last bit.
    const double reward = end == n + 1 ? transitions[n].reward : gain / probability;
    if (probability > 0) transitions[kept++] = {successor, probability, reward};
    n = end;
  }
  return kept;
}

}  // namespace tidewise::mdp

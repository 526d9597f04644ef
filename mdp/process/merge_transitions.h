#pragma once

#include <cstddef>
#include <cstdint>

#include "mdp/process/row_writer.h"

namespace tidewise::mdp {

/// Merges transitions of a row with the same successor, adding their probabilities and averaging
/// their rewards by probability, and drops those of probability 0. Requires ascending successors.
/// Returns the number that remain, at the front.
inline std::size_t merge_equal_successors(Transition* transitions, std::size_t count) {
  std::size_t merged_count = 0;
  for (std::size_t n = 0; n < count;) {
    const std::int32_t successor = transitions[n].successor;
    double probability = 0;
    double gain = 0;
    std::size_t end = n;
    for (; end < count && transitions[end].successor == successor; ++end) {
      probability += transitions[end].probability;
      gain += transitions[end].probability * transitions[end].reward;
    }
    // A single transition keeps its exact reward.
    const double reward = end == n + 1 ? transitions[n].reward : gain / probability;
    if (probability > 0) transitions[merged_count++] = {successor, probability, reward};
    n = end;
  }
  return merged_count;
}

}  // namespace tidewise::mdp

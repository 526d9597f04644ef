#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tidewise::mdp {

/// Which rows of RewardRows::solved() take part, and what they bring.
struct RowRule {
  const std::vector<std::uint8_t>* counts = nullptr;  ///< (row); null: all that are allowed
  bool steps = false;  ///< each brings 1: the most steps to the end, in place of the rewards

  bool takes(std::int64_t row) const {
    return counts == nullptr || (*counts)[static_cast<std::size_t>(row)] != 0;
  }
};

}  // namespace tidewise::mdp

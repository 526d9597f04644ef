#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "mdp/interval/reward_rows.h"

namespace tidewise::mdp {

/// Which rows of RewardRows::solved() take part, and their rewards.
struct RowRule {
  const std::vector<std::uint8_t>* counts = nullptr;  ///< (row); null: all that are allowed
  const std::vector<double>* rewards = nullptr;       ///< (row); null: as `steps` says
  bool steps = false;                                 ///< each brings 1, else its own reward

  bool takes(std::int64_t row) const {
    return counts == nullptr || (*counts)[static_cast<std::size_t>(row)] != 0;
  }
  template <class Real>
  double reward(const RewardRows<Real>& rows, std::int64_t row) const {
    if (rewards != nullptr) return (*rewards)[static_cast<std::size_t>(row)];
    return steps ? 1 : rows.reward(row);
  }
};

}  // namespace tidewise::mdp

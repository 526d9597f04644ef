#pragma once

#include <cstdint>
#include <vector>

#include "mdp/interval/reward_rows.h"

namespace tidewise::mdp {

/// Average rewards of policies that never leave an end component, for all components with nonzero
/// rows. With γ = 1 they determine whether there is an optimum.
struct LoopGains {
  /// Ascending: states of components in which a policy has a proved positive gain, so that their
  /// value is infinite.
  std::vector<std::int32_t> gaining = {};
  /// Ascending: states of components whose gain is hidden by rounding, or that are too large for
  /// the test.
  std::vector<std::int32_t> undecided = {};
  /// h, (state); 0 outside components with gain 0. In these no row has a reward above h(s) − Σ p
  /// h(t), and a policy can use rows with exactly this reward for ever. Empty: no such components.
  std::vector<double> shift = {};
  bool is_rounded = false;  ///< `shift` is rounded, by at most half a unit in the last place
  std::vector<std::uint8_t> is_level = {};  ///< (row), with `shift`: 1 for exactly that reward
};

/// Determines the gains of loops. A component gains if all its rewards are ≥ 0 and one is positive,
/// and loses if they are ≤ 0; the graph decides this. For rewards of both signs, Howard's policy
/// iteration for communicating processes finds the best policy, and h then proves the sign despite
/// rounding: r + P h − h > 0 on a closed class of a policy proves a gain, r + P h − h ≤ 0 for all
/// rows proves that there is none. The latter is checked exactly for h that are multiples of a
/// fraction, so that loops whose gains and losses cancel are recognized. `rows`: without free loops
/// (collapsed_process.h), γ = 1. Source: Puterman, "Markov Decision Processes", 1994, sections 8.5
/// and 9.5.
template <class Real>
LoopGains find_loop_gains(const RewardRows<Real>& rows);

}  // namespace tidewise::mdp

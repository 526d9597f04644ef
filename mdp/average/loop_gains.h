#pragma once

#include <cstdint>
#include <vector>

#include "mdp/interval/reward_rows.h"

namespace tidewise::mdp {

/// What policies that never leave an end component can bring there on average, of all components
/// whose rows bring anything. With γ = 1 that decides whether there is an optimum at all.
struct LoopGains {
  /// Ascending: states of components in which some policy gains, which is proved: their value is
  /// infinite.
  std::vector<std::int32_t> gaining = {};
  /// Ascending: states of components of which rounding hides whether they gain, or which are too
  /// large to be looked at.
  std::vector<std::int32_t> undecided = {};
  /// h, (state), 0 outside the components it is for: in these no row brings more than
  /// h(s) − Σ p h(t), and some bring that to the last bit, as they can for ever. Empty: there are
  /// no such components.
  std::vector<double> shift = {};
  bool is_rounded = false;  ///< `shift` is off that by half a unit in its last place, at most
  std::vector<std::uint8_t> is_level = {};  ///< (row), with `shift`: brings exactly that
};

/// A component gains where all rewards in it are ≥ 0 and one is not, which is a question of the
/// graph; and it loses where they are ≤ 0. Where they have both signs Howard's policy iteration for
/// communicating processes looks for the best policy; each sign is then proved by h, whatever
/// rounding did to it: r + P h − h > 0 on a closed class of a policy proves that it gains,
/// r + P h − h ≤ 0 for all rows that nothing does. The latter is found out without any rounding,
/// for h that are multiples of some fraction, so that loops whose gains and losses cancel are known
/// for what they are. `rows`: those without what costs nothing to go round (collapsed_process.h), γ
/// = 1. Source: Puterman, "Markov Decision Processes", 1994, sections 8.5 and 9.5.
template <class Real>
LoopGains judge_loops(const RewardRows<Real>& rows);

}  // namespace tidewise::mdp

#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "mdp/graph/end_components.h"
#include "mdp/process/decision_process.h"
#include "mdp/process/options.h"
#include "mdp/process/solution.h"

namespace tidewise::mdp {

/// A process with the same values as another, without its free loops: each maximal end component of
/// the rows without reward becomes one state, whose actions are the rows that leave it. With γ = 1
/// the states of a component have the same value, since each can reach every other at no cost.
/// Without such components the optimum is the only fixed point of Bellman's equation if endless
/// loops have a cost.
///
/// A component with more exits than the process has actions becomes a tree of states. With
/// Endings::sure it must be left; else it may also rest, with value 0. One without exits is
/// terminal with value 0. Sources: de Alfaro, "Computing minimum and maximum reachability times in
/// probabilistic systems", CONCUR 1999; Haddad, Monmege, "Interval iteration algorithm for MDPs and
/// IMDPs", Theoretical Computer Science 735, 2018.
template <class Real>
struct CollapsedProcess {
  static constexpr std::int64_t none = -1;    ///< no action
  static constexpr std::int64_t rest = -2;    ///< stays for ever
  static constexpr std::int64_t deeper = -3;  ///< leads on in the tree of a component's exits

  DecisionProcess<Real> process;
  EndComponents components;            ///< end components of the original process
  std::vector<std::int32_t> state_of;  ///< (state of the original process): its state in `process`
  std::vector<std::int64_t> row_of;  ///< (row of `process`): its original row, or one of the above

  /// The original states of `states`; both ascending.
  std::vector<std::int32_t> original_states(const std::vector<std::int32_t>& states) const;
};

/// Collapses the free loops; nullopt if there are none, because the result would equal `process`.
template <class Real>
std::optional<CollapsedProcess<Real>> collapse_free_loops(const DecisionProcess<Real>& process,
                                                          Endings endings);

/// Expands a solution of the collapsed process to `process`: each state of a component moves to the
/// exit of its component, or stays in it if it rests.
template <class Real>
ProcessSolution<Real> expand(const DecisionProcess<Real>& process,
                             const CollapsedProcess<Real>& collapsed,
                             ProcessSolution<Real> solution);

}  // namespace tidewise::mdp

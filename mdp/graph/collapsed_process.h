#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "mdp/graph/end_components.h"
#include "mdp/process/decision_process.h"
#include "mdp/process/options.h"
#include "mdp/process/solution.h"

namespace tidewise::mdp {

/// A process with the same values as another, without its free loops: each maximal end component
/// of the rows without reward is one state, whose actions are the rows that lead out of it. With
/// γ = 1 the states of a component have one value, since each is reached from each for nothing.
/// Without such components the optimum is the only fixed point of Bellman's equation where going
/// round for ever costs.
///
/// A component with more ways out than the process has actions becomes a tree of states. With
/// Endings::sure it must be left; else it also may rest, for 0. One without a way out is an end,
/// worth 0. Sources: de Alfaro, "Computing minimum and maximum reachability times in probabilistic
/// systems", CONCUR 1999; Haddad, Monmege, "Interval iteration algorithm for MDPs and IMDPs",
/// Theoretical Computer Science 735, 2018.
template <class Real>
struct CollapsedProcess {
  static constexpr std::int64_t none = -1;    ///< no action
  static constexpr std::int64_t rest = -2;    ///< rests for ever
  static constexpr std::int64_t deeper = -3;  ///< leads on in the tree of a component's ways out

  DecisionProcess<Real> process;
  EndComponents components;            ///< of the process that was collapsed
  std::vector<std::int32_t> state_of;  ///< (state of that): its state here
  std::vector<std::int64_t> row_of;    ///< (row here): its row there, or one of the above

  /// The states of the process that was collapsed which stand behind `states`; both ascending.
  std::vector<std::int32_t> states_behind(const std::vector<std::int32_t>& states) const;
};

/// Nothing where no row without reward can be gone round: `process` is what it would be.
template <class Real>
std::optional<CollapsedProcess<Real>> collapse_free_loops(const DecisionProcess<Real>& process,
                                                          Endings endings);

/// What was found for the collapsed process, of `process`: each state of a component goes to where
/// its component is left, or about in it where it rests.
template <class Real>
ProcessSolution<Real> expand(const DecisionProcess<Real>& process,
                             const CollapsedProcess<Real>& collapsed,
                             ProcessSolution<Real> solution);

}  // namespace tidewise::mdp

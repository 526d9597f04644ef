#pragma once

#include <optional>

#include "base/progress.h"
#include "mdp/interval/reward_rows.h"
#include "mdp/process/options.h"
#include "mdp/process/solution.h"

namespace tidewise::mdp {

/// Interval iteration from both ends: finds bounds of each state's optimum that hold whatever
/// rounding did (lower, upper, bounds, is_as_near_as_asked), and with StoppingRule::error sweeps
/// until they are as near to each other as the options want. `solution` is some method's, of
/// rows.solved(); with StoppingRule::error and γ = 1, or where it is that of
/// leave_to_direct_solves(), its value and policy are first improved (component_values.h). By one
/// thread.
///
/// A value V and a weight w, both positive where there are actions, with Q(V) − V ≤ δ (w − γ P w)
/// for all actions prove V* ≤ V + δ w, and one with V − Q(V) ≤ δ (w − γ P w) for those of one
/// policy that ends proves V* ≥ V − δ w. w is the greatest expected number of steps by actions that
/// V puts near the best: policies that go round for ever need not be among them. Where that leaves
/// too much, steps are counted by their rounding in place of 1. Then values from
/// both ends are backed up in place, rounded outward, in topological order. No bounds come of loops
/// whose gains and losses cancel: they are infinite then. Sources: Haddad, Monmege, Theoretical
/// Computer Science 735, 2018; Baier, Klein, Leuschner, Parker, Wunderlich, "Ensuring the
/// reliability of your model checker: interval iteration for Markov decision processes", CAV 2017;
/// Hartmanns, Kaminski, "Optimistic value iteration", CAV 2020; for the weights Bertsekas,
/// Tsitsiklis, "An analysis of stochastic shortest path problems", 1991.
template <class Real>
void bring_bounds_together(const RewardRows<Real>& rows, const SolveOptions& options,
                           Progress& progress, ProcessSolution<Real>& solution);

/// Where all loops are solved directly (ComponentValues::largest_direct()), the solution that
/// bring_bounds_together() begins with in place of a method's; else nothing.
template <class Real>
std::optional<ProcessSolution<Real>> leave_to_direct_solves(const RewardRows<Real>& rows);

/// The values that iteration begins with, and the first actions.
template <class Real>
ProcessSolution<Real> unsolved(const DecisionProcess<Real>& process);

}  // namespace tidewise::mdp

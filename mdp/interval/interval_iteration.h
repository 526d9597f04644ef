#pragma once

#include <optional>

#include "base/progress.h"
#include "mdp/interval/reward_rows.h"
#include "mdp/process/options.h"
#include "mdp/process/solution.h"

namespace tidewise::mdp {

/// Interval iteration: finds bounds of each state's optimum that hold despite rounding (the members
/// lower, upper, bounds and is_within_tolerance of `solution`). With StoppingRule::error it sweeps
/// until they meet the tolerance. `solution`: initially that of a method for rows.solved(). With
/// StoppingRule::error, its value and policy are first improved (component_values.h) if γ = 1 or
/// start_by_direct_solves() made it. Uses one thread.
///
/// A value V and a weight w > 0 (in states with actions) prove V* ≤ V + δ w if all actions have
/// Q(V) − V ≤ δ (w − γ P w), and V* ≥ V − δ w if those of a terminating policy have V − Q(V) ≤ δ (w
/// − γ P w). w is the greatest expected number of steps by actions near the best for V; if the
/// bounds are then too wide, the greatest expected sum of the steps' rounding errors. Then both
/// bounds are backed up in place, rounded outward, in topological order. Loops whose gains and
/// losses cancel have infinite bounds. Sources: Haddad, Monmege, Theoretical Computer Science 735,
/// 2018; Baier and others, "Ensuring the reliability of your model checker", CAV 2017; Hartmanns,
/// Kaminski, "Optimistic value iteration", CAV 2020; for w Bertsekas, Tsitsiklis, "An analysis of
/// stochastic shortest path problems", 1991.
template <class Real>
void bring_bounds_together(const RewardRows<Real>& rows, const SolveOptions& options,
                           Progress& progress, ProcessSolution<Real>& solution);

/// The start of bring_bounds_together() that replaces a method's solution, if all loops can be
/// solved directly (ComponentValues::largest_direct()); else nullopt.
template <class Real>
std::optional<ProcessSolution<Real>> start_by_direct_solves(const RewardRows<Real>& rows);

/// A solution with the initial values and the first action of each state.
template <class Real>
ProcessSolution<Real> unsolved(const DecisionProcess<Real>& process);

}  // namespace tidewise::mdp

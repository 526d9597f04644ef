#pragma once

#include <cstdint>

#include "base/progress.h"
#include "mdp/process/decision_process.h"
#include "mdp/process/options.h"
#include "mdp/process/solution.h"

namespace tidewise::mdp {

/// What was found of rewards on average.
template <class Real>
struct AverageSolution {
  /// Its value is the greatest long-run average of rewards a step, its action a policy that has it;
  /// lower, upper and bounds hold it as those of other solutions do.
  ProcessSolution<Real> solution;
  std::int64_t loops = 0;  ///< maximal end components
};

/// The greatest long-run average of rewards a step, lim inf 1/n E[r_1 + … + r_n], for each state: 0
/// where nothing but an end can be come to. In each maximal end component Howard's policy iteration
/// looks for the best average, and T h − h of its bias h, or of lazy value iteration's where the
/// component is too large for elimination, bounds it from both sides, with rounding against it. Who
/// can surely come to the best of all does, by the graph; which component others come to and stay
/// in is then a solve without a discount, of certain ends that are worth those averages. On the
/// processor; the process's discount counts for nothing. Errors: those of solve_process(). Source:
/// Puterman, "Markov Decision Processes", 1994, 8.5 and 9.5; Ashok, Chatterjee, Daca, Křetínský,
/// Meggendorfer, "Value iteration for long-run average reward in Markov decision processes", CAV
/// 2017.
template <class Real>
AverageSolution<Real> solve_average(DecisionProcess<Real>& process, const SolveOptions& options,
                                    Progress& progress);

}  // namespace tidewise::mdp

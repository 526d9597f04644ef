#pragma once

#include <cstdint>
#include <vector>

#include "mdp/savings/problem.h"
#include "mdp/savings/solve_savings.h"

namespace tidewise::mdp {

/// Errors of a policy in the Euler equation u'(c) = β (1 + r) E[u'(c') | ε], where c' is the
/// policy's consumption, linear between the assets.
struct EulerErrors {
  /// States whose saving is not limited by the grid; their error is |1 − u'(c)/(β (1 + r)
  /// E[u'(c')])|. With ln c it is the relative error of consumption.
  std::int64_t unconstrained = 0;
  double mean = 0;
  double max = 0;
  /// States at the borrowing limit, where u'(c) ≥ β (1 + r) E[u'(c')] is required.
  std::int64_t constrained = 0;
  double greatest_violation = 0;  ///< greatest excess of β (1 + r) E[u'(c')]/u'(c) over 1
  /// (productivity, asset): the unconstrained error; NaN in constrained states.
  std::vector<double> error;
};

/// Computes the Euler errors of a solution.
EulerErrors euler_errors(const SavingsProblem& problem, const SavingsSolution& solution);

/// Difference of two solutions of one problem.
struct SavingsComparison {
  double greatest_excess =
      0;  ///< greatest excess of the first value over the second; 0 if it is nowhere higher
  double greatest_shortfall = 0;  ///< greatest shortfall of the first value below the second
  double greatest_difference =
      0;  ///< greatest difference of the savings, in units of the local spacing of assets
  double mean_difference = 0;
};

/// Compares two solutions of one problem.
SavingsComparison compare_savings(const SavingsProblem& problem, const SavingsSolution& first,
                                  const SavingsSolution& second);

}  // namespace tidewise::mdp

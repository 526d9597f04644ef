#pragma once

#include <cstdint>
#include <vector>

#include "mdp/savings/problem.h"
#include "mdp/savings/solve_savings.h"

namespace tidewise::mdp {

/// How well a policy meets the Euler equation u'(c) = β (1 + r) E[u'(c') | ε], c' being the
/// policy's own consumption, linear between the assets.
struct EulerErrors {
  /// Where neither end of the grid holds the saving: |1 − u'(c)/(β (1 + r) E[u'(c')])|. With ln c
  /// it is the share of consumption that is misjudged.
  std::int64_t unconstrained = 0;
  double mean = 0;
  double greatest = 0;
  /// Where the borrowing limit does: u'(c) ≥ β (1 + r) E[u'(c')] is asked for.
  std::int64_t constrained = 0;
  double greatest_violation = 0;  ///< of β (1 + r) E[u'(c')]/u'(c) above 1
  /// (productivity, asset): as `mean` is of; NaN where the saving is held.
  std::vector<double> error;
};

EulerErrors euler_errors(const SavingsProblem& problem, const SavingsSolution& solution);

/// Two solutions of one problem side by side.
struct SavingsComparison {
  double greatest_excess = 0;      ///< of the first value above the second; 0 where it is nowhere
  double greatest_shortfall = 0;   ///< of the first value below the second
  double greatest_difference = 0;  ///< of the savings, in the spacings of the assets there
  double mean_difference = 0;
};

SavingsComparison compare_savings(const SavingsProblem& problem, const SavingsSolution& first,
                                  const SavingsSolution& second);

}  // namespace tidewise::mdp

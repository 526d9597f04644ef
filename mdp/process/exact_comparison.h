#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "mdp/process/solution.h"

namespace tidewise::mdp {

/// How far learned values are from exact ones, in the states where something was learned.
struct ExactComparison {
  double greatest_difference = 0;
  double mean_difference = 0;  ///< of |difference|
  std::int64_t states = 0;     ///< in which an agent acted
};

/// `exact`: V*, (state).
template <class Real, class Exact>
ExactComparison compare_with_exact(const ProcessSolution<Real>& solution,
                                   const std::vector<Exact>& exact) {
  ExactComparison comparison;
  const std::vector<std::int64_t>& visits = solution.learning.visits;
  const std::size_t actions = exact.empty() ? 0 : visits.size() / exact.size();
  double sum = 0;
  for (std::size_t s = 0; s < exact.size(); ++s) {
    const auto* of_state = visits.data() + s * actions;
    if (!std::any_of(of_state, of_state + actions, [](std::int64_t n) { return n > 0; })) continue;
    const double difference =
        std::abs(static_cast<double>(solution.value[s]) - static_cast<double>(exact[s]));
    comparison.greatest_difference = std::max(comparison.greatest_difference, difference);
    sum += difference;
    ++comparison.states;
  }
  if (comparison.states > 0) comparison.mean_difference = sum / double(comparison.states);
  return comparison;
}

}  // namespace tidewise::mdp

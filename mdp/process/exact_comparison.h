#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "mdp/process/solution.h"

namespace tidewise::mdp {

/// Difference between learned and exact values, in the states where an agent acted.
struct ExactComparison {
  double greatest_difference = 0;
  double mean_difference = 0;  ///< mean of |difference|
  std::int64_t states = 0;     ///< number of states where an agent acted
};

/// Compares learned values with `exact`, V*, (state).
template <class Real, class Exact>
ExactComparison compare_with_exact(const ProcessSolution<Real>& solution,
                                   const std::vector<Exact>& exact) {
  ExactComparison comparison;
  const std::vector<std::int64_t>& visits = solution.learning.visits;
  const std::size_t actions = exact.empty() ? 0 : visits.size() / exact.size();
  double sum = 0;
  for (std::size_t s = 0; s < exact.size(); ++s) {
    const auto* state_visits = visits.data() + s * actions;
    if (!std::any_of(state_visits, state_visits + actions, [](std::int64_t n) { return n > 0; }))
      continue;
    const double difference =
        std::abs(static_cast<double>(solution.value[s]) - static_cast<double>(exact[s]));
    comparison.greatest_difference = std::max(comparison.greatest_difference, difference);
    sum += difference;
    ++comparison.states;
  }
  if (comparison.states > 0) comparison.mean_difference = sum / double(comparison.states);
  return comparison;
}

/// Difference between two solutions of one process: number of equal actions, and distances of
/// values.
struct SolutionComparison {
  std::int64_t states = 0;         ///< number of states
  std::int64_t same_actions = 0;   ///< states with the same action in both, or none in both
  double mean_difference = 0;      ///< mean of |V_A − V_B|
  double greatest_difference = 0;  ///< max |V_A − V_B|
  std::int64_t state_of_greatest = 0;

  double same_share() const {
    return states > 0 ? static_cast<double>(same_actions) / static_cast<double>(states) : 1;
  }
};

/// Compares two solutions with the same number of states. Values that are infinite in both are
/// equal.
inline SolutionComparison compare_solutions(const ProcessSolution<double>& a,
                                            const ProcessSolution<double>& b) {
  SolutionComparison comparison;
  comparison.states = static_cast<std::int64_t>(a.value.size());
  double sum = 0;
  for (std::size_t s = 0; s < a.value.size(); ++s) {
    if (a.action[s] == b.action[s]) ++comparison.same_actions;
    const double difference = a.value[s] == b.value[s] ? 0 : std::abs(a.value[s] - b.value[s]);
    sum += difference;
    if (difference <= comparison.greatest_difference) continue;
    comparison.greatest_difference = difference;
    comparison.state_of_greatest = static_cast<std::int64_t>(s);
  }
  if (comparison.states > 0) comparison.mean_difference = sum / double(comparison.states);
  return comparison;
}

}  // namespace tidewise::mdp

#include "mdp/savings/validation.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "mdp/savings/utility.h"

namespace tidewise::mdp {
namespace {

/// The interval of the assets that contains a: 0 … count − 2.
std::size_t interval_of(const std::vector<double>& assets, double a) {
  const auto above = std::upper_bound(assets.begin(), assets.end(), a) - assets.begin();
  return std::min(static_cast<std::size_t>(std::max<std::ptrdiff_t>(above - 1, 0)),
                  assets.size() - 2);
}

/// β (1 + r) E[u'(c') | e] at assets a'.
double marginal_later(const SavingsProblem& problem, const UtilityView& utility,
                      const std::vector<double>& consumption, std::size_t e, double saving) {
  const std::size_t count = problem.assets.size();
  const std::size_t i = interval_of(problem.assets, saving);
  const double t = (saving - problem.assets[i]) / (problem.assets[i + 1] - problem.assets[i]);
  const std::size_t states = problem.productivity.count();
  double sum = 0;
  for (std::size_t to = 0; to < states; ++to) {
    const double* c = consumption.data() + to * count + i;
    sum += problem.productivity.transition[e * states + to] *
           utility.marginal(c[0] + t * (c[1] - c[0]));
  }
  return problem.discount * (1 + problem.interest) * sum;
}

}  // namespace

EulerErrors euler_errors(const SavingsProblem& problem, const SavingsSolution& solution) {
  EulerErrors found;
  const std::size_t count = problem.assets.size();
  found.error.assign(problem.state_count(), std::numeric_limits<double>::quiet_NaN());
  const std::vector<double> slopes = problem.utility.slopes();
  const UtilityView utility{problem.utility.consumption, problem.utility.utility, slopes};
  double sum = 0;
  for (std::size_t n = 0; n < problem.state_count(); ++n) {
    const double saving = solution.saving[n];
    const double ratio = marginal_later(problem, utility, solution.consumption, n / count, saving) /
                         utility.marginal(solution.consumption[n]);
    if (saving <= problem.assets.front()) {
      ++found.constrained;
      found.greatest_violation = std::max(found.greatest_violation, ratio - 1);
    } else if (saving < problem.assets.back()) {
      ++found.unconstrained;
      found.error[n] = std::fabs(1 - 1 / ratio);
      found.max = std::max(found.max, found.error[n]);
      sum += found.error[n];
    }
  }
  found.mean = found.unconstrained > 0 ? sum / static_cast<double>(found.unconstrained) : 0;
  return found;
}

SavingsComparison compare_savings(const SavingsProblem& problem, const SavingsSolution& first,
                                  const SavingsSolution& second) {
  SavingsComparison found;
  const std::vector<double>& assets = problem.assets;
  for (std::size_t n = 0; n < problem.state_count(); ++n) {
    const double more = first.value[n] - second.value[n];
    found.greatest_excess = std::max(found.greatest_excess, more);
    found.greatest_shortfall = std::max(found.greatest_shortfall, -more);
    const std::size_t i = interval_of(assets, second.saving[n]);
    const double difference =
        std::fabs(first.saving[n] - second.saving[n]) / (assets[i + 1] - assets[i]);
    found.greatest_difference = std::max(found.greatest_difference, difference);
    found.mean_difference += difference;
  }
  found.mean_difference /= static_cast<double>(problem.state_count());
  return found;
}

}  // namespace tidewise::mdp

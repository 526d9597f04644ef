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
  EulerErrors result;
  const std::size_t count = problem.assets.size();
  result.error.assign(problem.state_count(), std::numeric_limits<double>::quiet_NaN());
  const std::vector<double> slopes = problem.utility.slopes();
  const UtilityView utility{problem.utility.consumption, problem.utility.utility, slopes};
  double sum = 0;
  for (std::size_t n = 0; n < problem.state_count(); ++n) {
    const double saving = solution.saving[n];
    const double ratio = marginal_later(problem, utility, solution.consumption, n / count, saving) /
                         utility.marginal(solution.consumption[n]);
    if (saving <= problem.assets.front()) {
      ++result.constrained;
      result.greatest_violation = std::max(result.greatest_violation, ratio - 1);
    } else if (saving < problem.assets.back()) {
      ++result.unconstrained;
      result.error[n] = std::fabs(1 - 1 / ratio);
      result.max = std::max(result.max, result.error[n]);
      sum += result.error[n];
    }
  }
  result.mean = result.unconstrained > 0 ? sum / static_cast<double>(result.unconstrained) : 0;
  return result;
}

SavingsComparison compare_savings(const SavingsProblem& problem, const SavingsSolution& first,
                                  const SavingsSolution& second) {
  SavingsComparison result;
  const std::vector<double>& assets = problem.assets;
  for (std::size_t n = 0; n < problem.state_count(); ++n) {
    const double excess = first.value[n] - second.value[n];
    result.greatest_excess = std::max(result.greatest_excess, excess);
    result.greatest_shortfall = std::max(result.greatest_shortfall, -excess);
    const std::size_t i = interval_of(assets, second.saving[n]);
    const double difference =
        std::fabs(first.saving[n] - second.saving[n]) / (assets[i + 1] - assets[i]);
    result.greatest_difference = std::max(result.greatest_difference, difference);
    result.mean_difference += difference;
  }
  result.mean_difference /= static_cast<double>(problem.state_count());
  return result;
}

}  // namespace tidewise::mdp

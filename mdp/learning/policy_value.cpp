#include "mdp/learning/policy_value.h"

#include <algorithm>
#include <cmath>

#include "mdp/policy/policy_rows.h"
#include "mdp/process/first_values.h"

namespace tidewise::mdp {

template <class Real>
std::vector<Real> policy_value(const DecisionProcess<Real>& process,
                               const std::vector<std::int32_t>& action, std::int32_t threads) {
  constexpr double accuracy = 1e-9;
  std::vector<Real> value = first_values(process);
  std::vector<Real> next = value;
  PolicyRows<Real> rows(view_of(process), threads, SumOrder::of_rows);
  rows.take(action, value.data());
  // After this number of sweeps the error is below the accuracy, for any initial error relative to
  // V.
  const double discount = process.discount;
  const double sweeps = discount > 0 ? std::log(accuracy * accuracy) / std::log(discount) : 1;
  for (double sweep = 0; sweep <= sweeps; ++sweep) {
    const ValueChange change = rows.sweep(value.data(), next.data());
    std::swap(value, next);
    double max = 0;
    for (const Real v : value) max = std::max(max, std::abs(static_cast<double>(v)));
    if (discount * change.residual() <= (1 - discount) * accuracy * max) break;
  }
  return value;
}

template std::vector<float> policy_value(const DecisionProcess<float>&,
                                         const std::vector<std::int32_t>&, std::int32_t);
template std::vector<double> policy_value(const DecisionProcess<double>&,
                                          const std::vector<std::int32_t>&, std::int32_t);

}  // namespace tidewise::mdp

#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "mdp/process/decision_process.h"

namespace tidewise::mdp {

/// Q(s, a) − V(s) in double, for validation of results. The row p is normalized to p / Σ p:
///   r + γ Σ p (V(t) − V(s)) / Σ p − (1 − γ) V(s)
/// So the probability of staying in s and a constant offset of values cause no rounding, and near γ
/// = 1 the error depends on differences of values, not on values.
struct RowGain {
  double gain = 0;
  double error = 0;   ///< bound of its rounding error
  double ending = 0;  ///< share of terminal states in Σ p, if requested
};

/// Computes the RowGain of a row. `is_nonterminal`: (state), 0 if it is terminal; null: `ending` is
/// not computed.
template <class Real>
RowGain gain_of_row(const DecisionProcess<Real>& process, const std::vector<Real>& value,
                    std::int32_t state, std::int64_t row,
                    const std::uint8_t* is_nonterminal = nullptr) {
  constexpr double unit = std::numeric_limits<double>::epsilon();  // two roundings
  const auto at = static_cast<std::size_t>(row);
  const auto state_value = static_cast<double>(value[state]);
  double sum = 0;
  double differences = 0;
  double magnitude = 0;
  double ending = 0;
  for (auto n = process.row_begin[at]; n < process.row_begin[at + 1]; ++n) {
    const auto entry = static_cast<std::size_t>(n);
    const auto next = static_cast<std::size_t>(process.successor[entry]);
    const auto probability = static_cast<double>(process.probability[entry]);
    const double difference = static_cast<double>(value[next]) - state_value;
    sum += probability;
    differences = std::fma(probability, difference, differences);
    magnitude = std::fma(probability, std::abs(difference), magnitude);
    if (is_nonterminal != nullptr && is_nonterminal[next] == 0) ending += probability;
  }
  const auto reward = static_cast<double>(process.reward[at]);
  const double share = process.discount / sum;
  const double rest = 1 - process.discount;
  const auto length = static_cast<double>(process.row_begin[at + 1] - process.row_begin[at]);
  // Half a unit for each of n products and sums, of the row's sum and of the rest; doubled to cover
  // the rounding of this bound. Underflow is added.
  const double total_magnitude =
      std::abs(reward) + share * magnitude + rest * std::abs(state_value);
  const double error =
      (length + 5) * (unit * total_magnitude + std::numeric_limits<double>::denorm_min());
  return {reward + share * differences - rest * state_value, total_magnitude > 0 ? error : 0,
          ending / sum};
}

}  // namespace tidewise::mdp

#include "env/weights.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/error.h"
#include "env/error/codes.h"

namespace tidewise {

std::vector<std::uint32_t> to_integer_weights(const std::vector<double>& weights,
                                              std::uint32_t total) {
  double sum = 0;
  for (std::size_t r = 0; r < weights.size(); ++r) {
    if (!std::isfinite(weights[r]) || weights[r] < 0) {
      throw input_error(errors::weight_invalid, weights[r], r);
    }
    sum += weights[r];
  }
  if (!(sum > 0)) throw input_error(errors::weights_all_zero);
  if (!std::isfinite(sum)) {
    throw input_error(errors::weights_too_large, *std::max_element(weights.begin(), weights.end()));
  }

  std::vector<std::uint32_t> integers(weights.size());
  std::vector<double> remainder(weights.size());
  std::uint32_t assigned = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const double exact = weights[i] / sum * total;
    integers[i] = static_cast<std::uint32_t>(std::floor(exact));
    remainder[i] = exact - integers[i];
    assigned += integers[i];
  }
  std::vector<std::size_t> order(weights.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return remainder[a] > remainder[b]; });
  for (std::size_t n = 0; assigned < total; ++n, ++assigned) ++integers[order[n % order.size()]];
  return integers;
}

std::vector<double> realization_shares(const EnvironmentInfo& info) {
  const auto count = static_cast<std::size_t>(info.realization_count);
  std::vector<double> shares(count, 1.0 / static_cast<double>(count));
  for (std::size_t r = 0; r < info.realization_weight.size(); ++r) {
    shares[r] = static_cast<double>(info.realization_weight[r]) / weight_total;
  }
  return shares;
}

}  // namespace tidewise

#include "env/gyre/modes/coefficient_dynamics.h"

#include <algorithm>
#include <array>

#include "env/gyre/flow/fixed_order_sum.h"
#include "env/gyre/flow/small_work.h"

namespace tidewise::gyre {
namespace {

constexpr std::size_t dynamics_chunk = 256;  // realizations; all that is read of them fits in cache

void chunk_tendency(const OrthogonalState& state, const CoefficientMoments& moments,
                    const ModeInteractions& interactions, std::size_t begin, std::size_t count,
                    OrthogonalState& tendency) {
  const std::size_t modes = state.mode_count();
  for (std::size_t k = 0; k < modes; ++k) {
    double* out = tendency.coefficients_of(k) + begin;
    std::fill_n(out, count, 0.0);
    for (std::size_t m = 0; m < modes; ++m) {
      add_multiple(out, interactions.linear[m * modes + k], state.coefficients_of(m) + begin,
                   count);
    }
  }
  std::array<double, dynamics_chunk> product;
  std::size_t pair = 0;
  for (std::size_t m = 0; m < modes; ++m) {
    for (std::size_t n = m; n < modes; ++n, ++pair) {
      const double* first = state.coefficients_of(m) + begin;
      const double* second = state.coefficients_of(n) + begin;
      const double covariance = moments.covariance(m, n);
      for (std::size_t r = 0; r < count; ++r) product[r] = first[r] * second[r] - covariance;
      const double both_orders = m == n ? 1.0 : 2.0;
      for (std::size_t k = 0; k < modes; ++k) {
        add_multiple(tendency.coefficients_of(k) + begin,
                     both_orders * interactions.quadratic[pair * modes + k], product.data(), count);
      }
    }
  }
}

}  // namespace

void coefficient_tendency(const OrthogonalState& state, const CoefficientMoments& moments,
                          const ModeInteractions& interactions, OrthogonalState& tendency) {
  const std::size_t realizations = state.realization_count;
  const std::size_t modes = state.mode_count();
  const std::size_t chunks = (realizations + dynamics_chunk - 1) / dynamics_chunk;
#pragma omp parallel for schedule(static) if (realizations * modes * modes * modes > small_work)
  for (std::size_t chunk = 0; chunk < chunks; ++chunk) {
    const std::size_t begin = chunk * dynamics_chunk;
    chunk_tendency(state, moments, interactions, begin,
                   std::min(dynamics_chunk, realizations - begin), tendency);
  }
}

}  // namespace tidewise::gyre

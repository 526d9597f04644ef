#include "env/import/source/reduced_level.h"

#include <algorithm>
#include <numeric>

namespace tidewise::ingest {
namespace {

float to_float(double value) { return static_cast<float>(value); }

}  // namespace

void spread_over_water(const std::vector<double>& values, const LevelEnsemble& level, float* u,
                       float* v) {
  const std::size_t cells = level.land.size();
  const std::size_t water = level.water.size();
  std::fill(u, u + cells, 0.0F);
  std::fill(v, v + cells, 0.0F);
  for (std::size_t n = 0; n < water; ++n) {
    u[level.water[n]] = to_float(values[n]);
    v[level.water[n]] = to_float(values[water + n]);
  }
}

void fill_velocity(const EnsembleReduction& reduction, const LevelEnsemble& level,
                   std::size_t mode_count, LevelFields<>& fields) {
  const std::size_t cells = level.land.size();
  spread_over_water(reduction.mean(), level, fields.u_mean.data(), fields.v_mean.data());
  for (std::size_t m = 0; m < mode_count; ++m) {
    spread_over_water(reduction.mode(m), level, fields.u_mode.data() + m * cells,
                      fields.v_mode.data() + m * cells);
  }
}

void fill_coefficients(const EnsembleReduction& reduction, const std::vector<double>& weights,
                       std::size_t mode_count, LevelFields<>& fields) {
  float* out = fields.coefficient.data();
  for (std::size_t m = 0; m < mode_count; ++m) {
    const auto coefficients = reduction.coefficients(m);
    if (weights.empty()) {
      out = std::transform(coefficients.begin(), coefficients.end(), out, to_float);
      continue;
    }
    for (auto weight = weights.begin(); weight != weights.end();
         weight += static_cast<std::ptrdiff_t>(coefficients.size())) {
      *out++ = to_float(std::inner_product(coefficients.begin(), coefficients.end(), weight, 0.0));
    }
  }
}

}  // namespace tidewise::ingest

#include "env/resample/reduced_level.h"

#include <cmath>
#include <numeric>

namespace tidewise {

ReducedLevel reduce_level(const StackedLevel& level, const std::vector<double>& shares) {
  const std::size_t values = level.mean.size();
  const std::size_t modes = level.modes.size() / values;
  std::vector<double> sizes;
  for (std::size_t m = 0; m < modes; ++m) {
    const double* mode = level.modes.data() + m * values;
    sizes.push_back(std::sqrt(std::inner_product(mode, mode + values, mode, 0.0)));
  }
  StandIns stand_ins = find_stand_ins(level.coefficient, shares, sizes);
  std::vector<double> samples;
  samples.reserve(stand_ins.count * values);
  for (std::size_t n = 0; n < stand_ins.count; ++n) {
    samples.insert(samples.end(), level.mean.begin(), level.mean.end());
    double* sample = samples.data() + n * values;
    for (std::size_t m = 0; m < modes; ++m) {
      const double coefficient = stand_ins.coefficient[m * stand_ins.count + n];
      const double* mode = level.modes.data() + m * values;
      for (std::size_t value = 0; value < values; ++value) {
        sample[value] += coefficient * mode[value];
      }
    }
  }
  const std::size_t count = stand_ins.count;
  return {std::move(stand_ins), EnsembleReduction(std::move(samples), count)};
}

}  // namespace tidewise

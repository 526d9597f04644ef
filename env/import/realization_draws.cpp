#include "env/import/realization_draws.h"

#include <cmath>
#include <numbers>

#include "base/random.h"

namespace tidewise::ingest {

std::vector<double> draw_member_weights(std::size_t realizations, std::size_t members,
                                        std::uint64_t seed) {
  const Philox random(seed);
  const double deviation = 1 / std::sqrt(static_cast<double>(members));
  std::vector<double> weights;
  for (std::size_t realization = 0; realization < realizations; ++realization) {
    for (std::size_t member = 0; member < members; ++member) {
      const auto words =
          random(static_cast<std::uint32_t>(realization), static_cast<std::uint32_t>(member));
      // Box-Muller; 1 - u lies in (0, 1], where the logarithm is finite.
      const double radius = std::sqrt(-2 * std::log(1 - to_unit(words.word[0])));
      const double angle = 2 * std::numbers::pi * to_unit(words.word[1]);
      weights.push_back(deviation * radius * std::cos(angle));
    }
  }
  return weights;
}

}  // namespace tidewise::ingest

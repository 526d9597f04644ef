#pragma once

#include <cstddef>
#include <cstdint>

#include "solver/step/landing_rule.h"

namespace tidewise {

/// Probability, and with it the spent and harvested energy of all that it stands for.
struct Probability {
  double probability = 0;
  double spent = 0;
  double harvested = 0;

  TIDEWISE_HOST_DEVICE Probability& operator+=(const Probability& other) {
    probability += other.probability;
    spent += other.spent;
    harvested += other.harvested;
    return *this;
  }
};

/// One landing of a cell's mass.
struct LandedProbability {
  StepOutcome outcome = StepOutcome::under_way;
  Probability probability;
  double reward = 0;  ///< of the step, times the probability
};

inline constexpr std::int32_t end_count = 4;  ///< the outcomes that end a flight

/// What came of one step of some mass.
struct StepTotals {
  Probability ended[end_count];  ///< by StepOutcome
  double value = 0;              ///< Σ probability · reward, over all landings

  /// For code that sums it part by part.
  static constexpr std::size_t part_count = 3 * end_count + 1;
  TIDEWISE_HOST_DEVICE double& part(std::size_t n) {
    if (n + 1 == part_count) return value;
    Probability& probability = ended[n / 3];
    return n % 3 == 0 ? probability.probability
                      : (n % 3 == 1 ? probability.spent : probability.harvested);
  }
  TIDEWISE_HOST_DEVICE double part(std::size_t n) const {
    if (n + 1 == part_count) return value;
    const Probability& probability = ended[n / 3];
    return n % 3 == 0 ? probability.probability
                      : (n % 3 == 1 ? probability.spent : probability.harvested);
  }

  TIDEWISE_HOST_DEVICE void add(const LandedProbability& landed) {
    value += landed.reward;
    for (std::int32_t end = 0; end < end_count; ++end) {
      if (end == static_cast<std::int32_t>(landed.outcome)) ended[end] += landed.probability;
    }
  }
  StepTotals& operator+=(const StepTotals& other) {
    for (std::int32_t end = 0; end < end_count; ++end) ended[end] += other.ended[end];
    value += other.value;
    return *this;
  }
};

}  // namespace tidewise

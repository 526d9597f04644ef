#pragma once

#include <cstdint>

#include "solver/landing_rule.h"

namespace tidewise {

/// Probability, and with it the spent and harvested energy of all that it stands for.
struct Mass {
  double probability = 0;
  double spent = 0;
  double harvested = 0;

  TIDEWISE_HOST_DEVICE Mass& operator+=(const Mass& other) {
    probability += other.probability;
    spent += other.spent;
    harvested += other.harvested;
    return *this;
  }
};

/// One landing of a cell's mass.
struct LandedMass {
  StepOutcome outcome = StepOutcome::under_way;
  Mass mass;
  double reward = 0;  ///< of the step, times the probability
};

inline constexpr std::int32_t end_count = 4;  ///< the outcomes that end a flight

/// What came of one step of some mass. Sums over cells go by its parts alone.
struct StepTotals {
  Mass ended[end_count];  ///< by StepOutcome
  double value = 0;       ///< Σ probability · reward, over all landings

  TIDEWISE_HOST_DEVICE void add(const LandedMass& landed) {
    value += landed.reward;
    for (std::int32_t end = 0; end < end_count; ++end) {
      if (end == static_cast<std::int32_t>(landed.outcome)) ended[end] += landed.mass;
    }
  }
  StepTotals& operator+=(const StepTotals& other) {
    for (std::int32_t end = 0; end < end_count; ++end) ended[end] += other.ended[end];
    value += other.value;
    return *this;
  }
};

/// The parts of StepTotals, for code that sums them one by one.
inline constexpr std::int32_t totals_parts = 3 * end_count + 1;
static_assert(sizeof(StepTotals) == totals_parts * sizeof(double));

}  // namespace tidewise

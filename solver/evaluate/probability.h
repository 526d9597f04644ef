#pragma once

#include <cstddef>
#include <cstdint>

#include "solver/step/landing_rule.h"

namespace tidewise {

/// Probability mass, with the spent and harvested energy times the probability.
struct Probability {
  double probability = 0;
  double spent = 0;
  double harvested = 0;

  /// Adds probability and energies.
  TIDEWISE_HOST_DEVICE Probability& operator+=(const Probability& other) {
    probability += other.probability;
    spent += other.spent;
    harvested += other.harvested;
    return *this;
  }
};

/// One landing of a cell's mass.
struct LandedProbability {
  StepEnd end;
  Probability probability;
  double reward = 0;  ///< reward of the step, times the probability
};

inline constexpr std::int32_t end_count = 6;  ///< number of outcomes that end a flight

/// Totals of a step of some mass.
struct StepTotals {
  Probability ended[end_count];  ///< by StepOutcome
  double value = 0;              ///< Σ probability · reward, over all landings
  /// Σ probability · (1 − fraction), over mass that arrives during the step.
  double saved = 0;

  /// Number of doubles that part() numbers, for code that sums part by part.
  static constexpr std::size_t part_count = 3 * end_count + 2;
  /// The n-th number, 0 ≤ n < part_count.
  TIDEWISE_HOST_DEVICE double& part(std::size_t n) {
    if (n + 1 == part_count) return value;
    if (n + 2 == part_count) return saved;
    Probability& probability = ended[n / 3];
    return n % 3 == 0 ? probability.probability
                      : (n % 3 == 1 ? probability.spent : probability.harvested);
  }
  /// The n-th number, 0 ≤ n < part_count.
  TIDEWISE_HOST_DEVICE double part(std::size_t n) const {
    if (n + 1 == part_count) return value;
    if (n + 2 == part_count) return saved;
    const Probability& probability = ended[n / 3];
    return n % 3 == 0 ? probability.probability
                      : (n % 3 == 1 ? probability.spent : probability.harvested);
  }

  /// Adds a landing.
  TIDEWISE_HOST_DEVICE void add(const LandedProbability& landed) {
    value += landed.reward;
    saved += landed.probability.probability * (1 - static_cast<double>(landed.end.fraction));
    for (std::int32_t end = 0; end < end_count; ++end) {
      if (end == static_cast<std::int32_t>(landed.end.outcome)) ended[end] += landed.probability;
    }
  }
  StepTotals& operator+=(const StepTotals& other) {
    for (std::int32_t end = 0; end < end_count; ++end) ended[end] += other.ended[end];
    value += other.value;
    saved += other.saved;
    return *this;
  }
};

}  // namespace tidewise

#pragma once

#include "env/environment_info.h"
#include "solver/step/mission.h"
#include "solver/step/outcome.h"

namespace tidewise {

/// The fields that the step from level k to k+1 reads, in the memory (host or device) of the code
/// that computes the step. Trivially copyable.
struct OutcomeFields {
  View<const std::uint8_t> masked_now;   ///< at k, (y, x)
  View<const std::uint8_t> masked_next;  ///< at k+1
  View<const float> scalar_now;          ///< at k, (y, x); may be empty except for `net_energy`
  View<const float> scalar_next;
  View<const float> value_next;  ///< v(k+1, ·), (y, x)
};

/// Rule for the ends of landings in the step from level k. `target`: the mission's, (y, x).
LandingRule landing_rule(const EnvironmentInfo& info, const Mission& mission, TimeLevel k,
                         View<const std::uint8_t> target, View<const std::uint8_t> masked_now,
                         View<const std::uint8_t> masked_next);

/// Rule for the values of landings. Borrows the memory of the views.
OutcomeRule outcome_rule(const EnvironmentInfo& info, const Mission& mission, TimeLevel k,
                         View<const std::uint8_t> target, const OutcomeFields& fields);

/// Values of cells without an action.
BoundaryValue boundary_value(const EnvironmentInfo& info, const Mission& mission);

}  // namespace tidewise

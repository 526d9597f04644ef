#pragma once

#include "env/environment_info.h"
#include "solver/step/mission.h"
#include "solver/step/outcome.h"

namespace tidewise {

/// The fields that the step from level k to k+1 sees, in the memory of whoever computes it.
/// Trivially copyable.
struct OutcomeFields {
  View<const std::uint8_t> masked_now;   ///< at k, (y, x)
  View<const std::uint8_t> masked_next;  ///< at k+1
  View<const float> scalar_now;          ///< at k, (y, x); may be empty but for `net_energy`
  View<const float> scalar_next;
  View<const float> value_next;  ///< v(k+1, ·), (y, x)
};

/// How landings of the step from level k end. `target`: the mission's, (y, x).
LandingRule landing_rule(const EnvironmentInfo& info, const Mission& mission, TimeLevel k,
                         View<const std::uint8_t> target, View<const std::uint8_t> masked_now,
                         View<const std::uint8_t> masked_next);

/// What they are worth. Borrows what the views see.
OutcomeRule outcome_rule(const EnvironmentInfo& info, const Mission& mission, TimeLevel k,
                         View<const std::uint8_t> target, const OutcomeFields& fields);

/// What its cells without an action are worth.
BoundaryValue boundary_value(const EnvironmentInfo& info, const Mission& mission);

}  // namespace tidewise

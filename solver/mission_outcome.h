#pragma once

#include "env/environment_info.h"
#include "solver/mission.h"
#include "solver/outcome.h"

namespace tidewise {

/// What landing is worth in the step from level k, but for the fields: the caller sets the views,
/// which lie where its backend computes.
OutcomeRule outcome_without_fields(const EnvironmentInfo& info, const Mission& mission,
                                   TimeLevel k);

/// Refuses values that are not finite, of which harvesting alone is capable in a mission that was
/// resolved. value: (y, x), of level k. Errors: InputError.
void refuse_overflow(const Grid& grid, TimeLevel k, View<const float> value);

}  // namespace tidewise

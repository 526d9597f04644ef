#pragma once

#include "env/environment_info.h"
#include "solver/step/mission.h"
#include "solver/step/outcome.h"

namespace tidewise {

/// What landing is worth in the step from level k, but for the fields: the caller sets the views,
/// which lie where its backend computes.
OutcomeRule outcome_without_fields(const EnvironmentInfo& info, const Mission& mission,
                                   TimeLevel k);

}  // namespace tidewise

#pragma once

#include <cstdint>

#include "env/environment_info.h"
#include "solver/fly/trajectory.h"

namespace tidewise {

/// Flights through a realization count for its weight where the environment has weights; flights in
/// `chain` mode, which draw by weight, count alike.
RolloutStatistics summarize(const RolloutResult& rollout, const EnvironmentInfo& info);

}  // namespace tidewise

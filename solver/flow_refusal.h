#pragma once

#include <vector>

#include "env/environment_reader.h"
#include "model_builder/actions.h"
#include "solver/mission.h"

namespace tidewise {

/// Judges on the host a level whose flow a device refused, in the rows that the reader's window
/// decides on: throws what the CPU would. `mission` is the window's.
[[noreturn]] void explain_refused_flow(const EnvironmentReader& environment,
                                       const std::vector<Action>& actions, const Mission& mission,
                                       TimeLevel k);

}  // namespace tidewise

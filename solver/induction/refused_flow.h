#pragma once

#include <vector>

#include "env/file/reader.h"
#include "model_builder/step/actions.h"
#include "model_builder/step/position.h"
#include "solver/step/mission.h"

namespace tidewise {

/// Judges on the host a level whose flow a device refused in the step that some missions take
/// together, in the rows that the reader's window decides on; missions are the window's. Errors:
/// those of counting it on the CPU; RunError where the CPU finds nothing wrong.
[[noreturn]] void explain_refused_flow(const EnvironmentReader& environment,
                                       const PositionRule& rule, const std::vector<Action>& actions,
                                       const std::vector<const Mission*>& missions, TimeLevel k);

}  // namespace tidewise

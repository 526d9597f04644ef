#pragma once

#include <vector>

#include "env/file/reader.h"
#include "model_builder/step/actions.h"
#include "model_builder/step/position.h"
#include "solver/step/mission.h"

namespace tidewise {

/// Reports the error of a level whose flow a device refused. It checks on the host the step that
/// the missions take together, in the rows that the reader's window solves. `missions` are those of
/// the window. Errors: those of counting on the CPU; RunError if the CPU finds no error.
[[noreturn]] void explain_refused_flow(const EnvironmentReader& environment,
                                       const PositionRule& rule, const std::vector<Action>& actions,
                                       const std::vector<const Mission*>& missions, TimeLevel k);

}  // namespace tidewise

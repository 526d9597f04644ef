#pragma once

#include <string>

#include "app/cli/context.h"
#include "mdp/process/decision_process.h"

namespace tidewise {

/// Writes a decision process in the form that the ending of `out` names, and warns of what this
/// form has no place for. Errors: InputError where it cannot hold the process, RunError when
/// writing fails.
template <class Real>
void write_model(const std::string& out, const mdp::DecisionProcess<Real>& process,
                 const CommandContext& context, Progress& progress);

}  // namespace tidewise

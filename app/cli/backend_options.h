#pragma once

#include "app/cli/command.h"
#include "planner/backend/backend.h"

namespace tidewise {

// Backend options of commands without a mission; the others use MissionOptions::add_backend().

/// Adds --backend, --devices and --threads to a command.
void add_backend_options(Command command, BackendRequest& request);

/// Returns the backend that these options select. Errors: those of take_backend() of backend.h;
/// InputError for negative numbers.
Backend take_backend(const BackendRequest& request);

}  // namespace tidewise

#pragma once

#include "app/cli/command.h"
#include "planner/backend/backend.h"

namespace tidewise {

// Backend options of commands without a mission; the others use MissionOptions::add_backend().

/// Adds --backend, --devices and --threads to a command.
void add_backend_options(Command command, BackendRequest& request);

/// The backend that they lead to. Errors: those of the other take_backend(), InputError for numbers
/// that cannot be.
Backend take_backend(const BackendRequest& request);

}  // namespace tidewise

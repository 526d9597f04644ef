#pragma once

#include <cstdint>
#include <string>

#include "app/cli/command.h"
#include "planner/backend/backend.h"

namespace tidewise {

/// The options that say what a command computes on where there is no mission to say it.
struct SolverBackendOptions {
  std::string backend = "auto";  ///< or cpu, or cuda
  std::int32_t device = 0;
  std::int32_t threads = 0;  ///< 0: all cores that the process may use
};

/// Adds --backend, --device and --threads to a command.
void add_solver_backend_options(Command command, SolverBackendOptions& options);

/// The backend that they lead to; a GPU is started and current for this thread from then on.
/// Errors: InputError that says why no GPU can be taken where CUDA is asked for, and for numbers
/// that cannot be.
Backend take_backend(const SolverBackendOptions& options);

}  // namespace tidewise

#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>

#include "planner/backend/backend.h"

namespace tidewise {

/// The options that say what a command computes on where there is no mission to say it.
struct SolverBackendOptions {
  BackendChoice backend = BackendChoice::automatic;
  std::int32_t device = 0;
  std::int32_t threads = 0;  ///< 0: all cores that the process may use
};

/// Adds --backend, --device and --threads to a command.
void add_solver_backend_options(CLI::App& command, SolverBackendOptions& options);

/// The backend that they lead to; a GPU is started and current for this thread from then on.
/// Errors: InputError that says why no GPU can be taken where CUDA is asked for, and for numbers
/// that cannot be.
Backend take_backend(const SolverBackendOptions& options);

}  // namespace tidewise

#pragma once

#include <exception>
#include <string>

namespace tidewise {

inline constexpr int exit_success = 0;
inline constexpr int exit_run_failed = 1;
inline constexpr int exit_wrong_input = 2;

/// The exit status for an error that ended a run.
int status_of(const std::exception& error);

/// The reason for the end of a run, in this program's words also for exceptions of libraries.
std::string describe_failure(const std::exception& error);

/// Prints the error that ended a run on stderr, in one line. Returns its exit status.
int report_error(const std::exception& error);

}  // namespace tidewise

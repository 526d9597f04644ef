#pragma once

#include <exception>
#include <string>

namespace tidewise {

inline constexpr int exit_success = 0;
inline constexpr int exit_run_failed = 1;
inline constexpr int exit_wrong_input = 2;

/// The exit status that goes with what ended a run.
int status_of(const std::exception& error);

/// The reason for the end of a run, in this program's words also for exceptions of libraries.
std::string describe_failure(const std::exception& error);

/// Says on stderr, in one line, what ended a run, and returns the exit status that goes with it.
int report_error(const std::exception& error);

}  // namespace tidewise

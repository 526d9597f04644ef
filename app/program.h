#pragma once

#include <exception>
#include <string>

namespace tidewise {

/// Runs one command line and returns its exit status: 0 success, 1 the run failed, 2 the input was
/// wrong. Every error becomes one line on stderr here, and nowhere else.
int run_program(int argc, const char* const* argv);

/// What ended a run, in this program's words where a library threw it.
std::string describe_failure(const std::exception& error);

/// Says on stderr, in one line, what ended a run, and returns the exit status that goes with it.
int report_error(const std::exception& error);

}  // namespace tidewise

#pragma once

namespace tidewise {

/// Runs one command line and returns its exit status: 0 success, 1 the run failed, 2 the input was
/// wrong. Every error becomes one line on stderr here, and nowhere else.
int run_program(int argc, const char* const* argv);

}  // namespace tidewise

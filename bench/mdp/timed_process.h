#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace tidewise {

/// What a process took and said.
struct TimedProcess {
  double seconds = 0;       ///< of processors, user and system, its own children's included
  std::int64_t memory = 0;  ///< [B] the most that it held
  int status = 0;           ///< of its exit; −1: ended by a signal
  bool timed_out = false;   ///< it was ended after `most_seconds`
  std::string output;       ///< standard output
  std::string error;        ///< the last line of standard error
};

/// Starts a program, waits for its end, and looks at what the system counted of it. `environment`:
/// "NAME=value", on top of this process's. `folder`: where what it says goes meanwhile. Errors:
/// RunError where it cannot be started.
TimedProcess run_timed(const std::vector<std::string>& words,
                       const std::vector<std::string>& environment,
                       const std::filesystem::path& folder, double most_seconds);

}  // namespace tidewise

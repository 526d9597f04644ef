#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/parallel/communicator.h"
#include "base/progress.h"

namespace tidewise {

enum class Verbosity { normal, quiet };

/// Shared state of all commands: the command line, and whether progress and warnings are printed.
struct CommandContext {
  std::string command_line;                 ///< for the history attribute of files
  Verbosity verbosity = Verbosity::normal;  ///< --quiet

  /// The processes that were started together with this one; they are joined at the first call. One
  /// process if there are no others. Errors: those of join_processes().
  Communicator& communicator() const;
  /// The communicator if processes were joined, else null.
  Communicator* joined() const { return communicator_.get(); }

  /// Prints progress: a bar on a terminal, a line every few seconds elsewhere, nothing when quiet.
  /// It throws RunError when the user interrupts the program (interruption.h).
  std::unique_ptr<Progress> make_progress() const;
  /// Prints a warning in one line on stderr; nothing when quiet.
  void warn(std::string_view text) const;

 private:
  mutable std::unique_ptr<Communicator> communicator_;
};

}  // namespace tidewise

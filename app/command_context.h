#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/progress.h"

namespace tidewise {

enum class Verbosity { normal, quiet };

/// What every command shares: what the user typed, and how much is said while it runs.
struct CommandContext {
  std::string command_line;                 ///< for the history attribute of files
  Verbosity verbosity = Verbosity::normal;  ///< --quiet

  /// A bar on a terminal, a line every few seconds elsewhere, nothing when quiet. It throws
  /// RunError when the user interrupts the program (interruption.h).
  std::unique_ptr<Progress> make_progress() const;
  /// One line on stderr for what is allowed and hardly meant; nothing when quiet.
  void warn(std::string_view text) const;
};

}  // namespace tidewise

#pragma once

#include <memory>
#include <string_view>

#include "base/progress.h"

namespace tidewise {

/// Where commands speak to when it is not a terminal: another program that runs them within itself.
/// CurrentScope makes it so; null, commands speak to the terminal. Called by any thread of the
/// command.
class Outlet {
 public:
  virtual ~Outlet() = default;
  /// What a command was asked for.
  virtual void print(std::string_view text) = 0;
  /// What is allowed and hardly meant: one line.
  virtual void warn(std::string_view text) = 0;
  virtual std::unique_ptr<Progress> make_progress() = 0;
};

}  // namespace tidewise

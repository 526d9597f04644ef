#pragma once

#include <memory>
#include <nlohmann/json_fwd.hpp>
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
  /// The figures of what a command found. Returns whether it takes them; else a command that was
  /// asked for JSON prints it.
  virtual bool take(const nlohmann::ordered_json& /*figures*/) { return false; }
};

}  // namespace tidewise

#pragma once

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string_view>

#include "base/progress.h"

namespace tidewise {

/// Receives the output of commands inside another program instead of the terminal. Set by
/// CurrentScope; with null, commands print to the terminal. Called by any thread of the command.
class Outlet {
 public:
  virtual ~Outlet() = default;
  /// The result of a command.
  virtual void print(std::string_view text) = 0;
  /// A warning: one line.
  virtual void warn(std::string_view text) = 0;
  virtual std::unique_ptr<Progress> make_progress() = 0;
  /// The figures of what a command found. Returns whether it takes them; else a command that was
  /// asked for JSON prints it.
  virtual bool take(const nlohmann::ordered_json& /*figures*/) { return false; }
};

}  // namespace tidewise

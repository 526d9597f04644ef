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
  /// Receives text of a command's result.
  virtual void print(std::string_view text) = 0;
  /// Receives a warning of one line.
  virtual void warn(std::string_view text) = 0;
  virtual std::unique_ptr<Progress> make_progress() = 0;
  /// Receives the figures of a command's result. Returns true if the outlet uses them; if not, the
  /// command prints them when JSON was requested.
  virtual bool take(const nlohmann::ordered_json& /*figures*/) { return false; }
};

}  // namespace tidewise

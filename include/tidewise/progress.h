#pragma once

#include <cstdint>
#include <string_view>

namespace tidewise {

/// Interface for progress reports of long work; the command line draws them. An exception from it
/// ends the work, which cleans up and rethrows it. Use this to interrupt the work.
class Progress {
 public:
  virtual ~Progress() = default;
  /// Begins work of `total` units ("levels"; 0: unknown number) and ends the previous one.
  virtual void begin(std::string_view work, std::int64_t total, std::string_view unit) = 0;
  /// Reports that `done` units are complete.
  virtual void advance_to(std::int64_t done) = 0;
  /// Ends the work.
  virtual void end() = 0;
};

}  // namespace tidewise

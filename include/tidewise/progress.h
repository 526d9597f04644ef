#pragma once

#include <cstdint>
#include <string_view>

namespace tidewise {

/// Where long work says how far it is. The command line draws it; silent where none is given. What
/// it throws ends the work, which clears up and throws it on: the way to interrupt it.
class Progress {
 public:
  virtual ~Progress() = default;
  /// Work of `total` units ("levels"; 0: nobody knows how many) begins; ends the one before.
  virtual void begin(std::string_view work, std::int64_t total, std::string_view unit) = 0;
  /// `done` units of it are behind us.
  virtual void advance_to(std::int64_t done) = 0;
  /// The work is over.
  virtual void end() = 0;
};

}  // namespace tidewise

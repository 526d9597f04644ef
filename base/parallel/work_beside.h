#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "base/error.h"
#include "base/parallel/strand.h"
#include "base/progress.h"

namespace tidewise {

/// Work in another thread. finish() reports its progress, and an exception from there ends the
/// work.
class WorkBeside {
 public:
  /// Starts `work`. `text`: text of its progress; its unit is a level. Errors: RunError if no
  /// thread can be started.
  WorkBeside(std::string_view text, const std::function<void(Progress&)>& work);
  WorkBeside(const WorkBeside&) = delete;
  WorkBeside& operator=(const WorkBeside&) = delete;
  /// Ends the work at its next report of progress, and waits for that.
  ~WorkBeside();

  /// Waits until the work is complete. Errors: those of the work and of `progress`.
  void finish(Progress& progress);

 private:
  /// The work's progress, which finish() passes on in the thread of its caller.
  struct Relay final : Progress {
    void begin(std::string_view work, std::int64_t all, std::string_view unit) override;
    void advance_to(std::int64_t done) override;
    void end() override {}

    std::atomic<std::int64_t> total = 0;
    std::atomic<std::int64_t> completed = 0;
    std::atomic<bool> is_stopped = false;
  };

  std::string text_;
  Relay relay_;
  Strand thread_;  // last: its work uses the members above
};

}  // namespace tidewise

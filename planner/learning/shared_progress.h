#pragma once

#include <algorithm>
#include <cstdint>
#include <mutex>
#include <string_view>

#include "base/progress.h"

namespace tidewise {

/// Progress of work that several threads do.
class SharedProgress {
 public:
  SharedProgress(Progress& progress, std::string_view work, std::int64_t total,
                 std::string_view unit)
      : progress_(progress), total_(total) {
    progress_.begin(work, total, unit);
  }
  SharedProgress(const SharedProgress&) = delete;
  SharedProgress& operator=(const SharedProgress&) = delete;

  /// Adds `units` to the completed units, up to the total. Errors: those of the progress.
  void advance(std::int64_t units) {
    const std::lock_guard lock(mutex_);
    done_ += units;
    progress_.advance_to(std::min(done_, total_));
  }
  /// Reports the end of the work.
  void end() { progress_.end(); }

 private:
  Progress& progress_;
  std::int64_t total_;
  std::int64_t done_ = 0;
  std::mutex mutex_;
};

}  // namespace tidewise

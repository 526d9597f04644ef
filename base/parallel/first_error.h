#pragma once

#include <atomic>
#include <exception>

namespace tidewise {

/// Carries the first exception out of a parallel region, which exceptions must not leave. Threads
/// do their work through run(); call rethrow() after the region.
class FirstError {
 public:
  /// Runs `work` unless other work has already failed.
  template <class Work>
  void run(const Work& work) noexcept {
    if (failed_.load(std::memory_order_relaxed)) return;
    try {
      work();
    } catch (...) {
      if (!failed_.exchange(true)) error_ = std::current_exception();
    }
  }
  /// Throws the first exception, if any. Call it after the region.
  void rethrow() const {
    if (error_) std::rethrow_exception(error_);
  }

 private:
  std::atomic<bool> failed_ = false;
  std::exception_ptr error_;
};

}  // namespace tidewise

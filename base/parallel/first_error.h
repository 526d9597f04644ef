#pragma once

#include <atomic>
#include <exception>

namespace tidewise {

/// Carries the first exception out of a parallel region, where none may escape by itself. Every
/// thread runs its pieces of work through run(); after the region, rethrow().
class FirstError {
 public:
  /// Runs `work` unless another piece has failed already.
  template <class Work>
  void run(const Work& work) noexcept {
    if (failed_.load(std::memory_order_relaxed)) return;
    try {
      work();
    } catch (...) {
      if (!failed_.exchange(true)) error_ = std::current_exception();
    }
  }
  /// Throws what was caught first; does nothing where all went well. Call it after the region.
  void rethrow() const {
    if (error_) std::rethrow_exception(error_);
  }

 private:
  std::atomic<bool> failed_ = false;
  std::exception_ptr error_;
};

}  // namespace tidewise

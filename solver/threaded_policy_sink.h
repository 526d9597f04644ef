#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include "solver/policy.h"

namespace tidewise {

/// Hands levels on to another sink on a thread of its own, in their order, so that who solves need
/// not wait while they are packed and written. A few levels wait at most; then accept() does.
class ThreadedPolicySink final : public PolicySink {
 public:
  /// `inner` must outlive this object, and is this thread's alone until finish().
  explicit ThreadedPolicySink(PolicySink& inner, std::size_t most_waiting = 8);
  ThreadedPolicySink(const ThreadedPolicySink&) = delete;
  ThreadedPolicySink& operator=(const ThreadedPolicySink&) = delete;
  /// Drops the levels that still wait.
  ~ThreadedPolicySink() override;

  /// Copies the level. Errors: what `inner` threw at an earlier one.
  void accept(TimeLevel k, View<const std::int16_t> action, View<const float> value) override;
  /// Waits until all levels have been handed on. Errors: what `inner` threw.
  void finish();
  /// Seconds that accept() has waited for `inner`.
  double waited_seconds() const { return waited_; }

 private:
  struct Level {
    TimeLevel k;
    std::vector<std::int16_t> action;
    std::vector<float> value;
  };

  void hand_on();
  void stop();
  bool failed() const { return error_ != nullptr; }

  PolicySink& inner_;
  std::size_t most_waiting_;
  double waited_ = 0;
  std::mutex mutex_;                    // for all below
  std::condition_variable change_;      // of anything below
  std::deque<Level> waiting_;           // oldest first; the one at work stays in front
  std::vector<Level> spare_;            // memory to use again
  std::exception_ptr error_ = nullptr;  // what inner_ threw
  enum class End { none, after_all, now } end_ = End::none;
  std::thread thread_;  // last: it begins when all else is there
};

}  // namespace tidewise

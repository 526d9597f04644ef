#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace tidewise {

/// Threads that do what they are given, in the order in which it was given. Its functions may be
/// called from several threads.
class ThreadPool {
 public:
  /// `threads` ≥ 1. Errors: RunError where not all of them can be started.
  explicit ThreadPool(std::size_t threads);
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;
  /// Does all that it was given before.
  ~ThreadPool();

  /// `work` throws nothing.
  void run(std::function<void()> work);

 private:
  void work_on();

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> waiting_;
  bool closed_ = false;
  std::vector<std::jthread> threads_;  // the last to be made: they use all of the above
};

}  // namespace tidewise

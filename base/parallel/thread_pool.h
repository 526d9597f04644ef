#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace tidewise {

/// Threads that run work in the order in which it was given. Thread-safe.
class ThreadPool {
 public:
  /// `threads` ≥ 1. Errors: RunError if not all of them can be started.
  explicit ThreadPool(std::size_t threads);
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;
  /// Completes all work given before.
  ~ThreadPool();

  /// Adds work, which must not throw.
  void run(std::function<void()> work);

 private:
  void work_on();

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> waiting_;
  bool closed_ = false;
  std::vector<std::jthread> threads_;  // last member, because the threads use the others
};

}  // namespace tidewise

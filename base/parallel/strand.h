#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <exception>
#include <functional>
#include <limits>
#include <mutex>
#include <optional>

#include "base/parallel/thread_pool.h"

namespace tidewise {

/// Runs pieces of work concurrently with the calling thread: one at a time, in the order given.
/// Only one thread may use it.
class Strand {
 public:
  /// Uses a pool that many strands share, which must outlive this object.
  explicit Strand(ThreadPool& pool) : pool_(pool) {}
  /// Uses a thread of its own. `room`: limit of waiting pieces, ≥ 1. Errors: RunError if no thread
  /// can be started.
  explicit Strand(std::size_t room = std::numeric_limits<std::size_t>::max())
      : own_pool_(1), pool_(*own_pool_), room_(room) {}
  Strand(const Strand&) = delete;
  Strand& operator=(const Strand&) = delete;
  /// Drops waiting pieces and completes the current one.
  ~Strand();

  /// Adds a piece; waits only if there is no room. Errors: the exception of an earlier piece; later
  /// ones are dropped.
  void put(std::function<void()> work);
  /// Waits until all pieces are done. Errors: the exception of a piece.
  void finish();
  /// Waits at most this long; true if all pieces are done.
  bool wait_for(std::chrono::milliseconds duration);

 private:
  void do_next();

  std::optional<ThreadPool> own_pool_;
  ThreadPool& pool_;
  std::size_t room_ = std::numeric_limits<std::size_t>::max();
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> waiting_;
  bool is_scheduled_ = false;  // the pool has a piece of this strand
  std::exception_ptr error_;
};

}  // namespace tidewise

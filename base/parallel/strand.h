#pragma once

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

/// Work that is done beside that of the thread which gives it: one piece at a time, in the order in
/// which it was given. Used by one thread.
class Strand {
 public:
  /// By the threads of a pool that many strands share, which must outlive this object.
  explicit Strand(ThreadPool& pool) : pool_(pool) {}
  /// By a thread of its own. `room`: pieces that may wait, ≥ 1. Errors: RunError where no thread
  /// can be started.
  explicit Strand(std::size_t room = std::numeric_limits<std::size_t>::max())
      : own_(1), pool_(*own_), room_(room) {}
  Strand(const Strand&) = delete;
  Strand& operator=(const Strand&) = delete;
  /// Drops what waits; the piece at hand is done to its end.
  ~Strand();

  /// Waits for nothing but room. Errors: what an earlier piece threw; those after that one are
  /// dropped.
  void put(std::function<void()> work);
  /// Waits until all pieces are done. Errors: what one threw.
  void finish();

 private:
  void do_next();

  std::optional<ThreadPool> own_;
  ThreadPool& pool_;
  std::size_t room_ = std::numeric_limits<std::size_t>::max();
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> waiting_;
  bool at_work_ = false;  // the pool has been given the next piece
  std::exception_ptr error_;
};

}  // namespace tidewise

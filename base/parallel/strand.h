#pragma once

#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>

#include "base/parallel/thread_pool.h"

namespace tidewise {

/// Work that is done one piece at a time, in the order in which it was given, by the threads of a
/// pool that many lines share. Used by one thread.
class Strand {
 public:
  /// `pool` must outlive this object.
  explicit Strand(ThreadPool& pool) : pool_(pool) {}
  Strand(const Strand&) = delete;
  Strand& operator=(const Strand&) = delete;
  /// Drops what waits; the piece at hand is done to its end.
  ~Strand();

  /// Waits for nothing. Errors: what an earlier piece threw; those after that one are dropped.
  void put(std::function<void()> work);
  /// Waits until all pieces are done. Errors: what one threw.
  void finish();

 private:
  void do_next();

  ThreadPool& pool_;
  std::mutex mutex_;
  std::condition_variable ended_;
  std::deque<std::function<void()>> waiting_;
  bool at_work_ = false;  // the pool has been given the next piece
  std::exception_ptr error_;
};

}  // namespace tidewise

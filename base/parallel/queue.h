#pragma once

#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <utility>

#include "base/parallel/start_thread.h"

namespace tidewise {

/// Hands pieces of work to a thread of its own, in order, so that whoever makes them goes on
/// meanwhile. Used by one thread.
template <class Item>
class BoundedQueue {
 public:
  /// `take` is called with each item by the conveyor's thread. `room`: items that may wait, ≥ 1.
  /// Errors: RunError where no thread can be started.
  BoundedQueue(std::size_t room, std::function<void(Item&&)> take)
      : room_(room), take_(std::move(take)), thread_(start_thread([this] { run(); })) {}
  BoundedQueue(const BoundedQueue&) = delete;
  BoundedQueue& operator=(const BoundedQueue&) = delete;
  /// Without finish(), items that wait are dropped; the one at hand is taken to its end.
  ~BoundedQueue() {
    {
      const std::lock_guard lock(mutex_);
      items_.clear();
      closed_ = true;
    }
    changed_.notify_all();
    if (thread_.joinable()) thread_.join();
  }

  /// Waits for room, and hands the item over. Errors: what `take` threw for an earlier one.
  void put(Item item) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return items_.size() < room_ || error_; });
    if (error_) std::rethrow_exception(error_);
    items_.push_back(std::move(item));
    lock.unlock();
    changed_.notify_all();
  }

  /// Waits until every item was taken; no more may come. Errors: what `take` threw.
  void finish() {
    {
      const std::lock_guard lock(mutex_);
      closed_ = true;
    }
    changed_.notify_all();
    if (thread_.joinable()) thread_.join();
    if (error_) std::rethrow_exception(error_);
  }

 private:
  void run() {
    std::unique_lock lock(mutex_);
    for (;;) {
      changed_.wait(lock, [this] { return !items_.empty() || closed_; });
      if (items_.empty()) return;
      Item item = std::move(items_.front());
      items_.pop_front();
      lock.unlock();
      changed_.notify_all();
      try {
        take_(std::move(item));
      } catch (...) {
        lock.lock();
        error_ = std::current_exception();
        items_.clear();
        lock.unlock();
        changed_.notify_all();
        return;
      }
      lock.lock();
    }
  }

  std::size_t room_;
  std::function<void(Item&&)> take_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Item> items_;
  bool closed_ = false;
  std::exception_ptr error_;
  std::thread thread_;  // the last to be made: it uses all of the above
};

}  // namespace tidewise

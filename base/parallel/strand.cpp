#include "base/parallel/strand.h"

#include <utility>

namespace tidewise {

Strand::~Strand() {
  std::unique_lock lock(mutex_);
  waiting_.clear();
  changed_.wait(lock, [this] { return !is_scheduled_; });
}

void Strand::put(std::function<void()> work) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return waiting_.size() < room_ || error_; });
  if (error_) std::rethrow_exception(error_);
  waiting_.push_back(std::move(work));
  if (is_scheduled_) return;
  pool_.run([this] { do_next(); });
  is_scheduled_ = true;  // after run(): if that throws, nothing would reset it
}

void Strand::finish() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return !is_scheduled_; });
  if (error_) std::rethrow_exception(error_);
}

bool Strand::wait_for(std::chrono::milliseconds duration) {
  std::unique_lock lock(mutex_);
  return changed_.wait_for(lock, duration, [this] { return !is_scheduled_; });
}

/// Runs only one piece, so that the strands of a pool take turns.
void Strand::do_next() {
  std::unique_lock lock(mutex_);
  if (!waiting_.empty()) {
    auto work = std::move(waiting_.front());
    waiting_.pop_front();
    lock.unlock();
    changed_.notify_all();  // there is room
    std::exception_ptr error;
    try {
      work();
    } catch (...) {
      error = std::current_exception();
    }
    work = nullptr;
    lock.lock();
    if (error) {
      error_ = error;
      waiting_.clear();
    }
  }
  if (!waiting_.empty()) {
    try {
      pool_.run([this] { do_next(); });
      return;
    } catch (...) {  // no memory to queue it
      error_ = std::current_exception();
      waiting_.clear();
    }
  }
  is_scheduled_ = false;
  changed_.notify_all();  // under the lock: afterwards the strand may be destroyed
}

}  // namespace tidewise

#include "base/parallel/strand.h"

#include <utility>

namespace tidewise {

Strand::~Strand() {
  std::unique_lock lock(mutex_);
  waiting_.clear();
  changed_.wait(lock, [this] { return !at_work_; });
}

void Strand::put(std::function<void()> work) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return waiting_.size() < room_ || error_; });
  if (error_) std::rethrow_exception(error_);
  waiting_.push_back(std::move(work));
  if (at_work_) return;
  pool_.run([this] { do_next(); });
  at_work_ = true;  // not if run() throws, because nothing would end the wait
}

void Strand::finish() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return !at_work_; });
  if (error_) std::rethrow_exception(error_);
}

/// Does one piece only, so that strands take turns.
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
  at_work_ = false;
  changed_.notify_all();  // under the lock, because the strand may be destroyed after it
}

}  // namespace tidewise

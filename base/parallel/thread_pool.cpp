#include "base/parallel/thread_pool.h"

#include <utility>

#include "base/parallel/start_thread.h"

namespace tidewise {

// All threads or none, because some of them would otherwise wait for ever.
ThreadPool::ThreadPool(std::size_t threads)
    : threads_(start_threads(threads, [this](std::size_t) { work_on(); })) {}

ThreadPool::~ThreadPool() {
  {
    const std::lock_guard lock(mutex_);
    closed_ = true;
  }
  changed_.notify_all();
}

void ThreadPool::run(std::function<void()> work) {
  {
    const std::lock_guard lock(mutex_);
    waiting_.push_back(std::move(work));
  }
  changed_.notify_one();
}

void ThreadPool::work_on() {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [this] { return !waiting_.empty() || closed_; });
    if (waiting_.empty()) return;
    auto work = std::move(waiting_.front());
    waiting_.pop_front();
    lock.unlock();
    work();
    work = nullptr;  // destroys its captures without the lock
    lock.lock();
  }
}

}  // namespace tidewise

#include "solver/threaded_policy_sink.h"

#include <utility>

#include "base/stopwatch.h"

namespace tidewise {

ThreadedPolicySink::ThreadedPolicySink(PolicySink& inner, std::size_t most_waiting)
    : inner_(inner), most_waiting_(most_waiting), thread_([this] { hand_on(); }) {}

ThreadedPolicySink::~ThreadedPolicySink() {
  {
    const std::lock_guard lock(mutex_);
    end_ = End::now;
  }
  stop();
}

void ThreadedPolicySink::stop() {
  change_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void ThreadedPolicySink::accept(TimeLevel k, View<const std::int16_t> action,
                                View<const float> value) {
  Level level;
  {
    std::unique_lock lock(mutex_);
    const Stopwatch waiting;
    change_.wait(lock, [this] { return failed() || waiting_.size() < most_waiting_; });
    waited_ += waiting.seconds();
    if (failed()) std::rethrow_exception(error_);
    if (!spare_.empty()) {
      level = std::move(spare_.back());
      spare_.pop_back();
    }
  }
  level.k = k;
  level.action.assign(action.begin(), action.end());
  level.value.assign(value.begin(), value.end());
  {
    const std::lock_guard lock(mutex_);
    waiting_.push_back(std::move(level));
  }
  change_.notify_all();
}

void ThreadedPolicySink::finish() {
  {
    const std::lock_guard lock(mutex_);
    end_ = End::after_all;
  }
  stop();
  if (failed()) std::rethrow_exception(error_);
}

/// The thread's whole life.
void ThreadedPolicySink::hand_on() {
  std::unique_lock lock(mutex_);
  for (;;) {
    change_.wait(lock, [this] { return end_ != End::none || !waiting_.empty(); });
    if (end_ == End::now || waiting_.empty()) return;
    const Level& level = waiting_.front();  // a deque moves none of its elements at push_back
    lock.unlock();
    std::exception_ptr error;
    try {
      inner_.accept(level.k, {level.action.data(), level.action.size()},
                    {level.value.data(), level.value.size()});
    } catch (...) {
      error = std::current_exception();
    }
    lock.lock();
    spare_.push_back(std::move(waiting_.front()));
    waiting_.pop_front();
    error_ = error;
    change_.notify_all();
    if (error) return;
  }
}

}  // namespace tidewise

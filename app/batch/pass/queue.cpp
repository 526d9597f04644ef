#include "app/batch/pass/queue.h"

#include <algorithm>
#include <iterator>

namespace tidewise {

PassQueue::PassQueue(std::vector<PassRequest> requests)
    : waiting_(std::make_move_iterator(requests.begin()), std::make_move_iterator(requests.end())) {
  std::stable_sort(waiting_.begin(), waiting_.end(),
                   [](const PassRequest& a, const PassRequest& b) { return a.work() > b.work(); });
}

std::optional<PassRequest> PassQueue::next() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return stopped_ || !waiting_.empty() || in_progress_ == 0; });
  if (stopped_ || waiting_.empty()) return std::nullopt;
  std::optional<PassRequest> request(std::move(waiting_.front()));
  waiting_.pop_front();
  ++in_progress_;
  return request;
}

void PassQueue::finish() {
  const std::lock_guard lock(mutex_);
  --in_progress_;
  changed_.notify_all();
}

void PassQueue::give_back(PassRequest request) {
  const std::lock_guard lock(mutex_);
  --in_progress_;
  waiting_.push_front(std::move(request));
  changed_.notify_all();
}

void PassQueue::stop() {
  const std::lock_guard lock(mutex_);
  stopped_ = true;
  changed_.notify_all();
}

std::vector<PassRequest> PassQueue::rest() {
  const std::lock_guard lock(mutex_);
  return {waiting_.begin(), waiting_.end()};
}

}  // namespace tidewise

#include "app/batch/pass/queue.h"

#include <algorithm>
#include <iterator>

namespace tidewise {

PassQueue::PassQueue(std::vector<PassOrder> orders)
    : waiting_(std::make_move_iterator(orders.begin()), std::make_move_iterator(orders.end())) {
  std::stable_sort(waiting_.begin(), waiting_.end(),
                   [](const PassOrder& a, const PassOrder& b) { return a.work() > b.work(); });
}

std::optional<PassOrder> PassQueue::next() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return stopped_ || !waiting_.empty() || in_progress_ == 0; });
  if (stopped_ || waiting_.empty()) return std::nullopt;
  std::optional<PassOrder> order(std::move(waiting_.front()));
  waiting_.pop_front();
  ++in_progress_;
  return order;
}

void PassQueue::finish() {
  const std::lock_guard lock(mutex_);
  --in_progress_;
  changed_.notify_all();
}

void PassQueue::give_back(PassOrder order) {
  const std::lock_guard lock(mutex_);
  --in_progress_;
  waiting_.push_front(std::move(order));
  changed_.notify_all();
}

void PassQueue::stop() {
  const std::lock_guard lock(mutex_);
  stopped_ = true;
  changed_.notify_all();
}

std::vector<PassOrder> PassQueue::rest() {
  const std::lock_guard lock(mutex_);
  return {waiting_.begin(), waiting_.end()};
}

}  // namespace tidewise

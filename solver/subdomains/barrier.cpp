#include "solver/subdomains/barrier.h"

#include "solver/induction/device_halo_exchange.h"

namespace tidewise {

void SubdomainBarrier::meet() {
  std::unique_lock lock(mutex_);
  const std::size_t all = (met_ / subdomains_ + 1) * subdomains_;
  ++met_;
  changed_.notify_all();
  changed_.wait(lock, [&] { return met_ >= all || ended_; });
  if (ended_) throw SubdomainsEnded{};
}

void SubdomainBarrier::end() noexcept {
  {
    const std::lock_guard lock(mutex_);
    ended_ = true;
  }
  changed_.notify_all();
}

bool SubdomainBarrier::ended() const {
  const std::lock_guard lock(mutex_);
  return ended_;
}

void SubdomainBarrier::leave() noexcept {
  std::unique_lock lock(mutex_);
  ++left_;
  changed_.notify_all();
  changed_.wait(lock, [&] { return left_ >= subdomains_; });
}

}  // namespace tidewise

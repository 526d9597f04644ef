#include "solver/subdomains/barrier.h"

#include "solver/induction/device_halo_exchange.h"

namespace tidewise {

void BandMeeting::meet() {
  std::unique_lock lock(mutex_);
  const std::size_t all = (met_ / bands_ + 1) * bands_;
  ++met_;
  changed_.notify_all();
  changed_.wait(lock, [&] { return met_ >= all || ended_; });
  if (ended_) throw BandsEnded{};
}

void BandMeeting::end() noexcept {
  {
    const std::lock_guard lock(mutex_);
    ended_ = true;
  }
  changed_.notify_all();
}

bool BandMeeting::ended() const {
  const std::lock_guard lock(mutex_);
  return ended_;
}

void BandMeeting::leave() noexcept {
  std::unique_lock lock(mutex_);
  ++left_;
  changed_.notify_all();
  changed_.wait(lock, [&] { return left_ >= bands_; });
}

}  // namespace tidewise

#include "solver/subdomains/planes.h"

#include <algorithm>

namespace tidewise {

SubdomainPlanes::SubdomainPlanes(const Grid& grid, const std::vector<RowWindow>& windows)
    : nx_(static_cast<std::size_t>(grid.nx)), windows_(windows), brought_(windows.size(), 0) {
  for (Level& level : levels_) {
    level.action.resize(static_cast<std::size_t>(grid.cell_count()));
    level.value.resize(static_cast<std::size_t>(grid.cell_count()));
  }
  subdomains_in_.fill(0);
}

void SubdomainPlanes::bring(std::size_t subdomain, TimeLevel k, View<const std::int16_t> action,
                            View<const float> value, bool overflow) {
  std::unique_lock lock(mutex_);
  const std::size_t place = brought_[subdomain] % room;
  changed_.wait(lock, [&] { return brought_[subdomain] < given_back_ + room || ended_; });
  if (ended_) return;
  Level& level = levels_[place];
  lock.unlock();
  // No two bands have a row in common, and nobody takes the level before all are in.
  const auto first =
      static_cast<std::ptrdiff_t>(static_cast<std::size_t>(windows_[subdomain].begin) * nx_);
  std::copy(action.begin(), action.end(), level.action.begin() + first);
  std::copy(value.begin(), value.end(), level.value.begin() + first);
  lock.lock();
  level.k = k;
  level.overflow = (subdomains_in_[place] > 0 && level.overflow) || overflow;
  ++subdomains_in_[place];
  ++brought_[subdomain];
  lock.unlock();
  changed_.notify_all();
}

const SubdomainPlanes::Level* SubdomainPlanes::take() {
  std::unique_lock lock(mutex_);
  given_back_ = taken_;
  changed_.notify_all();
  const std::size_t place = taken_ % room;
  changed_.wait(lock, [&] { return subdomains_in_[place] == windows_.size() || ended_; });
  if (subdomains_in_[place] != windows_.size()) return nullptr;
  subdomains_in_[place] = 0;
  ++taken_;
  return &levels_[place];
}

void SubdomainPlanes::end() noexcept {
  {
    const std::lock_guard lock(mutex_);
    ended_ = true;
  }
  changed_.notify_all();
}

}  // namespace tidewise

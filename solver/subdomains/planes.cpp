#include "solver/subdomains/planes.h"

#include <algorithm>

namespace tidewise {

BandPlanes::BandPlanes(const Grid& grid, const std::vector<RowWindow>& windows)
    : nx_(static_cast<std::size_t>(grid.nx)), windows_(windows), brought_(windows.size(), 0) {
  for (Level& level : levels_) {
    level.action.resize(static_cast<std::size_t>(grid.cell_count()));
    level.value.resize(static_cast<std::size_t>(grid.cell_count()));
  }
  bands_in_.fill(0);
}

void BandPlanes::bring(std::size_t band, TimeLevel k, View<const std::int16_t> action,
                       View<const float> value, bool overflow) {
  std::unique_lock lock(mutex_);
  const std::size_t place = brought_[band] % room;
  changed_.wait(lock, [&] { return brought_[band] < given_back_ + room || ended_; });
  if (ended_) return;
  Level& level = levels_[place];
  lock.unlock();
  // No two bands have a row in common, and nobody takes the level before all are in.
  const auto first =
      static_cast<std::ptrdiff_t>(static_cast<std::size_t>(windows_[band].begin) * nx_);
  std::copy(action.begin(), action.end(), level.action.begin() + first);
  std::copy(value.begin(), value.end(), level.value.begin() + first);
  lock.lock();
  level.k = k;
  level.overflow = (bands_in_[place] > 0 && level.overflow) || overflow;
  ++bands_in_[place];
  ++brought_[band];
  lock.unlock();
  changed_.notify_all();
}

const BandPlanes::Level* BandPlanes::take() {
  std::unique_lock lock(mutex_);
  given_back_ = taken_;
  changed_.notify_all();
  const std::size_t place = taken_ % room;
  changed_.wait(lock, [&] { return bands_in_[place] == windows_.size() || ended_; });
  if (bands_in_[place] != windows_.size()) return nullptr;
  bands_in_[place] = 0;
  ++taken_;
  return &levels_[place];
}

void BandPlanes::end() noexcept {
  {
    const std::lock_guard lock(mutex_);
    ended_ = true;
  }
  changed_.notify_all();
}

}  // namespace tidewise

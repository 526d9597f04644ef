#include "env/levels/level_read_ahead.h"

#include <utility>

namespace tidewise {

LevelReadAhead::LevelReadAhead(const EnvironmentReader& reader, std::vector<TimeLevel> levels,
                               std::vector<ReadingPlace>& places, AwaitPlace await_place)
    : reader_(reader),
      levels_(std::move(levels)),
      places_(places),
      await_place_(std::move(await_place)) {
  reading_.put([this] { run(); });
}

LevelReadAhead::~LevelReadAhead() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_all();
}

void LevelReadAhead::run() {
  try {
    for (std::size_t n = 0; n < levels_.size(); ++n) {
      {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return stopping_ || n < given_back_ + places_.size(); });
        if (stopping_) return;
      }
      const std::size_t index = n % places_.size();
      await_place_(index);
      ReadingPlace& place = places_[index];
      reader_.read_fields(levels_[n], place.fields,
                          place.holds_mask ? MaskReading::moving : MaskReading::always);
      place.holds_mask = true;
      {
        const std::lock_guard lock(mutex_);
        ++read_;
      }
      changed_.notify_all();
    }
  } catch (...) {
    {
      const std::lock_guard lock(mutex_);
      error_ = std::current_exception();
    }
    changed_.notify_all();
  }
}

bool LevelReadAhead::ready() const {
  const std::lock_guard lock(mutex_);
  return taken_ < read_;
}

void LevelReadAhead::wait() const {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return taken_ < read_ || error_; });
}

std::size_t LevelReadAhead::take() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return taken_ < read_ || error_; });
  if (taken_ == read_) std::rethrow_exception(error_);
  return taken_++ % places_.size();
}

void LevelReadAhead::give_back() {
  {
    const std::lock_guard lock(mutex_);
    ++given_back_;
  }
  changed_.notify_all();
}

}  // namespace tidewise

#include "env/levels/level_read_ahead.h"

#include <algorithm>
#include <utility>

#include "base/parallel/start_thread.h"
#include "base/parallel/thread_count.h"

namespace tidewise {

ReadingWidth ReadingWidth::of(std::size_t level_bytes, std::size_t min_places) {
  constexpr std::size_t max_memory = 100'000'000;  // [B]
  const std::size_t threads = reading_threads();
  const std::size_t fitting = max_memory / std::max<std::size_t>(level_bytes, 1);
  const std::size_t places = std::clamp(fitting, min_places, std::max(min_places, threads + 2));
  return {std::min(threads, places - 1), places};
}

LevelReadAhead::LevelReadAhead(std::vector<TimeLevel> levels, const ReadingWidth& width, Read read)
    : levels_(std::move(levels)),
      places_(width.places),
      read_level_(std::move(read)),
      finished_(levels_.size(), false),
      end_(levels_.size()) {
  threads_ = start_threads(std::min(width.threads, levels_.size()), [this](std::size_t) { run(); });
}

LevelReadAhead::~LevelReadAhead() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_all();
}

void LevelReadAhead::run() {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock,
                  [&] { return stopping_ || begun_ >= end_ || begun_ < given_back_ + places_; });
    if (stopping_ || begun_ >= end_) return;
    const std::size_t n = begun_++;
    lock.unlock();
    std::exception_ptr error;
    try {
      read_level_(levels_[n], n % places_);
    } catch (...) {
      error = std::current_exception();
    }
    lock.lock();
    if (!error) {
      finished_[n] = true;
    } else if (n < end_) {
      end_ = n;
      error_ = error;
    }
    changed_.notify_all();
  }
}

bool LevelReadAhead::ready() const {
  const std::lock_guard lock(mutex_);
  return is_read();
}

void LevelReadAhead::wait() const {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return is_read() || taken_ == end_; });
}

std::size_t LevelReadAhead::take() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return is_read() || taken_ == end_; });
  if (taken_ == end_) std::rethrow_exception(error_);
  return taken_++ % places_;
}

void LevelReadAhead::give_back() {
  {
    const std::lock_guard lock(mutex_);
    ++given_back_;
  }
  changed_.notify_all();
}

}  // namespace tidewise

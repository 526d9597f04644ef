#pragma once

#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "env/grid.h"

namespace tidewise {

/// The number of levels that are read at once, and of places that hold levels in turn.
struct ReadingWidth {
  std::size_t threads = 1;
  std::size_t places = 2;

  /// The width for levels of `level_bytes` bytes: reading_threads(), and two more places, if a
  /// tenth of a gigabyte holds them. `min_places`, ≥ 2: number of places for levels of any size.
  static ReadingWidth of(std::size_t level_bytes, std::size_t min_places);
};

/// Reads levels ahead in a given order, several at once by its own threads, into places that are
/// reused in turn, until all places are full. For use by one thread.
class LevelReadAhead {
 public:
  /// Reads a level into a place. No other call uses that place meanwhile. The function may first
  /// wait for earlier work on the place to end.
  using Read = std::function<void(TimeLevel level, std::size_t place)>;

  /// Starts reading. Requires that the caller uses only places that take() returned. Errors:
  /// RunError if no thread can be started.
  LevelReadAhead(std::vector<TimeLevel> levels, const ReadingWidth& width, Read read);
  LevelReadAhead(const LevelReadAhead&) = delete;
  LevelReadAhead& operator=(const LevelReadAhead&) = delete;
  ~LevelReadAhead();

  /// True if take() would return at once.
  bool ready() const;
  /// Waits until ready().
  void wait() const;
  /// Waits for the next level and returns its place. Errors: those of `read`, for the first level
  /// that failed. Requires that levels are left, and that a place is free.
  std::size_t take();
  /// Returns the place that was taken longest ago.
  void give_back();

 private:
  void run();
  bool is_read() const { return taken_ < end_ && finished_[taken_]; }

  const std::vector<TimeLevel> levels_;
  const std::size_t places_;
  const Read read_level_;
  mutable std::mutex mutex_;
  mutable std::condition_variable changed_;
  // The next members are guarded by mutex_. Levels are counted from the first on.
  std::vector<bool> finished_;
  std::size_t begun_ = 0;
  std::size_t taken_ = 0;
  std::size_t given_back_ = 0;
  std::size_t end_;  ///< number of levels, or index of the first that failed
  bool stopping_ = false;
  std::exception_ptr error_;           ///< error of level end_
  std::vector<std::jthread> threads_;  ///< last: they use all of the above
};

}  // namespace tidewise

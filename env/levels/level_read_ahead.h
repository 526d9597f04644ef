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

/// How many levels are read at once, and how many places they go to in turn.
struct ReadingWidth {
  std::size_t threads = 1;
  std::size_t places = 2;

  /// For levels of so many bytes: reading_threads(), and two places more, as long as a tenth of a
  /// gigabyte holds them. `least`: places, ≥ 2, however large a level is.
  static ReadingWidth of(std::size_t level_bytes, std::size_t least);
};

/// Has levels read one after the other, several at once by threads of its own, into places taken in
/// turn, until all places are full. Used by one thread.
class LevelReadAhead {
 public:
  /// Reads a level into a place, which no other call does meanwhile; may first wait until nothing
  /// that was done with the place before is under way.
  using Read = std::function<void(TimeLevel level, std::size_t place)>;

  /// Places are taken by nobody else meanwhile, but for those that take() gave. Errors: RunError
  /// where no threads can be started.
  LevelReadAhead(std::vector<TimeLevel> levels, const ReadingWidth& width, Read read);
  LevelReadAhead(const LevelReadAhead&) = delete;
  LevelReadAhead& operator=(const LevelReadAhead&) = delete;
  ~LevelReadAhead();

  /// Whether take() would give a level at once.
  bool ready() const;
  /// Waits until take() would not.
  void wait() const;
  /// The place of the next level, once it is read. Errors: those of reading it, whichever level met
  /// one first. Requires that levels are left, and that fewer places are taken than there are.
  std::size_t take();
  /// Gives back the place that has been taken longest ago.
  void give_back();

 private:
  void run();
  bool is_read() const { return taken_ < end_ && read_[taken_]; }

  const std::vector<TimeLevel> levels_;
  const std::size_t places_;
  const Read read_level_;
  mutable std::mutex mutex_;
  mutable std::condition_variable changed_;
  // Guarded by mutex_; counts of levels from the first on.
  std::vector<bool> read_;
  std::size_t begun_ = 0;
  std::size_t taken_ = 0;
  std::size_t given_back_ = 0;
  std::size_t end_;  ///< of those that can be read
  bool stopping_ = false;
  std::exception_ptr error_;           ///< of level end_
  std::vector<std::jthread> threads_;  ///< last: they use all of the above
};

}  // namespace tidewise

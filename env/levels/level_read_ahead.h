#pragma once

#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <mutex>
#include <vector>

#include "base/parallel/strand.h"
#include "env/file/reader.h"
#include "env/level_fields.h"

namespace tidewise {

/// Memory for one level on its way from the file.
struct ReadingPlace {
  LevelFieldViews fields;   ///< in host memory
  bool holds_mask = false;  ///< `closed` is filled, which a mask that stays the same needs once
};

/// Reads levels one after the other by a thread of its own, into places taken in turn, until all
/// places are full. The levels come unjudged. Used by one thread.
class LevelReadAhead {
 public:
  /// What the reading thread calls before it first touches a place again, and may wait in: until
  /// nothing reads that place any more.
  using AwaitPlace = std::function<void(std::size_t place)>;

  /// `reader` and `places` must outlive this object; nobody else uses `places` meanwhile, but for
  /// those taken.
  LevelReadAhead(const EnvironmentReader& reader, std::vector<TimeLevel> levels,
                 std::vector<ReadingPlace>& places, AwaitPlace await_place);
  LevelReadAhead(const LevelReadAhead&) = delete;
  LevelReadAhead& operator=(const LevelReadAhead&) = delete;
  ~LevelReadAhead();

  /// Whether take() would give a level at once.
  bool ready() const;
  /// Waits until take() would not.
  void wait() const;
  /// The place of the next level, once it is read. Errors: those of reading it.
  /// Requires that levels are left, and that fewer places are taken than there are.
  std::size_t take();
  /// Gives back the place that has been taken longest ago.
  void give_back();

 private:
  void run();

  const EnvironmentReader& reader_;
  const std::vector<TimeLevel> levels_;
  std::vector<ReadingPlace>& places_;
  const AwaitPlace await_place_;
  mutable std::mutex mutex_;
  mutable std::condition_variable changed_;
  // Guarded by mutex_; counts of levels from the first on.
  std::size_t read_ = 0;
  std::size_t taken_ = 0;
  std::size_t given_back_ = 0;
  bool stopping_ = false;
  std::exception_ptr error_;
  Strand reading_;  ///< last: its work uses all of the above
};

}  // namespace tidewise

#pragma once

#include <vector>

#include "env/file/reader.h"
#include "env/level_fields.h"
#include "env/levels/level_read_ahead.h"

namespace tidewise {

/// Levels of an environment in a given order, the next ones read by other threads while this one is
/// at work. Holds two levels, whatever their number, and more as long as they are small
/// (ReadingWidth).
class LevelStream {
 public:
  /// `reader` must outlive the stream.
  LevelStream(const EnvironmentReader& reader, std::vector<TimeLevel> order);

  /// The next level's fields, valid until the next call; they may be changed, or exchanged for
  /// others of the same sizes. Errors: those of read_level. Requires that levels are left.
  LevelFields<>& next();

 private:
  LevelStream(const EnvironmentReader& reader, const ReadingWidth& width,
              std::vector<TimeLevel>&& order);
  static std::vector<LevelFields<>> make_fields(const EnvironmentInfo& info, std::size_t count);

  std::vector<LevelFields<>> fields_;  ///< (place)
  bool given_ = false;                 ///< a place is the caller's
  LevelReadAhead reading_;             ///< last: it uses the rest
};

/// Levels first, first ± 1, … last.
std::vector<TimeLevel> levels_between(TimeLevel first, TimeLevel last);

}  // namespace tidewise

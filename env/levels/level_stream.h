#pragma once

#include <vector>

#include "env/file/reader.h"
#include "env/level_fields.h"
#include "env/levels/level_read_ahead.h"

namespace tidewise {

/// Levels of an environment in a given order. Other threads read the next levels while the caller
/// works on one. Holds two levels, and more if levels are small (ReadingWidth).
class LevelStream {
 public:
  /// `reader` must outlive the stream.
  LevelStream(const EnvironmentReader& reader, std::vector<TimeLevel> order);

  /// The next level's fields, valid until the next call. The caller may change them, or swap them
  /// for others of the same sizes. Errors: those of read_level. Requires that levels are left.
  LevelFields<>& next();

 private:
  LevelStream(const EnvironmentReader& reader, const ReadingWidth& width,
              std::vector<TimeLevel>&& order);
  static std::vector<LevelFields<>> make_fields(const EnvironmentInfo& info, std::size_t count);

  std::vector<LevelFields<>> fields_;  ///< (place)
  bool holds_place_ = false;           ///< the caller holds a place
  LevelReadAhead reading_;             ///< last: its threads use the members above
};

/// The levels first, first ± 1, … last.
std::vector<TimeLevel> levels_between(TimeLevel first, TimeLevel last);

}  // namespace tidewise

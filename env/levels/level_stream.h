#pragma once

#include <vector>

#include "base/parallel/strand.h"
#include "env/file/reader.h"
#include "env/level_fields.h"

namespace tidewise {

/// Levels of an environment in a given order, the next one read by another thread while this one is
/// at work. Holds two levels, whatever their number.
class LevelStream {
 public:
  /// `reader` must outlive the stream.
  LevelStream(const EnvironmentReader& reader, std::vector<TimeLevel> order);

  /// The next level's fields, valid until the next call; they may be changed, or exchanged for
  /// others of the same sizes. Errors: those of read_level. Requires that levels are left.
  LevelFields<>& next();

 private:
  void start_reading();

  const EnvironmentReader& reader_;
  std::vector<TimeLevel> order_;
  std::size_t position_ = 0;
  LevelFields<> current_;
  LevelFields<> coming_;
  Strand reading_;  ///< last: its work uses the rest
};

/// Levels first, first ± 1, … last.
std::vector<TimeLevel> levels_between(TimeLevel first, TimeLevel last);

}  // namespace tidewise

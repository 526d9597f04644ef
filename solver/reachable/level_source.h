#pragma once

#include "env/grid.h"
#include "env/level_fields.h"

namespace tidewise {

/// Levels of an environment, wherever they come from: a file (file_levels.h), or memory that many
/// ensembles share (in_memory_levels.h).
class LevelSource {
 public:
  virtual ~LevelSource() = default;
  /// The fields of level k, valid until another level of this object is asked for. Used by one
  /// thread. Errors: those of reading.
  virtual LevelView level(TimeLevel k) = 0;
};

}  // namespace tidewise

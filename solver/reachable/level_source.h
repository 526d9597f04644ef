#pragma once

#include "env/grid.h"
#include "env/level_fields.h"

namespace tidewise {

/// Source of an environment's levels: a file (file_levels.h), or memory that ensembles share
/// (in_memory_levels.h).
class LevelSource {
 public:
  virtual ~LevelSource() = default;
  /// Fields of level k, valid until another level is requested from this object. Used by one
  /// thread. Errors: those of reading.
  virtual LevelView level(TimeLevel k) = 0;
};

}  // namespace tidewise

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "env/grid.h"

namespace tidewise {

/// A slot of a cache of levels, as it is before a pass.
struct CacheSlot {
  std::optional<TimeLevel> level = {};  ///< the level in the slot
  std::uint64_t last_use = 0;           ///< larger is later; 0: never used
};

/// The slot that holds the level of one step of a pass, and the source of the level.
struct CacheStep {
  enum class Source { cache, file };

  std::size_t slot = 0;
  Source source = Source::cache;
  /// For a level from the file: the slot is free after this number of steps of the pass.
  std::size_t free_after = 0;
};

/// Assigns a slot to each step of a pass over the levels of `order`, and decides which levels must
/// be read. As the order is known, a new level replaces one that the pass no longer needs, the
/// least recently used first, or else the one that it needs last. Levels of the last few steps
/// stay, so that reading runs ahead of them and two steps may be in progress at once. Requires at
/// least three slots, or one for each level of the environment.
std::vector<CacheStep> plan_cache(const std::vector<TimeLevel>& order,
                                  const std::vector<CacheSlot>& slots);

}  // namespace tidewise

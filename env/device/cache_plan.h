#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "env/grid.h"

namespace tidewise {

/// One place of a cache of levels before a pass over it.
struct CacheSlot {
  std::optional<TimeLevel> level = {};  ///< what it holds
  std::uint64_t last_use = 0;           ///< the greater, the later; 0: never
};

/// Where one step of a pass finds its level.
struct CacheStep {
  enum class Source { cache, file };

  std::size_t slot = 0;
  Source source = Source::cache;
  /// From the file: the slot is free as soon as that many steps of the pass are over.
  std::size_t free_after = 0;
};

/// Says for each step of a pass over the levels of `order` in which slot its level lies, and which
/// levels must be read. As the order is known, the level that gives way is one that the pass needs
/// no more, the least recently used of them, or else the one that it needs last. What the last few
/// steps used stays, so that reading runs ahead of them and two steps may be under way at once.
/// Requires slots: three, or one for each level of the environment.
std::vector<CacheStep> plan_cache(const std::vector<TimeLevel>& order,
                                  const std::vector<CacheSlot>& slots);

}  // namespace tidewise

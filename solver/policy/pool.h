#pragma once

#include <cstddef>

#include "base/memory/byte_budget.h"
#include "base/parallel/thread_pool.h"

namespace tidewise {

/// What policies share on the way to their files: threads that pack and write levels, and the
/// memory in which levels wait for them.
struct PolicyPool {
  /// `most_waiting`: [B]; a level that is larger waits alone.
  PolicyPool(std::size_t thread_count, std::size_t most_waiting)
      : waiting(most_waiting), threads(thread_count) {}

  ByteBudget waiting;
  ThreadPool threads;
};

}  // namespace tidewise

#pragma once

#include <cstdint>
#include <vector>

#include "mdp/divided/block_division.h"
#include "mdp/process/decision_process.h"

namespace tidewise::mdp {

/// What the buffering variant knows of a division: which states outside of it each block reads, and
/// where each entry's successor is found among a block's own states followed by those.
struct BlockNeighbours {
  std::vector<std::int64_t> begin;  ///< of each block's part of `state`, (block + 1)
  std::vector<std::int32_t> state;  ///< a block's neighbours, ascending
  /// (entry): successor − first of its own block, or the block's states + the place among its
  /// neighbours.
  std::vector<std::int32_t> place;
  std::int64_t most = 0;  ///< of a block
};

/// By `threads` ≥ 1 threads. The process is sound.
template <class Real>
BlockNeighbours find_neighbours(const DecisionProcess<Real>& process, const BlockDivision& division,
                                std::int32_t threads);

}  // namespace tidewise::mdp

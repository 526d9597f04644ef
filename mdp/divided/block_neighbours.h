#pragma once

#include <cstdint>
#include <vector>

#include "mdp/divided/block_division.h"
#include "mdp/process/decision_process.h"

namespace tidewise::mdp {

/// Neighbours of blocks, for the buffering variant: the states that a block reads outside of it,
/// and the place of each entry's successor in the list of a block's own states followed by its
/// neighbours.
struct BlockNeighbours {
  std::vector<std::int64_t> begin;  ///< begin of each block's part of `state`, (block + 1)
  std::vector<std::int32_t> state;  ///< a block's neighbours, ascending
  /// (entry): successor − first state of the block, or number of the block's states + place among
  /// its neighbours.
  std::vector<std::int32_t> place;
  std::int64_t max = 0;  ///< largest number of neighbours of a block
};

/// Finds the neighbours with `threads` ≥ 1 threads. Requires a valid process.
template <class Real>
BlockNeighbours find_neighbours(const DecisionProcess<Real>& process, const BlockDivision& division,
                                std::int32_t threads);

}  // namespace tidewise::mdp

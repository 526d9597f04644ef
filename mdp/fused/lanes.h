#pragma once

// The backup of states in each layout, lane by lane: what a device runs, a warp to a share of the
// slices, and tests run on the host too. The same bits as best_action(). Each lane type has
//   warp_works(): what warps share among them (slices or tasks);
//   sweep_share(value, share, lane, await, keep): all states of one lane in a share, as
//     keep(state, own value, BestAction) → whether to go on. Calls await() once, after it has asked
//     for the first of the model and before it reads any value.
// Lanes of a warp come to the same places together.

#include "mdp/fused/packed_lane.h"
#include "mdp/fused/rows_lane.h"
#include "mdp/fused/sell_lane.h"

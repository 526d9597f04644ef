#pragma once

#include "mdp/fused/slices.h"

namespace tidewise::mdp {

/// Slices [first, end) of one sweep. Values have room for slice_room states before the first and
/// after the last: lanes that a mask switches off may read there.
template <class Real>
struct SliceRun {
  std::int64_t first;
  std::int64_t end;
  const Real* value;     ///< (state)
  Real* next;            ///< (state)
  std::int32_t* action;  ///< (state), the best ones; or none: not asked for
  Real least;            ///< of next − value, in Real: taken further by the run
  Real most;
};
inline constexpr std::int32_t slice_room = 2 * slice_states;

// Bellman's backup of slices, by the widest vectors that the processor has (base/simd/targets.h).
// The same bits as bellman.h.
void sweep_slices(const PackedSlices<float>& slices, SliceRun<float>& run);
void sweep_slices(const PackedSlices<double>& slices, SliceRun<double>& run);

}  // namespace tidewise::mdp

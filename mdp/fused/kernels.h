#pragma once

#include "mdp/fused/slices.h"

namespace tidewise::mdp {

/// Slices [first, end) of one sweep. Arrays of values have slice_room further elements before the
/// first and after the last state, because masked lanes may read them.
template <class Real>
struct SliceRun {
  std::int64_t first;
  std::int64_t end;
  const Real* value;     ///< (state)
  Real* next;            ///< (state)
  std::int32_t* action;  ///< (state), greedy actions; null: not computed
  Real min;              ///< minimum and maximum of next − value, in Real; the run updates them
  Real max;
};
/// Number of padding states on each side of the values (SliceRun).
inline constexpr std::int32_t slice_room = 2 * slice_states;

// Bellman backup of slices with the widest vectors of the processor (base/simd/targets.h). They
// give the same bits as bellman.h.
void sweep_slices(const PackedSlices<float>& slices, SliceRun<float>& run);
void sweep_slices(const PackedSlices<double>& slices, SliceRun<double>& run);

}  // namespace tidewise::mdp

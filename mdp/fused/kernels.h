#pragma once

#include "mdp/fused/slices.h"

// Plain data only, as mdp/fused/slices.h.

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

/// Bellman's backup of slices, compiled for one kind of processor. The same bits as bellman.h.
struct FusedKernels {
  const char* name;
  void (*sweep_sell_float)(const SellSlices<float>&, SliceRun<float>&);
  void (*sweep_sell_double)(const SellSlices<double>&, SliceRun<double>&);
  void (*sweep_packed_float)(const PackedSlices<float>&, SliceRun<float>&);
  void (*sweep_packed_double)(const PackedSlices<double>&, SliceRun<double>&);
};

/// The kernels for the widest vectors that this processor has.
const FusedKernels& fused_kernels();

/// All kernels that this processor can run, the portable ones first. For tests and benchmarks.
std::size_t available_fused_kernels(const FusedKernels* (&kernels)[4]);

extern const FusedKernels portable_fused_kernels;
extern const FusedKernels avx2_fused_kernels;    ///< defined on x86-64 only
extern const FusedKernels avx512_fused_kernels;  ///< defined on x86-64 only

}  // namespace tidewise::mdp

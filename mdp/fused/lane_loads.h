#pragma once

#include <algorithm>
#include <cstdint>

#include "base/host_device.h"
#include "mdp/fused/slices.h"

// TIDEWISE_UNROLL unrolls loops over arrays that should be in registers; TIDEWISE_KEEP_LOOP
// prevents it for loops that would need too many registers.
#if defined(__CUDA_ARCH__)
#define TIDEWISE_UNROLL _Pragma("unroll")
#define TIDEWISE_KEEP_LOOP _Pragma("unroll 1")
#else
#define TIDEWISE_UNROLL
#define TIDEWISE_KEEP_LOOP
#endif

namespace tidewise::mdp {

/// Reads data that many threads read and none writes; a device keeps it in its cache.
template <class T>
TIDEWISE_HOST_DEVICE T load_kept(const T* from) {
#if defined(__CUDA_ARCH__)
  return __ldg(from);
#else
  return *from;
#endif
}
/// Reads data used once per sweep; a device does not cache it, so that values stay in the cache.
template <class T>
TIDEWISE_HOST_DEVICE T load_passing(const T* from) {
#if defined(__CUDA_ARCH__)
  return __ldcs(from);
#else
  return *from;
#endif
}
/// Loads a unit of a program at once.
template <class Unit>
TIDEWISE_HOST_DEVICE Unit load_unit(const unsigned char* from) {
  static_assert(sizeof(Unit) == unit_bytes);
#if defined(__CUDA_ARCH__)
  const uint4 words = __ldg(reinterpret_cast<const uint4*>(from));
  Unit unit;
  memcpy(&unit, &words, sizeof unit);
  return unit;
#else
  return *reinterpret_cast<const Unit*>(from);
#endif
}

/// True if the bit of `lane` is set in `lanes`.
TIDEWISE_HOST_DEVICE inline bool has_lane(std::uint32_t lanes, std::int32_t lane) {
  return (lanes >> static_cast<std::uint32_t>(lane) & 1u) != 0;
}

/// The work items [first, end) of a warp.
struct WarpShare {
  std::int64_t first;
  std::int64_t end;

  static TIDEWISE_HOST_DEVICE WarpShare of(std::int64_t warp, std::int64_t warps,
                                           std::int64_t items) {
    return {items * warp / warps, items * (warp + 1) / warps};
  }
};

/// Minimum number of blocks of 256 threads that a multiprocessor should hold at a time.
template <class Lane>
inline constexpr int blocks_at_a_time = 3;

}  // namespace tidewise::mdp

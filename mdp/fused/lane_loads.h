#pragma once

#include <algorithm>
#include <cstdint>

#include "base/host_device.h"
#include "mdp/fused/slices.h"

// Loops over arrays that are to be registers, and those that would take too many if unrolled.
#if defined(__CUDA_ARCH__)
#define TIDEWISE_UNROLL _Pragma("unroll")
#define TIDEWISE_KEEP_LOOP _Pragma("unroll 1")
#else
#define TIDEWISE_UNROLL
#define TIDEWISE_KEEP_LOOP
#endif

namespace tidewise::mdp {

/// Reads what no thread writes and many read; a device keeps it near.
template <class T>
TIDEWISE_HOST_DEVICE T load_kept(const T* from) {
#if defined(__CUDA_ARCH__)
  return __ldg(from);
#else
  return *from;
#endif
}
/// Reads what is read once a sweep; a device lets it pass, and keeps values instead.
template <class T>
TIDEWISE_HOST_DEVICE T load_passing(const T* from) {
#if defined(__CUDA_ARCH__)
  return __ldcs(from);
#else
  return *from;
#endif
}
/// A unit of a program, in one load.
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

TIDEWISE_HOST_DEVICE inline bool has_lane(std::uint32_t lanes, std::int32_t lane) {
  return (lanes >> static_cast<std::uint32_t>(lane) & 1u) != 0;
}

/// Works [first, end) of a warp.
struct WarpShare {
  std::int64_t first;
  std::int64_t end;

  static TIDEWISE_HOST_DEVICE WarpShare of(std::int64_t warp, std::int64_t warps,
                                           std::int64_t works) {
    return {works * warp / warps, works * (warp + 1) / warps};
  }
};

/// Blocks of 256 threads that a processor of a device had best hold at a time, at least.
template <class Lane>
inline constexpr int blocks_at_a_time = 3;

}  // namespace tidewise::mdp

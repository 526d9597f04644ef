#pragma once

#include <cstdint>

#include "base/host_device.h"

namespace tidewise {

// One entry of a packed row in one word, so that one load brings all of it:
//   bit 0            1 where the entry opens a row of the sub-grid: the first of its dy
//   bits 2 …         place of Δ in its cell's window (CellWindow::place). Two bits up, it is where
//                    the place lies in a table of floats [B]
//   the upper half   n(s, a, Δ)
// Padding is 0: it counts nothing at place 0.

using NarrowEntry = std::uint32_t;  ///< places under 2^14, counts under 2^16
using WideEntry = std::uint64_t;    ///< places under 2^30, counts under 2^32

inline constexpr std::int32_t narrow_places = 1 << 14;
inline constexpr std::uint32_t narrow_counts = 1u << 16;

template <class Entry>
TIDEWISE_HOST_DEVICE Entry make_entry(std::uint32_t place, std::uint32_t count, bool opens_row) {
  constexpr int half = 4 * static_cast<int>(sizeof(Entry));  // [bit]
  return static_cast<Entry>(static_cast<Entry>(count) << half | static_cast<Entry>(place) << 2 |
                            (opens_row ? 1u : 0u));
}

template <class Entry>
TIDEWISE_HOST_DEVICE bool opens_row(Entry entry) {
  return (entry & 1u) != 0;
}

/// Where the entry's place lies in a table of floats [B].
TIDEWISE_HOST_DEVICE inline std::uint32_t table_byte(NarrowEntry entry) { return entry & 0xfffcu; }
TIDEWISE_HOST_DEVICE inline std::uint32_t table_byte(WideEntry entry) {
  return static_cast<std::uint32_t>(entry) & 0xfffffffcu;
}

template <class Entry>
TIDEWISE_HOST_DEVICE std::int32_t place_of(Entry entry) {
  return static_cast<std::int32_t>(table_byte(entry) >> 2);
}

template <class Entry>
TIDEWISE_HOST_DEVICE std::uint32_t count_of(Entry entry) {
  return static_cast<std::uint32_t>(entry >> 4 * sizeof(Entry));
}

/// float32(count), exactly: counts are 2^24 at most.
TIDEWISE_HOST_DEVICE inline float count_as_float(NarrowEntry entry) {
#if defined(__CUDA_ARCH__)
  // 0x4B00'0000 is 2^23 as float32: the count in its lowest bits is added to it. A byte permutation
  // and an addition take other pipes, and fewer cycles, than a shift and a conversion.
  return __uint_as_float(__byte_perm(entry, 0x4B000000u, 0x7632)) - 8388608.0F;
#else
  return static_cast<float>(count_of(entry));
#endif
}
TIDEWISE_HOST_DEVICE inline float count_as_float(WideEntry entry) {
  return static_cast<float>(count_of(entry));
}

}  // namespace tidewise

#pragma once

#include <cstdint>

#include "base/host_device.h"
#include "model_builder/explicit/packed_level.h"

namespace tidewise {

/// A slice as its warp must know it before it can begin.
struct SliceHead {
  std::uint32_t begin = 0;   ///< its first entry
  std::int32_t longest = 0;  ///< entries of the longest row
};

/// Entries that a lane asks for at once, before it uses the first: with the warps that fit, enough
/// to cover the memory's delay. Most rows by cell end within the first 8, and by area, where
/// entries are wide, within 16.
template <class Entry>
inline constexpr std::int32_t entries_at_once = sizeof(Entry) == sizeof(NarrowEntry) ? 8 : 16;

/// Reads an entry; on a device past the caches that others need: each entry is read once.
template <class Entry>
TIDEWISE_HOST_DEVICE Entry read_once(const Entry* place) {
#if defined(__CUDA_ARCH__)
  if constexpr (sizeof(Entry) == sizeof(unsigned int)) {
    return __ldcs(reinterpret_cast<const unsigned int*>(place));
  } else {
    return __ldcs(reinterpret_cast<const unsigned long long*>(place));
  }
#else
  return *place;
#endif
}

/// How the lanes of a warp walk the rows of a slice in step: each step is a stretch of memory at a
/// fixed place, read straight into registers, some entries at a time. Begins to read when it is
/// made; a lane whose row is at its end gets padding. Most rows end with the first some, whose
/// places are known to the compiler. `full_rows`: rows of every slice, where the compiler may know;
/// else 0.
template <class Entry, std::int32_t full_rows>
class PaddedRows {
  static constexpr std::int32_t at_once = entries_at_once<Entry>;

 public:
  template <class Warp>
  TIDEWISE_HOST_DEVICE PaddedRows(const Warp& warp, const Entry* entries, const SliceHead& head,
                                  std::int32_t rows)
      : steps_(head.longest),
        rows_(full_rows > 0 ? full_rows : rows),
        mine_(full_rows > 0 || warp.lane() < rows),
        place_(entries + head.begin + warp.lane()) {
    ask(0);
  }

  template <class Use>
  TIDEWISE_HOST_DEVICE void for_each(const Use& use) {
    use_some(0, use);
    for (std::int32_t begin = at_once; begin < steps_; begin += at_once) {
      ask(begin);
      use_some(begin, use);
    }
  }

 private:
  TIDEWISE_HOST_DEVICE void ask(std::int32_t begin) {
#if defined(__CUDA_ARCH__)
#pragma unroll
#endif
    for (std::int32_t n = 0; n < at_once; ++n) {
      if (begin + n >= steps_) break;
      entry_[n] = mine_ ? read_once(place_ + (begin + n) * rows_) : Entry{0};
    }
  }

  template <class Use>
  TIDEWISE_HOST_DEVICE void use_some(std::int32_t begin, const Use& use) {
#if defined(__CUDA_ARCH__)
#pragma unroll
#endif
    for (std::int32_t n = 0; n < at_once; ++n) {
      if (begin + n >= steps_) break;
      use(entry_[n]);
    }
  }

#if defined(__CUDA_ARCH__)
  Entry entry_[at_once];  // what is used was asked for
#else
  Entry entry_[at_once] = {};
#endif
  std::int32_t steps_;
  std::int32_t rows_;   // of the slice
  bool mine_;           // whether the lane has one of them
  const Entry* place_;  // where that begins
};

/// Any number of actions, and multiples of 32.
template <class Entry>
using PaddedSource = PaddedRows<Entry, 0>;
template <class Entry>
using FullSource = PaddedRows<Entry, rows_per_slice>;

}  // namespace tidewise

#pragma once

#include <cstdint>

#include "base/host_device.h"
#include "model_builder/explicit/packed_level.h"

namespace tidewise {

/// Data of a slice that a warp needs before it reads the entries.
struct SliceHead {
  std::uint32_t begin = 0;   ///< index of its first entry
  std::int32_t longest = 0;  ///< number of entries of the longest row
};

/// Number of entries that a lane loads before it uses the first: enough to hide the memory's
/// latency with the warps that fit. Most rows end within 8 entries for nearest cells, and within 16
/// for bilinear weights, which have wide entries.
template <class Entry>
inline constexpr std::int32_t entries_at_once = sizeof(Entry) == sizeof(NarrowEntry) ? 8 : 16;

/// Reads an entry. On a device it bypasses caches that other data need, because each entry is read
/// only once.
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

/// Walks the rows of a slice, one row per lane, all in step. Each step reads contiguous memory into
/// registers, some entries at a time. Reading begins in the constructor. A lane whose row has ended
/// reads padding. Most rows end within the first entries, whose places are compile-time constants.
/// `full_rows`: number of rows of every slice if it is known at compile time; otherwise 0.
template <class Entry, std::int32_t full_rows>
class PaddedRows {
  static constexpr std::int32_t at_once = entries_at_once<Entry>;

 public:
  template <class Warp>
  TIDEWISE_HOST_DEVICE PaddedRows(const Warp& warp, const Entry* entries, const SliceHead& head,
                                  std::int32_t rows)
      : steps_(head.longest),
        rows_(full_rows > 0 ? full_rows : rows),
        has_row_(full_rows > 0 || warp.lane() < rows),
        place_(entries + head.begin + warp.lane()) {
    load(0);
  }

  /// Calls use(entry) for each entry of the lane's row, in order.
  template <class Use>
  TIDEWISE_HOST_DEVICE void for_each(const Use& use) {
    use_loaded(0, use);
    for (std::int32_t begin = at_once; begin < steps_; begin += at_once) {
      load(begin);
      use_loaded(begin, use);
    }
  }

 private:
  TIDEWISE_HOST_DEVICE void load(std::int32_t begin) {
#if defined(__CUDA_ARCH__)
#pragma unroll
#endif
    for (std::int32_t n = 0; n < at_once; ++n) {
      if (begin + n >= steps_) break;
      entry_[n] = has_row_ ? read_once(place_ + (begin + n) * rows_) : Entry{0};
    }
  }

  template <class Use>
  TIDEWISE_HOST_DEVICE void use_loaded(std::int32_t begin, const Use& use) {
#if defined(__CUDA_ARCH__)
#pragma unroll
#endif
    for (std::int32_t n = 0; n < at_once; ++n) {
      if (begin + n >= steps_) break;
      use(entry_[n]);
    }
  }

#if defined(__CUDA_ARCH__)
  Entry entry_[at_once];  // entries that were loaded
#else
  Entry entry_[at_once] = {};
#endif
  std::int32_t steps_;
  std::int32_t rows_;   // number of rows of the slice
  bool has_row_;        // true if the lane has a row
  const Entry* place_;  // start of the lane's entries
};

/// PaddedRows for any number of actions.
template <class Entry>
using PaddedSource = PaddedRows<Entry, 0>;
/// PaddedRows for multiples of 32 actions.
template <class Entry>
using FullSource = PaddedRows<Entry, rows_per_slice>;

}  // namespace tidewise

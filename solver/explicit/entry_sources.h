#pragma once

#include <cstdint>

#include "base/host_device.h"
#include "model_builder/explicit/packed_level.h"

namespace tidewise {

// Three ways for the lanes of a warp to walk the rows of a slice in step, one for each EntryOrder.
// Each begins to read when it is made; wait() comes before the first entry is used. A lane whose
// row is at its end gets padding. `tidewise bench explicit` measures the three.

/// A slice as its warp must know it before it can begin.
struct SliceHead {
  std::uint32_t begin = 0;   ///< its first entry
  std::uint32_t end = 0;     ///< the first of the next slice
  std::int32_t size = 0;     ///< entries of the lane's row; 0 where the order is `padded`
  std::int32_t longest = 0;  ///< entries of the longest row, where the order is `padded`
};

/// Entries that a lane asks for at once, before it uses the first: with the warps that fit, enough
/// to cover the memory's delay.
inline constexpr std::int32_t entries_at_once = 8;

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

/// The walk of those that read from memory straight into registers, some entries at a time:
/// Derived::next(warp, n) asks for entry n, in rising order. Most rows end with the first some,
/// whose places are known to the compiler.
template <class Derived, class Entry>
class AtOnce {
 public:
  template <class Warp>
  TIDEWISE_HOST_DEVICE void wait(const Warp& /*warp*/) {}

  template <class Warp, class Use>
  TIDEWISE_HOST_DEVICE void for_each(const Warp& warp, const Use& use) {
    const std::int32_t steps = self().steps_;
    use_some(0, steps, use);
    for (std::int32_t begin = entries_at_once; begin < steps; begin += entries_at_once) {
      ask(warp, begin, steps);
      use_some(begin, steps, use);
    }
  }

 protected:
  template <class Warp>
  TIDEWISE_HOST_DEVICE void ask(const Warp& warp, std::int32_t begin, std::int32_t steps) {
#if defined(__CUDA_ARCH__)
#pragma unroll
#endif
    for (std::int32_t n = 0; n < entries_at_once; ++n) {
      if (begin + n >= steps) break;
      entry_[n] = self().next(warp, begin + n);
    }
  }

 private:
  template <class Use>
  TIDEWISE_HOST_DEVICE void use_some(std::int32_t begin, std::int32_t steps, const Use& use) {
#if defined(__CUDA_ARCH__)
#pragma unroll
#endif
    for (std::int32_t n = 0; n < entries_at_once; ++n) {
      if (begin + n >= steps) break;
      use(entry_[n]);
    }
  }

  TIDEWISE_HOST_DEVICE Derived& self() { return static_cast<Derived&>(*this); }

#if defined(__CUDA_ARCH__)
  Entry entry_[entries_at_once];  // what is used was asked for
#else
  Entry entry_[entries_at_once] = {};
#endif
};

/// EntryOrder::padded: a step of the warp is a stretch of memory at a fixed place. `full_rows`:
/// rows of every slice, where the compiler may know; else 0.
template <class Entry, std::int32_t full_rows>
class PaddedRows : public AtOnce<PaddedRows<Entry, full_rows>, Entry> {
 public:
  static constexpr EntryOrder order = EntryOrder::padded;

  template <class Warp>
  TIDEWISE_HOST_DEVICE PaddedRows(const Warp& warp, const Entry* entries, const SliceHead& head,
                                  std::int32_t rows, Entry* /*staged*/)
      : steps_(head.longest),
        rows_(full_rows > 0 ? full_rows : rows),
        mine_(full_rows > 0 || warp.lane() < rows),
        place_(entries + head.begin + warp.lane()) {
    this->ask(warp, 0, steps_);
  }

 private:
  friend class AtOnce<PaddedRows<Entry, full_rows>, Entry>;
  template <class Warp>
  TIDEWISE_HOST_DEVICE Entry next(const Warp& /*warp*/, std::int32_t n) const {
    return mine_ ? read_once(place_ + n * rows_) : Entry{0};
  }

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

/// EntryOrder::by_step: a step of the warp is a stretch of memory behind that of the step before.
template <class Entry>
class StepSource : public AtOnce<StepSource<Entry>, Entry> {
 public:
  static constexpr EntryOrder order = EntryOrder::by_step;

  template <class Warp>
  TIDEWISE_HOST_DEVICE StepSource(const Warp& warp, const Entry* entries, const SliceHead& head,
                                  std::int32_t /*rows*/, Entry* /*staged*/)
      : steps_(static_cast<std::int32_t>(warp.greatest(static_cast<std::uint32_t>(head.size)))),
        size_(head.size),
        place_(entries + head.begin) {
    this->ask(warp, 0, steps_);
  }

 private:
  friend class AtOnce<StepSource<Entry>, Entry>;
  template <class Warp>
  TIDEWISE_HOST_DEVICE Entry next(const Warp& warp, std::int32_t n) {
    const std::uint32_t lanes = warp.ballot(n < size_);
    const Entry* place = place_ + warp.rank(lanes);
    place_ += warp.count(lanes);
    return n < size_ ? read_once(place) : Entry{0};
  }

  std::int32_t steps_;
  std::int32_t size_;   // of the lane's row
  const Entry* place_;  // of the step to come
};

/// EntryOrder::by_row, by way of shared memory: the warp copies the slice there as it lies, each
/// lane walks its row there.
template <class Entry>
class StagedSource {
 public:
  static constexpr EntryOrder order = EntryOrder::by_row;

  template <class Warp>
  TIDEWISE_HOST_DEVICE StagedSource(const Warp& warp, const Entry* entries, const SliceHead& head,
                                    std::int32_t /*rows*/, Entry* staged)
      : size_(head.size) {
    constexpr auto piece = static_cast<std::int32_t>(16 / sizeof(Entry));  // of 16 bytes
    const auto entry_count = static_cast<std::int32_t>(head.end - head.begin);
    row_ = staged + warp.exclusive_sum(size_);
    warp.sync();  // all have done with the slice before
    for (std::int32_t n = piece * warp.lane(); n < entry_count; n += piece * rows_per_slice) {
      warp.begin_copy(staged + n, entries + head.begin + n);
    }
  }
  template <class Warp>
  TIDEWISE_HOST_DEVICE void wait(const Warp& warp) {
    warp.finish_copies();
  }
  template <class Warp, class Use>
  TIDEWISE_HOST_DEVICE void for_each(const Warp& /*warp*/, const Use& use) {
    for (std::int32_t n = 0; n < size_; ++n) use(row_[n]);
  }

 private:
  std::int32_t size_;
  const Entry* row_ = nullptr;
};

}  // namespace tidewise

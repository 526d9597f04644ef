#pragma once

#include <cstdint>

#include "base/host_device.h"
#include "model_builder/packed_level.h"

namespace tidewise {

// Three ways for the lanes of a warp to walk the rows of a slice in step, block by block. Each
// begins to read when it is made; wait() comes before the first block is used. A lane whose row is
// at its end gets padding. The measurement of the three is `tidewise bench explicit`.

/// How many blocks a lane has asked for before it uses the first: enough to cover the memory's
/// delay with the warps that fit, few enough for their registers.
inline constexpr std::int32_t blocks_ahead = 4;

/// Reads a block; on a device in 16-byte loads that leave the caches to others: each block is read
/// once.
template <class Entry>
TIDEWISE_HOST_DEVICE EntryBlock<Entry> read_once(const EntryBlock<Entry>* place) {
#if defined(__CUDA_ARCH__)
  constexpr int parts = static_cast<int>(sizeof(EntryBlock<Entry>) / sizeof(uint4));
  EntryBlock<Entry> block;
  for (int n = 0; n < parts; ++n) {
    const uint4 part = __ldcs(reinterpret_cast<const uint4*>(place) + n);
    memcpy(reinterpret_cast<unsigned char*>(&block) + n * sizeof part, &part, sizeof part);
  }
  return block;
#else
  return *place;
#endif
}

/// Where each lane's row begins in a slice that lies by_row, and where the slice ends.
template <class Entry, class Warp>
TIDEWISE_HOST_DEVICE std::int32_t row_begin(const Warp& warp, std::int32_t blocks,
                                            const EntryBlock<Entry>*& end) {
  std::int32_t total = 0;
  const std::int32_t begin = warp.exclusive_sum(blocks, total);
  end += total;
  return begin;
}

/// The walk of the two that read from memory straight into registers: `Derived::next(warp, step)`
/// gives block `step`, asked for in rising order.
template <class Derived, class Entry>
class ReadAhead {
 public:
  template <class Warp>
  TIDEWISE_HOST_DEVICE void wait(const Warp& /*warp*/) {}

  template <class Warp, class Use>
  TIDEWISE_HOST_DEVICE void for_each_block(const Warp& warp, const Use& use) {
    auto& source = static_cast<Derived&>(*this);
    const auto steps =
        static_cast<std::int32_t>(warp.greatest(static_cast<std::uint32_t>(source.blocks_)));
    for (std::int32_t begin = 0; begin < steps; begin += blocks_ahead) {
#if defined(__CUDA_ARCH__)
#pragma unroll
#endif
      for (std::int32_t n = 0; n < blocks_ahead; ++n) {
        if (begin + n >= steps) break;
        const EntryBlock<Entry> block = ahead_[n];
        ahead_[n] = source.next(warp, begin + n + blocks_ahead);
        use(block);
      }
    }
  }

 protected:
  template <class Warp>
  TIDEWISE_HOST_DEVICE void begin(const Warp& warp) {
    auto& source = static_cast<Derived&>(*this);
#if defined(__CUDA_ARCH__)
#pragma unroll
#endif
    for (std::int32_t n = 0; n < blocks_ahead; ++n) ahead_[n] = source.next(warp, n);
  }

 private:
  EntryBlock<Entry> ahead_[blocks_ahead];
};

/// BlockOrder::by_step: every load of the warp is one stretch of memory.
template <class Entry>
class StepSource : public ReadAhead<StepSource<Entry>, Entry> {
 public:
  static constexpr BlockOrder order = BlockOrder::by_step;

  template <class Warp>
  TIDEWISE_HOST_DEVICE StepSource(const Warp& warp, const EntryBlock<Entry>* slice,
                                  std::int32_t blocks, EntryBlock<Entry>* /*staged*/)
      : place_(slice), blocks_(blocks) {
    this->begin(warp);
  }
  /// Behind the slice, once all blocks were used.
  TIDEWISE_HOST_DEVICE const EntryBlock<Entry>* end() const { return place_; }

 private:
  friend class ReadAhead<StepSource<Entry>, Entry>;
  template <class Warp>
  TIDEWISE_HOST_DEVICE EntryBlock<Entry> next(const Warp& warp, std::int32_t step) {
    const bool mine = step < blocks_;
    const std::uint32_t lanes = warp.ballot(mine);
    const EntryBlock<Entry>* place = place_ + warp.rank(lanes);
    place_ += warp.count(lanes);
    return mine ? read_once(place) : EntryBlock<Entry>{};
  }

  const EntryBlock<Entry>* place_;  // the step to come
  std::int32_t blocks_;             // of the lane's row
};

/// BlockOrder::by_row: each lane reads its own row, far from its neighbours'; the first-level cache
/// makes whole lines of it.
template <class Entry>
class RowSource : public ReadAhead<RowSource<Entry>, Entry> {
 public:
  static constexpr BlockOrder order = BlockOrder::by_row;

  template <class Warp>
  TIDEWISE_HOST_DEVICE RowSource(const Warp& warp, const EntryBlock<Entry>* slice,
                                 std::int32_t blocks, EntryBlock<Entry>* /*staged*/)
      : end_(slice), row_(slice + row_begin<Entry>(warp, blocks, end_)), blocks_(blocks) {
    this->begin(warp);
  }
  TIDEWISE_HOST_DEVICE const EntryBlock<Entry>* end() const { return end_; }

 private:
  friend class ReadAhead<RowSource<Entry>, Entry>;
  template <class Warp>
  TIDEWISE_HOST_DEVICE EntryBlock<Entry> next(const Warp& /*warp*/, std::int32_t step) {
    return step < blocks_ ? row_[step] : EntryBlock<Entry>{};
  }

  const EntryBlock<Entry>* end_;
  const EntryBlock<Entry>* row_;
  std::int32_t blocks_;
};

/// BlockOrder::by_row, by way of shared memory: the warp copies the slice there as it lies, each
/// lane walks its row there.
template <class Entry>
class StagedSource {
 public:
  static constexpr BlockOrder order = BlockOrder::by_row;

  template <class Warp>
  TIDEWISE_HOST_DEVICE StagedSource(const Warp& warp, const EntryBlock<Entry>* slice,
                                    std::int32_t blocks, EntryBlock<Entry>* staged)
      : end_(slice), row_(staged + row_begin<Entry>(warp, blocks, end_)), blocks_(blocks) {
    warp.sync();  // all have done with the slice before
    const auto size = static_cast<std::int32_t>(end_ - slice);
    for (std::int32_t n = warp.lane(); n < size; n += rows_per_slice) {
      warp.begin_copy(staged + n, slice + n);
    }
  }
  template <class Warp>
  TIDEWISE_HOST_DEVICE void wait(const Warp& warp) {
    warp.finish_copies();
  }
  template <class Warp, class Use>
  TIDEWISE_HOST_DEVICE void for_each_block(const Warp& /*warp*/, const Use& use) {
    for (std::int32_t step = 0; step < blocks_; ++step) use(row_[step]);
  }
  TIDEWISE_HOST_DEVICE const EntryBlock<Entry>* end() const { return end_; }

 private:
  const EntryBlock<Entry>* end_;
  const EntryBlock<Entry>* row_;
  std::int32_t blocks_;
};

}  // namespace tidewise

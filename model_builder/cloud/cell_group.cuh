#pragma once

#include <cstdint>

namespace tidewise {

/// The threads of a block that work on one cell: `Size` neighbouring threads, which form whole
/// warps.
template <int Size>
struct CellGroup {
  static_assert(Size % 32 == 0);
  /// Maximum number of groups of a block.
  static constexpr std::int32_t max = 4;
  static constexpr std::int32_t size = Size;
  std::int32_t number;  ///< index of this group in the block, 0 … max − 1

  __device__ std::int32_t rank() const { return static_cast<std::int32_t>(threadIdx.x) % Size; }
  /// A barrier for this group only; other groups of the block may have ended.
  __device__ void sync() const {
    // The numbers of barriers are constants, because otherwise the compiler would reserve all
    // sixteen.
    if constexpr (Size == 32) {
      __syncwarp();
    } else {
      switch (number) {
        case 0:
          asm volatile("bar.sync 1, %0;" ::"n"(Size) : "memory");
          break;
        case 1:
          asm volatile("bar.sync 2, %0;" ::"n"(Size) : "memory");
          break;
        case 2:
          asm volatile("bar.sync 3, %0;" ::"n"(Size) : "memory");
          break;
        case 3:
          asm volatile("bar.sync 4, %0;" ::"n"(Size) : "memory");
          break;
      }
    }
  }
};

}  // namespace tidewise

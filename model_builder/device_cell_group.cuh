#pragma once

#include <cstdint>

namespace tidewise {

/// The threads of a block that have one cell in hand: `Size` neighbours, whole warps.
template <int Size>
struct CellGroup {
  static_assert(Size % 32 == 0);
  static constexpr std::int32_t size = Size;
  std::int32_t number;  ///< which of the block's groups this is

  __device__ std::int32_t rank() const { return static_cast<std::int32_t>(threadIdx.x) % Size; }
  /// A barrier for this group alone; other groups of the block may have left.
  __device__ void sync() const {
    if constexpr (Size == 32) {
      __syncwarp();
    } else {
      asm volatile("bar.sync %0, %1;" ::"r"(number + 1), "n"(Size) : "memory");
    }
  }
};

}  // namespace tidewise

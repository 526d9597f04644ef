#pragma once

#include <cstdint>

namespace tidewise {

/// The threads of a block that have one cell in hand: `Size` neighbours, whole warps.
template <int Size>
struct CellGroup {
  static_assert(Size % 32 == 0);
  /// Groups a block may have.
  static constexpr std::int32_t most = 4;
  static constexpr std::int32_t size = Size;
  std::int32_t number;  ///< which of the block's groups this is, 0 … most − 1

  __device__ std::int32_t rank() const { return static_cast<std::int32_t>(threadIdx.x) % Size; }
  /// A barrier for this group alone; other groups of the block may have left.
  __device__ void sync() const {
    // The barriers' names are constants, or the compiler would keep all sixteen of them.
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

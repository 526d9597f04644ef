#pragma once

// For .cu files.

#include <cstdint>

#include "base/host_device.h"

namespace tidewise {

/// A warp: 32 lanes of a one-dimensional block that run in step. Implements the Warp of
/// solver/explicit/backup.h. Its functions are marked for both sides so that host-and-device
/// templates can take it; the host never calls them.
class DeviceWarp {
 public:
  TIDEWISE_HOST_DEVICE DeviceWarp() {
#if defined(__CUDA_ARCH__)
    lane_ = static_cast<std::int32_t>(threadIdx.x % 32);
#endif
  }
  TIDEWISE_HOST_DEVICE std::int32_t lane() const { return lane_; }
  /// A mask with a bit for each lane in which `condition` is true.
  TIDEWISE_HOST_DEVICE std::uint32_t ballot([[maybe_unused]] bool condition) const {
#if defined(__CUDA_ARCH__)
    return __ballot_sync(all_lanes, condition);
#else
    return 0;
#endif
  }
  TIDEWISE_HOST_DEVICE bool any(bool condition) const { return ballot(condition) != 0; }
  /// Number of set bits in `lanes`; rank(): number of them below this lane.
  TIDEWISE_HOST_DEVICE std::int32_t count([[maybe_unused]] std::uint32_t lanes) const {
#if defined(__CUDA_ARCH__)
    return __popc(lanes);
#else
    return 0;
#endif
  }
  TIDEWISE_HOST_DEVICE std::int32_t rank(std::uint32_t lanes) const {
    return count(lanes & ((1u << lane()) - 1));
  }
  /// Index of the highest set bit; at least one must be set.
  TIDEWISE_HOST_DEVICE std::int32_t top([[maybe_unused]] std::uint32_t bits) const {
#if defined(__CUDA_ARCH__)
    return 31 - __clz(static_cast<int>(bits));
#else
    return 0;
#endif
  }
  /// greatest(), least(): over all lanes.
  TIDEWISE_HOST_DEVICE std::uint32_t greatest(std::uint32_t value) const {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    return __reduce_max_sync(all_lanes, value);
#elif defined(__CUDA_ARCH__)
    for (int offset = 16; offset > 0; offset /= 2) {
      value = max(value, __shfl_xor_sync(all_lanes, value, offset));
    }
    return value;
#else
    return value;
#endif
  }
  TIDEWISE_HOST_DEVICE std::int32_t greatest(std::int32_t value) const { return ~least(~value); }
  TIDEWISE_HOST_DEVICE std::int32_t least(std::int32_t value) const {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    return __reduce_min_sync(all_lanes, value);
#elif defined(__CUDA_ARCH__)
    for (int offset = 16; offset > 0; offset /= 2) {
      value = min(value, __shfl_xor_sync(all_lanes, value, offset));
    }
    return value;
#else
    return value;
#endif
  }
  /// Bitwise or over all lanes.
  TIDEWISE_HOST_DEVICE std::uint32_t united(std::uint32_t bits) const {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    return __reduce_or_sync(all_lanes, bits);
#elif defined(__CUDA_ARCH__)
    for (int offset = 16; offset > 0; offset /= 2) bits |= __shfl_xor_sync(all_lanes, bits, offset);
    return bits;
#else
    return bits;
#endif
  }
  /// The value of lane `source_lane`.
  template <class T>
  TIDEWISE_HOST_DEVICE T from(T value, [[maybe_unused]] std::int32_t source_lane) const {
#if defined(__CUDA_ARCH__)
    return __shfl_sync(all_lanes, value, source_lane);
#else
    return value;
#endif
  }
  /// The sum over the lanes before this one.
  TIDEWISE_HOST_DEVICE std::int32_t exclusive_sum(std::int32_t value) const {
    std::int32_t sum = value;
#if defined(__CUDA_ARCH__)
    for (int offset = 1; offset < 32; offset *= 2) {
      const std::int32_t before = __shfl_up_sync(all_lanes, sum, offset);
      if (lane() >= offset) sum += before;
    }
#endif
    return sum - value;
  }
  /// Reserves a place in a list for each lane in which `condition` is true and increases
  /// `*list_count`. Places are consecutive in the order of lanes. The result is meaningless for
  /// other lanes.
  TIDEWISE_HOST_DEVICE std::int32_t append(bool condition,
                                           [[maybe_unused]] std::int32_t* list_count) const {
    const std::uint32_t lanes = ballot(condition);
    if (lanes == 0) return 0;
    std::int32_t first = 0;
#if defined(__CUDA_ARCH__)
    if (lane() == 0) first = atomicAdd(list_count, count(lanes));
#endif
    return from(first, 0) + rank(lanes);
  }
  /// Waits for all lanes; makes their writes visible.
  TIDEWISE_HOST_DEVICE void sync() const {
#if defined(__CUDA_ARCH__)
    __syncwarp(all_lanes);
#endif
  }
  /// Reads a float in shared memory by its shared address. With a pointer the compiler would add
  /// the base of the memory for each access.
  TIDEWISE_HOST_DEVICE float shared_float([[maybe_unused]] unsigned char* shared,
                                          [[maybe_unused]] std::uint32_t address) const {
    float value = 0;
#if defined(__CUDA_ARCH__)
    asm volatile("ld.shared.f32 %0, [%1];" : "=f"(value) : "r"(address));
#endif
    return value;
  }
  /// Writes a float in shared memory.
  TIDEWISE_HOST_DEVICE void set_shared_float([[maybe_unused]] unsigned char* shared,
                                             [[maybe_unused]] std::uint32_t address,
                                             [[maybe_unused]] float value) const {
#if defined(__CUDA_ARCH__)
    asm volatile("st.shared.f32 [%0], %1;" : : "r"(address), "f"(value) : "memory");
#endif
  }

  /// Waits for the work before this kernel on its stream; the kernel may start earlier
  /// (launch_back_up). Before this call only the packed rows may be read.
  TIDEWISE_HOST_DEVICE void await_inputs() const {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    cudaGridDependencySynchronize();
#endif
  }

 private:
  static constexpr std::uint32_t all_lanes = 0xffffffffu;
  std::int32_t lane_ = 0;
};

}  // namespace tidewise

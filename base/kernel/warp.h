#pragma once

// For .cu files.

#include <cstdint>

#include "base/host_device.h"

namespace tidewise {

/// The 32 lanes that a device runs in step, all of them, of a block of one dimension: also what
/// solver/explicit/backup.h asks of a Warp. Marked for both sides so that host-and-device templates
/// may take it; the host never runs it.
class DeviceWarp {
 public:
  TIDEWISE_HOST_DEVICE DeviceWarp() {
#if defined(__CUDA_ARCH__)
    lane_ = static_cast<std::int32_t>(threadIdx.x % 32);
#endif
  }
  TIDEWISE_HOST_DEVICE std::int32_t lane() const { return lane_; }
  /// A bit for each lane that says yes.
  TIDEWISE_HOST_DEVICE std::uint32_t ballot([[maybe_unused]] bool yes) const {
#if defined(__CUDA_ARCH__)
    return __ballot_sync(all, yes);
#else
    return 0;
#endif
  }
  TIDEWISE_HOST_DEVICE bool any(bool yes) const { return ballot(yes) != 0; }
  /// How many of `lanes` there are, and how many of them come before this one.
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
  TIDEWISE_HOST_DEVICE std::uint32_t greatest(std::uint32_t value) const {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    return __reduce_max_sync(all, value);
#elif defined(__CUDA_ARCH__)
    for (int apart = 16; apart > 0; apart /= 2) {
      value = max(value, __shfl_xor_sync(all, value, apart));
    }
    return value;
#else
    return value;
#endif
  }
  TIDEWISE_HOST_DEVICE std::int32_t greatest(std::int32_t value) const { return ~least(~value); }
  TIDEWISE_HOST_DEVICE std::int32_t least(std::int32_t value) const {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    return __reduce_min_sync(all, value);
#elif defined(__CUDA_ARCH__)
    for (int apart = 16; apart > 0; apart /= 2) {
      value = min(value, __shfl_xor_sync(all, value, apart));
    }
    return value;
#else
    return value;
#endif
  }
  /// All bits that some lane has.
  TIDEWISE_HOST_DEVICE std::uint32_t united(std::uint32_t bits) const {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    return __reduce_or_sync(all, bits);
#elif defined(__CUDA_ARCH__)
    for (int apart = 16; apart > 0; apart /= 2) bits |= __shfl_xor_sync(all, bits, apart);
    return bits;
#else
    return bits;
#endif
  }
  /// What lane `lane` says.
  template <class T>
  TIDEWISE_HOST_DEVICE T from(T value, [[maybe_unused]] std::int32_t of_lane) const {
#if defined(__CUDA_ARCH__)
    return __shfl_sync(all, value, of_lane);
#else
    return value;
#endif
  }
  /// The sum over the lanes before this one.
  TIDEWISE_HOST_DEVICE std::int32_t exclusive_sum(std::int32_t value) const {
    std::int32_t sum = value;
#if defined(__CUDA_ARCH__)
    for (int apart = 1; apart < 32; apart *= 2) {
      const std::int32_t before = __shfl_up_sync(all, sum, apart);
      if (lane() >= apart) sum += before;
    }
#endif
    return sum - value;
  }
  /// A place for each lane that says yes in a list of which `*list_count` were there, one after
  /// another, so that neighbours stay neighbours. Meaningless for other lanes.
  TIDEWISE_HOST_DEVICE std::int32_t append(bool yes,
                                           [[maybe_unused]] std::int32_t* list_count) const {
    const std::uint32_t lanes = ballot(yes);
    if (lanes == 0) return 0;
    std::int32_t first = 0;
#if defined(__CUDA_ARCH__)
    if (lane() == 0) first = atomicAdd(list_count, count(lanes));
#endif
    return from(first, 0) + rank(lanes);
  }
  /// All lanes are here, and see what the others wrote.
  TIDEWISE_HOST_DEVICE void sync() const {
#if defined(__CUDA_ARCH__)
    __syncwarp(all);
#endif
  }
  /// A float in shared memory, by its address there: the compiler would add the memory's base to a
  /// pointer anew each time.
  TIDEWISE_HOST_DEVICE float shared_float([[maybe_unused]] unsigned char* shared,
                                          [[maybe_unused]] std::uint32_t address) const {
    float value = 0;
#if defined(__CUDA_ARCH__)
    asm volatile("ld.shared.f32 %0, [%1];" : "=f"(value) : "r"(address));
#endif
    return value;
  }
  TIDEWISE_HOST_DEVICE void set_shared_float([[maybe_unused]] unsigned char* shared,
                                             [[maybe_unused]] std::uint32_t address,
                                             [[maybe_unused]] float value) const {
#if defined(__CUDA_ARCH__)
    asm volatile("st.shared.f32 [%0], %1;" : : "r"(address), "f"(value) : "memory");
#endif
  }

  /// Waits for the work that comes before this kernel on its stream, which may have begun before
  /// that work ended (launch_back_up). Until then only the packed rows may be read.
  TIDEWISE_HOST_DEVICE void await_inputs() const {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    cudaGridDependencySynchronize();
#endif
  }

 private:
  static constexpr std::uint32_t all = 0xffffffffu;
  std::int32_t lane_ = 0;
};

}  // namespace tidewise

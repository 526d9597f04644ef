#pragma once

// For .cu files.

#include <cstdint>

#include "base/host_device.h"

namespace tidewise {

/// HostLanes by the 32 lanes of a warp, all of which must come to each call together; each gets the
/// result. Marked for both sides so that host-and-device templates may take it; the host never runs
/// it.
class DeviceLanes {
 public:
  TIDEWISE_HOST_DEVICE DeviceLanes() {
#if defined(__CUDA_ARCH__)
    lane_ = static_cast<std::int32_t>(threadIdx.x % 32);
#endif
  }
  TIDEWISE_HOST_DEVICE std::int32_t lane() const { return lane_; }

  /// What a lane writes for n it alone may read back: terms of n go to the same lane.
  template <class Body>
  TIDEWISE_HOST_DEVICE void for_each(std::int32_t count, const Body& body) const {
    for (std::int32_t n = lane_; n < count; n += 32) body(n);
  }
  template <class Term>
  TIDEWISE_HOST_DEVICE double sum(std::int32_t count, const Term& term) const {
    double part = 0;
    for (std::int32_t n = lane_; n < count; n += 32) part += term(n);
    for (int apart = 16; apart > 0; apart /= 2) part += from_lane(part, apart);
    return part;
  }
  template <class Term>
  TIDEWISE_HOST_DEVICE double greatest(std::int32_t count, const Term& term) const {
    double most = 0;
    for (std::int32_t n = lane_; n < count; n += 32) {
      const double value = term(n);
      if (value > most) most = value;
    }
    for (int apart = 16; apart > 0; apart /= 2) {
      const double other = from_lane(most, apart);
      if (other > most) most = other;
    }
    return most;
  }

 private:
  /// What the lane `apart` away says.
  TIDEWISE_HOST_DEVICE double from_lane(double value, [[maybe_unused]] int apart) const {
#if defined(__CUDA_ARCH__)
    return __shfl_xor_sync(0xffffffffu, value, apart);
#else
    return value;
#endif
  }

  std::int32_t lane_ = 0;
};

}  // namespace tidewise

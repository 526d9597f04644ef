#pragma once

#include <cstdint>

#include "base/host_device.h"
#include "mdp/learning/agent.h"

namespace tidewise::mdp {

/// For .cu files: the lanes of a warp that share an agent, 1, 2, 4 … or 32 of them side by side.
/// What mdp/learning/agent.h asks of Lanes; the groups of a warp may part ways. Marked for both
/// sides so that host-and-device templates may take it; the host never runs it.
class AgentLanes {
 public:
  /// `width`: a power of two, at most 32, that divides the block.
  TIDEWISE_HOST_DEVICE explicit AgentLanes(std::int32_t width) : width_(width) {
#if defined(__CUDA_ARCH__)
    const auto in_warp = static_cast<std::int32_t>(threadIdx.x % 32);
    lane_ = in_warp % width;
    first_ = in_warp - lane_;
    group_ = (width == 32 ? 0xffffffffu : (1u << width) - 1) << first_;
#endif
  }
  TIDEWISE_HOST_DEVICE std::int32_t lane() const { return lane_; }
  TIDEWISE_HOST_DEVICE std::int32_t width() const { return width_; }
  TIDEWISE_HOST_DEVICE std::uint32_t ballot([[maybe_unused]] bool yes) const {
#if defined(__CUDA_ARCH__)
    return (__ballot_sync(group_, yes) & group_) >> first_;
#else
    return 0;
#endif
  }
  TIDEWISE_HOST_DEVICE std::int32_t count([[maybe_unused]] std::uint32_t bits) const {
#if defined(__CUDA_ARCH__)
    return __popc(bits);
#else
    return 0;
#endif
  }
  template <class Real>
  TIDEWISE_HOST_DEVICE BestAction<Real> best(BestAction<Real> own) const {
#if defined(__CUDA_ARCH__)
    for (std::int32_t apart = width_ / 2; apart > 0; apart /= 2) {
      const BestAction<Real> other{__shfl_xor_sync(group_, own.value, apart),
                                   __shfl_xor_sync(group_, own.action, apart)};
      own = better_of(own, other);
    }
#endif
    return own;
  }

 private:
  std::int32_t width_;
  std::int32_t lane_ = 0;
  std::int32_t first_ = 0;   // of the group, in the warp
  std::uint32_t group_ = 1;  // a bit for each of its lanes
};

/// As many lanes as there are actions, up to a warp: the next power of two.
inline std::int32_t lanes_for(std::int32_t actions) {
  std::int32_t width = 1;
  while (width < actions && width < 32) width *= 2;
  return width;
}

}  // namespace tidewise::mdp

#pragma once

#include <algorithm>
#include <cstdint>

#include "base/host_device.h"
#include "mdp/backup/bellman.h"
#include "mdp/fused/lane_loads.h"
#include "mdp/fused/slices.h"

namespace tidewise::mdp {

/// Rows as they are.
template <class Real>
struct RowsLane {
  ProcessView<Real> process;

  TIDEWISE_HOST_DEVICE std::int64_t warp_works() const {
    return (std::int64_t{process.state_count} + slice_states - 1) / slice_states;
  }
  template <class Await, class Keep>
  TIDEWISE_HOST_DEVICE void sweep_share(const Real* value, const WarpShare& share,
                                        std::int32_t lane, const Await& await,
                                        const Keep& keep) const {
    await();
    for (std::int64_t slice = share.first; slice < share.end; ++slice) {
      const std::int64_t state = slice * slice_states + lane;
      if (state >= process.state_count) return;
      const auto own = static_cast<std::int32_t>(state);
      if (!keep(own, value[own], best_action(process, value, own))) return;
    }
  }
};

}  // namespace tidewise::mdp

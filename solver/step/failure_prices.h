#pragma once

#include "base/host_device.h"

namespace tidewise {

/// What failing is worth (docs/model.md, 3.2). Trivially copyable.
struct FailurePrices {
  float obstacle = -1000.0F;
  float outside = -1000.0F;
  float late = -1000.0F;  ///< at the target; what is still to go comes on top
  /// What each unit of length that a late vehicle has still to go costs, 0 or more [1/m or 1].
  double late_per_length = 0;

  /// For a vehicle whose time is up so far from the target [m or 1].
  TIDEWISE_HOST_DEVICE float late_at(double distance) const {
    return static_cast<float>(static_cast<double>(late) - late_per_length * distance);
  }
};

}  // namespace tidewise

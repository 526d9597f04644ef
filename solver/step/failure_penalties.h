#pragma once

#include "base/host_device.h"

namespace tidewise {

/// Failure penalties of docs/model.md, 3.2. Trivially copyable.
struct FailurePenalties {
  float obstacle = -1000.0F;
  float outside = -1000.0F;
  float late = -1000.0F;  ///< penalty at the target; late_per_length adds to it elsewhere
  /// Penalty for each unit of length between a late vehicle and the target, 0 or more [1/m or 1].
  double late_per_length = 0;

  /// Value of a vehicle whose time is up at this distance from the target [m or 1].
  TIDEWISE_HOST_DEVICE float late_at(double distance) const {
    return static_cast<float>(static_cast<double>(late) - late_per_length * distance);
  }
};

}  // namespace tidewise

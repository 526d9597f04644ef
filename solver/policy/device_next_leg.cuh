#pragma once

#include "base/kernel/for_each.cuh"
#include "base/memory/device_transfer.h"
#include "solver/policy/next_leg.h"

namespace tidewise {

/// NextLeg::take_over() of a cell of the place. Trivially copyable.
struct TakeOver {
  View<const std::int32_t> cell;
  const std::int16_t* next_action;  ///< of the level, (cell of the place)
  const float* next_value;
  std::size_t stride;
  std::int16_t* action;  ///< (y, x), written
  float* value;          ///< (y, x), written

  TIDEWISE_HOST_DEVICE void operator()(std::size_t n) const {
    const std::size_t at = static_cast<std::size_t>(cell[n]) * stride;
    action[at] = next_action[n];
    value[at] = next_value[n];
  }
};

/// For .cu files: what the next leg does and is worth where it begins, on the device.
class DeviceNextLeg {
 public:
  /// `next` must outlive it.
  explicit DeviceNextLeg(const NextLeg& next)
      : next_(next),
        cell_(upload(next.cells())),
        action_(upload(next.action())),
        value_(upload(next.value())) {}

  /// action, value: of level k, every `stride` elements a cell.
  void take_over(TimeLevel k, std::int16_t* action, float* value, std::size_t stride,
                 const DeviceStream& stream) const {
    const std::size_t begin = next_.begin(k);
    for_each_on_device(cell_.size(),
                       TakeOver{cell_.view(), action_.data() + begin, value_.data() + begin, stride,
                                action, value},
                       stream);
  }

 private:
  const NextLeg& next_;
  DeviceArray<std::int32_t> cell_;
  DeviceArray<std::int16_t> action_;  // (level, cell)
  DeviceArray<float> value_;          // (level, cell)
};

}  // namespace tidewise

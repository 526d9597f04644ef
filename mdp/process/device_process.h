#pragma once

#include <utility>

#include "base/memory/array.h"
#include "base/memory/device_transfer.h"
#include "mdp/process/view.h"

namespace tidewise::mdp {

/// A process in device memory.
template <class Real>
class DeviceProcess {
 public:
  explicit DeviceProcess(const DecisionProcess<Real>& process)
      : row_begin_(upload(process.row_begin)),
        successor_(upload(process.successor)),
        probability_(upload(process.probability)),
        reward_(upload(process.reward)),
        view_(view_of(process)) {
    view_.row_begin = std::as_const(row_begin_).view();
    view_.successor = std::as_const(successor_).view();
    view_.probability = std::as_const(probability_).view();
    view_.reward = std::as_const(reward_).view();
  }
  /// Of device memory.
  const ProcessView<Real>& view() const { return view_; }

 private:
  Array<std::int64_t, MemorySpace::device> row_begin_;
  Array<std::int32_t, MemorySpace::device> successor_;
  Array<Real, MemorySpace::device> probability_;
  Array<Real, MemorySpace::device> reward_;
  ProcessView<Real> view_;
};

}  // namespace tidewise::mdp

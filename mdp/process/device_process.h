#pragma once

#include "base/memory/array.h"
#include "base/memory/device_transfer.h"
#include "mdp/process/view.h"

namespace tidewise::mdp {

/// A copy of a process in device memory.
template <class Real>
class DeviceProcess {
 public:
  explicit DeviceProcess(const DecisionProcess<Real>& process)
      : row_begin_(upload(view_of(process).row_begin)),
        successor_(upload(view_of(process).successor)),
        probability_(upload(view_of(process).probability)),
        reward_(upload(view_of(process).reward)),
        view_(view_of(process)) {
    view_.row_begin = row_begin_;
    view_.successor = successor_;
    view_.probability = probability_;
    view_.reward = reward_;
  }
  /// A view in device memory.
  const ProcessView<Real>& view() const { return view_; }

 private:
  DeviceArray<std::int64_t> row_begin_;
  DeviceArray<std::int32_t> successor_;
  DeviceArray<Real> probability_;
  DeviceArray<Real> reward_;
  ProcessView<Real> view_;
};

}  // namespace tidewise::mdp

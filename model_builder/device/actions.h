#pragma once

#include <cstdint>
#include <vector>

#include "base/memory/array.h"
#include "model_builder/cloud/table.cuh"
#include "model_builder/step/actions.h"

namespace tidewise {

/// For .cu files: a set of actions in device memory.
class DeviceActions {
 public:
  explicit DeviceActions(const std::vector<Action>& actions);

  std::int32_t count() const { return static_cast<std::int32_t>(displacement_.size()); }
  DeviceActionSet view() const { return {displacement_.view(), least_, greatest_}; }
  /// Greatest |displacement| along either axis, in 2^-20 of a cell; least() and greatest() return
  /// the range along each axis.
  std::int32_t reach() const;
  Displacement least() const { return least_; }
  Displacement greatest() const { return greatest_; }

 private:
  DeviceArray<Displacement> displacement_;
  Displacement least_;
  Displacement greatest_;
};

}  // namespace tidewise

#pragma once

#include <cstdint>
#include <vector>

#include "base/memory/array.h"
#include "model_builder/lattice/axis.h"
#include "model_builder/lattice/device.cuh"
#include "model_builder/step/actions.h"

namespace tidewise {

/// For .cu files: a set of actions in device memory, and the lattice that they make.
class DeviceActions {
 public:
  explicit DeviceActions(const std::vector<Action>& actions);

  std::int32_t count() const { return static_cast<std::int32_t>(displacement_.size()); }
  View<const Displacement> displacement() const { return displacement_; }
  const DeviceLatticeAxis& x() const { return x_.view; }
  const DeviceLatticeAxis& y() const { return y_.view; }
  /// Whether both tables serve a shuffle: 32 entries and no extra threshold.
  bool unit_shuffle() const;
  /// Whether any threshold shares an entry with another.
  bool has_extras() const { return !x_.view.extra.empty() || !y_.view.extra.empty(); }
  std::int32_t entries() const {
    return static_cast<std::int32_t>(x_.view.entry.size + y_.view.entry.size);
  }
  /// Whether the actions' own bins fit the lattice kernel; else every cell is counted directly.
  bool fit_lattice() const;
  /// Greatest |displacement|, and the range of displacements along each axis.
  std::int32_t reach() const;
  Displacement least() const { return least_; }
  Displacement greatest() const { return greatest_; }

 private:
  struct Axis {
    explicit Axis(const LatticeAxis& axis);
    DeviceArray<std::int32_t> entry;
    DeviceArray<std::int32_t> extra;
    DeviceArray<std::int32_t> first_bin;
    DeviceLatticeAxis view;
  };

  DeviceArray<Displacement> displacement_;
  Displacement least_;
  Displacement greatest_;
  Axis x_;
  Axis y_;
};

}  // namespace tidewise

#pragma once

#include <memory>

#include "base/memory/stream.h"
#include "env/environment_info.h"
#include "model_builder/cloud/cell_lists.cuh"
#include "model_builder/device/actions.h"
#include "model_builder/device/rows.cuh"

namespace tidewise {

/// For .cu files: the counting kernels with DeviceRows as sink, compiled once for all callers.
/// Entry: NarrowRowEntry or WideRowEntry.
template <class Entry>
class DeviceRowLaunch {
 public:
  /// `info` is only used in the constructor; `actions` must outlive this object.
  DeviceRowLaunch(const EnvironmentInfo& info, const PositionRule& rule,
                  const DeviceActions& actions);
  ~DeviceRowLaunch();

  /// As in DeviceCountLaunch.
  FrameLimits limits(std::int32_t frame_class) const;
  void run_lattice(const DeviceCloud& cloud, const DeviceCellLists& lists,
                   const DeviceRows<Entry>& rows, const DeviceStream& stream) const;
  void run_direct(const DeviceCloud& cloud, const DeviceCellLists& lists, const std::int32_t* list,
                  const std::int32_t* count, const DeviceRows<Entry>& rows,
                  const DeviceStream& stream) const;

 private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace tidewise

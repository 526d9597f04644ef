#include "model_builder/device/count_launch.cuh"
#include "model_builder/device/row_launch.h"

namespace tidewise {

template <class Entry>
class DeviceRowLaunch<Entry>::Implementation : public DeviceCountLaunch<DeviceRows<Entry>> {
 public:
  using DeviceCountLaunch<DeviceRows<Entry>>::DeviceCountLaunch;
};

template <class Entry>
DeviceRowLaunch<Entry>::DeviceRowLaunch(const EnvironmentInfo& info, const PositionRule& rule,
                                        const DeviceActions& actions) {
  constexpr std::int32_t kinds = 1;  // rows need no table of outcomes
  implementation_ = std::make_unique<Implementation>(info, rule, actions, kinds);
}
template <class Entry>
DeviceRowLaunch<Entry>::~DeviceRowLaunch() = default;

template <class Entry>
FrameLimits DeviceRowLaunch<Entry>::limits(std::int32_t frame_class) const {
  return implementation_->limits(frame_class);
}
template <class Entry>
void DeviceRowLaunch<Entry>::run_lattice(const DeviceCloud& cloud, const DeviceCellLists& lists,
                                         const DeviceRows<Entry>& rows,
                                         const DeviceStream& stream) const {
  implementation_->run_lattice(cloud, lists, rows, stream);
}
template <class Entry>
void DeviceRowLaunch<Entry>::run_direct(const DeviceCloud& cloud, const DeviceCellLists& lists,
                                        const std::int32_t* list, const std::int32_t* count,
                                        const DeviceRows<Entry>& rows,
                                        const DeviceStream& stream) const {
  implementation_->run_direct(cloud, lists, list, count, rows, stream);
}

template class DeviceRowLaunch<NarrowRowEntry>;
template class DeviceRowLaunch<WideRowEntry>;

}  // namespace tidewise

#include "solver/subdomains/device_halos.h"

#include "base/memory/memory.h"
#include "solver/subdomains/halo_exchange.h"
#include "solver/subdomains/nccl_halo_group.h"

namespace tidewise {

MessageDeviceHalo::MessageDeviceHalo(Communicator& communicator, const RowWindow& window,
                                     std::int32_t nx)
    : communicator_(communicator),
      sides_(halo_sides(window, communicator.rank(), nx)),
      rows_(communicator.reaches_devices() || sides_.empty()
                ? 0
                : static_cast<std::size_t>(window.known_size()) * static_cast<std::size_t>(nx)) {}

void MessageDeviceHalo::exchange(View<float> value, const DeviceStream& stream) {
  if (sides_.empty()) return;
  if (communicator_.reaches_devices()) {
    stream.synchronize();
    exchange_halos(communicator_, sides_, value);
    return;
  }
  for (const HaloSide& side : sides_) {
    copy_bytes(MemorySpace::pinned, rows_.data() + side.send_begin, MemorySpace::device,
               value.data + side.send_begin, side.count * sizeof(float), stream);
  }
  stream.synchronize();  // and what was taken the last time has gone to the device
  exchange_halos(communicator_, sides_, rows_.view());
  for (const HaloSide& side : sides_) {
    copy_bytes(MemorySpace::device, value.data + side.receive_begin, MemorySpace::pinned,
               rows_.data() + side.receive_begin, side.count * sizeof(float), stream);
  }
}

std::vector<std::shared_ptr<DeviceHaloExchange>> make_device_halos(
    HaloTransport transport, const ThreadCommunicators& ranks,
    const std::vector<RowWindow>& windows, std::int32_t nx, const std::vector<int>& devices) {
  if (transport == HaloTransport::nccl && windows.size() > 1) {
    return make_nccl_halo_group(windows, nx, devices);
  }
  std::vector<std::shared_ptr<DeviceHaloExchange>> halos;
  for (std::size_t rank = 0; rank < windows.size(); ++rank) {
    halos.push_back(std::make_shared<MessageDeviceHalo>(*ranks[rank], windows[rank], nx));
  }
  return halos;
}

}  // namespace tidewise

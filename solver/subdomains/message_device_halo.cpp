#include "solver/subdomains/message_device_halo.h"

#include "solver/subdomains/tags.h"

namespace tidewise {
namespace {

Trade trade_with(int rank, const float* given, float* taken, std::size_t count) {
  return {rank, reinterpret_cast<const std::byte*>(given), reinterpret_cast<std::byte*>(taken),
          count * sizeof(float)};
}

}  // namespace

MessageDeviceHalo::MessageDeviceHalo(Communicator& communicator,
                                     const std::vector<RowWindow>& windows, std::int32_t nx)
    : communicator_(communicator) {
  const int rank = communicator.rank();
  const HaloSides sides = halo_sides(windows[static_cast<std::size_t>(rank)], nx);
  const auto add = [&](int neighbour, const HaloSide& side) {
    if (side.count == 0) return;
    const std::size_t room = communicator.reaches_devices() ? 0 : side.count;
    neighbours_.push_back({neighbour, side, PinnedArray<float>(room), PinnedArray<float>(room)});
  };
  add(rank - 1, sides.south);
  add(rank + 1, sides.north);
}

void MessageDeviceHalo::exchange(View<float> value, const DeviceStream& stream) {
  if (!communicator_.reaches_devices()) {
    exchange_by_host(value, stream);
    return;
  }
  std::vector<Trade> trades;
  for (const auto& [rank, side, given, taken] : neighbours_) {
    trades.push_back(trade_with(rank, value.data + side.send_begin, value.data + side.receive_begin,
                                side.count));
  }
  stream.synchronize();
  communicator_.trade(trades, halo_tag);
}

void MessageDeviceHalo::exchange_by_host(View<float> value, const DeviceStream& stream) {
  std::vector<Trade> trades;
  for (auto& [rank, side, given, taken] : neighbours_) {
    copy_bytes(MemorySpace::pinned, given.data(), MemorySpace::device, value.data + side.send_begin,
               side.count * sizeof(float), stream);
    trades.push_back(trade_with(rank, given.data(), taken.data(), side.count));
  }
  stream.synchronize();  // and what was taken the last time has gone to the device
  communicator_.trade(trades, halo_tag);
  for (auto& [rank, side, given, taken] : neighbours_) {
    copy_bytes(MemorySpace::device, value.data + side.receive_begin, MemorySpace::pinned,
               taken.data(), side.count * sizeof(float), stream);
  }
}

}  // namespace tidewise

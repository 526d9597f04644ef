#include "solver/message_device_halo.h"

#include <cstring>

#include "base/error.h"
#include "solver/band_tags.h"

namespace tidewise {
MessageDeviceHalo::MessageDeviceHalo(Communicator& communicator,
                                     const std::vector<RowWindow>& windows, std::int32_t nx)
    : communicator_(communicator) {
  const int rank = communicator.rank();
  const HaloSides sides = halo_sides(windows[static_cast<std::size_t>(rank)], nx);
  const auto add = [&](int neighbour, const HaloSide& side) {
    if (side.count == 0) return;
    neighbours_.push_back({neighbour, side, Array<float, MemorySpace::pinned>(side.count),
                           Array<float, MemorySpace::pinned>(side.count)});
  };
  add(rank - 1, sides.south);
  add(rank + 1, sides.north);
}

void MessageDeviceHalo::exchange(View<float> value, const DeviceStream& stream) {
  for (Neighbour& neighbour : neighbours_) {
    copy_bytes(MemorySpace::pinned, neighbour.sent.data(), MemorySpace::device,
               value.data + neighbour.side.send_begin, neighbour.side.count * sizeof(float),
               stream);
  }
  stream.synchronize();
  for (Neighbour& neighbour : neighbours_) {
    communicator_.send(neighbour.rank, halo_tag,
                       {reinterpret_cast<const std::byte*>(neighbour.sent.data()),
                        neighbour.side.count * sizeof(float)});
  }
  for (Neighbour& neighbour : neighbours_) {
    const Message message = communicator_.receive(neighbour.rank, halo_tag);
    const std::size_t bytes = neighbour.side.count * sizeof(float);
    if (message.bytes.size() != bytes) {
      throw RunError("a neighbouring band has sent another number of values than are needed");
    }
    std::memcpy(neighbour.received.data(), message.bytes.data(), bytes);
    copy_bytes(MemorySpace::device, value.data + neighbour.side.receive_begin, MemorySpace::pinned,
               neighbour.received.data(), bytes, stream);
  }
}

}  // namespace tidewise

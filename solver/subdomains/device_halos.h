#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/memory/array.h"
#include "base/memory/stream.h"
#include "base/parallel/communicator.h"
#include "solver/induction/device_halo_exchange.h"
#include "solver/subdomains/halo_exchange.h"

namespace tidewise {

/// How bands of one process exchange values.
enum class HaloTransport {
  nccl,     ///< each band on a device of its own
  messages  ///< wherever they are (MessageDeviceHalo)
};

/// Between the ranks of a communicator, wherever they are: straight from device to device where
/// the communicator reaches them, else by way of the host's memory. A rank that fails says so by
/// agree() (solver/subdomains/agreement.h), so that none waits here for it.
class MessageDeviceHalo final : public DeviceHaloExchange {
 public:
  /// On the current device. `communicator` must outlive this object.
  MessageDeviceHalo(Communicator& communicator, const RowWindow& window, std::int32_t nx);

  /// Waits for what is on `stream`, and for the neighbours.
  void exchange(View<float> value, const DeviceStream& stream) override;

 private:
  Communicator& communicator_;
  std::vector<HaloSide> sides_;
  Array<float, MemorySpace::pinned>
      rows_;  ///< as many as the window's; none where devices are reached
};

/// Of threads of one process, (rank), that are to solve `windows` on `devices`. Made before the
/// threads, and goes after them. Errors: those of make_nccl_halo_group().
std::vector<std::shared_ptr<DeviceHaloExchange>> make_device_halos(
    HaloTransport transport, const ThreadCommunicators& ranks,
    const std::vector<RowWindow>& windows, std::int32_t nx, const std::vector<int>& devices);

}  // namespace tidewise

#pragma once

#include <vector>

#include "base/memory/array.h"
#include "base/parallel/communicator.h"
#include "solver/induction/device_halo_exchange.h"

namespace tidewise {

/// Between the ranks of a communicator, wherever they are: straight from device to device where
/// the communicator reaches them, else by way of the host's memory. A rank that fails says so by
/// agree() (solver/subdomains/agreement.h), so that none waits here for it.
class MessageDeviceHalo final : public DeviceHaloExchange {
 public:
  /// On the current device. `communicator` must outlive this object. windows: (rank).
  MessageDeviceHalo(Communicator& communicator, const std::vector<RowWindow>& windows,
                    std::int32_t nx);

  /// Waits for what is on `stream`, and for the neighbours.
  void exchange(View<float> value, const DeviceStream& stream) override;
  void meet() override {}
  void refuse_if_ended() override {}
  void give_up() noexcept override {}
  void leave() noexcept override {}

 private:
  struct Neighbour {
    int rank;
    HaloSide side;
    // Unused where devices are reached.
    PinnedArray<float> given;
    PinnedArray<float> taken;
  };
  void exchange_by_host(View<float> value, const DeviceStream& stream);

  Communicator& communicator_;
  std::vector<Neighbour> neighbours_;
};

}  // namespace tidewise

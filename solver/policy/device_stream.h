#pragma once

#include <array>
#include <cstdint>

#include "base/memory/array.h"
#include "base/memory/stream.h"
#include "solver/policy/policy.h"

namespace tidewise {

/// Takes a policy to the device, one level a turn, and keeps the host a few turns ahead of the
/// device and no more.
class DevicePolicyStream {
 public:
  /// Turns that may be under way at once.
  static constexpr std::size_t ahead = 4;

  /// `policy` must outlive this object.
  DevicePolicyStream(const PolicySource& policy, std::size_t action_count, std::size_t cell_count);

  /// Begins the next turn: waits until the device is done with the one `ahead` turns before.
  void begin();
  /// Level k's policy in device memory, (y, x), for this turn's work on `stream`.
  /// Errors: those of reading; InputError for an action that does not exist.
  View<const std::int16_t> read_policy(TimeLevel k, const DeviceStream& stream);
  /// Ends the turn: all its work is on `stream`.
  void end(const DeviceStream& stream);

  /// Turns begun, the one at hand included.
  std::size_t begun() const { return begun_; }
  /// Turns, from the first on, that the device is known to be done with.
  std::size_t done() const { return begun_ > ahead ? begun_ - ahead : 0; }

 private:
  struct Slot {
    PinnedArray<std::int16_t> here;
    DeviceArray<std::int16_t> there;
    DeviceEvent done;
  };
  Slot& slot() { return slots_[(begun_ - 1) % ahead]; }

  const PolicySource& policy_;
  std::size_t action_count_;
  std::array<Slot, ahead> slots_;
  std::size_t begun_ = 0;
};

}  // namespace tidewise

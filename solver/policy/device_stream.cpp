#include "solver/policy/device_stream.h"

#include "solver/policy/policy.h"

namespace tidewise {

DevicePolicyStream::DevicePolicyStream(const PolicySource& policy, std::size_t action_count,
                                       std::size_t cell_count)
    : policy_(policy), action_count_(action_count) {
  for (Slot& slot : slots_) {
    slot.here = PinnedArray<std::int16_t>(cell_count);
    slot.there = DeviceArray<std::int16_t>(cell_count);
  }
}

void DevicePolicyStream::begin() {
  ++begun_;
  slot().done.synchronize();
}

View<const std::int16_t> DevicePolicyStream::read_policy(TimeLevel k, const DeviceStream& stream) {
  tidewise::read_policy(policy_, k, action_count_, slot().here);
  copy(slot().there, slot().here, stream);
  return slot().there;
}

void DevicePolicyStream::end(const DeviceStream& stream) { slot().done.record(stream); }

}  // namespace tidewise

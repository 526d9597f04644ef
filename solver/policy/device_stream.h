#pragma once

#include <array>
#include <cstdint>
#include <exception>
#include <utility>
#include <vector>

#include "base/memory/array.h"
#include "base/memory/stream.h"
#include "solver/policy/policy.h"

namespace tidewise {

/// Copies the policies of several missions to the device, one level per turn. The host runs at most
/// a few turns ahead of the device. A policy that several missions follow is read once.
class DevicePolicyStream {
 public:
  /// Number of turns that may be in flight at once.
  static constexpr std::size_t ahead = 4;

  /// policies: (member); they must outlive this object. `threads`: number of threads that read
  /// different policies at once, ≥ 1.
  DevicePolicyStream(const std::vector<const PolicySource*>& policies, std::size_t action_count,
                     std::size_t cell_count, std::int32_t threads);
  /// Device memory for each cell of a member [B].
  static constexpr std::size_t bytes_per_cell = ahead * sizeof(std::int16_t);

  /// Begins the next turn. Waits until the device has finished the turn `ahead` turns before it.
  void begin();
  /// Reads level k of the policies of `members`, for this turn's work on `stream`. Errors of
  /// reading a policy, and InputError for an action that does not exist, are stored for failure().
  void read_policies(TimeLevel k, const std::vector<std::size_t>& members,
                     const DeviceStream& stream);
  /// Policy of a member, read in this turn: (y, x), in device memory.
  View<const std::int16_t> policy(std::size_t member) const;
  /// policy() in host memory.
  View<const std::int16_t> host_policy(std::size_t member) const;
  /// Error of reading a member's policy; null if there was none.
  std::exception_ptr failure(std::size_t member) const { return failure_[policy_of_[member]]; }
  /// Ends the turn. All its work must have been put on `stream`.
  void end(const DeviceStream& stream);

  /// Number of turns that the device has certainly finished.
  std::size_t done() const { return begun_ > ahead ? begun_ - ahead : 0; }
  /// Index of this turn's slot, 0 … ahead − 1.
  std::size_t place() const { return (begun_ - 1) % ahead; }

 private:
  struct Slot {
    PinnedArray<std::int16_t> host;    // (policy of the turn, y, x)
    DeviceArray<std::int16_t> device;  // copy of `host`
    DeviceEvent done;
  };

  std::vector<const PolicySource*> policies_;  // each policy once
  std::vector<std::size_t> policy_of_;         // (member): index into policies_
  std::size_t action_count_;
  std::size_t cell_count_;
  std::int32_t threads_;
  std::array<Slot, ahead> slots_;
  // State of the current turn.
  std::vector<std::size_t> wanted_;          // indices into policies_
  std::vector<std::size_t> place_;           // (policy): index into wanted_
  std::vector<std::exception_ptr> failure_;  // (policy)
  std::size_t begun_ = 0;
};

/// Elements of a turn that are copied to the device.
template <class T>
class TurnArray {
 public:
  /// Allocates memory for `capacity` elements in each turn.
  explicit TurnArray(std::size_t capacity)
      : capacity_(capacity), host_(DevicePolicyStream::ahead * capacity), device_(host_.size()) {}

  /// Begins a turn. `place`: DevicePolicyStream::place().
  void begin(std::size_t place) {
    first_ = place * capacity_;
    count_ = 0;
  }
  /// Device address of the next element.
  const T* next() const { return device_.data() + first_ + count_; }
  /// Appends an element to this turn.
  void add(const T& value) { host_[first_ + count_++] = value; }
  /// Copies the turn's elements on `stream`; returns them in device memory.
  View<const T> send(const DeviceStream& stream) {
    copy_bytes(MemorySpace::device, device_.data() + first_, MemorySpace::pinned,
               host_.data() + first_, count_ * sizeof(T), stream);
    return std::as_const(device_).view().part(first_, count_);
  }
  std::size_t size() const { return count_; }

 private:
  std::size_t capacity_;
  PinnedArray<T> host_;    // (place of the turn, element)
  DeviceArray<T> device_;  // copy of host_
  std::size_t first_ = 0;
  std::size_t count_ = 0;
};

}  // namespace tidewise

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

/// Takes the policies of some missions to the device, one level a turn, and keeps the host a few
/// turns ahead of the device and no more. A policy that several missions follow is read once.
class DevicePolicyStream {
 public:
  /// Turns that may be under way at once.
  static constexpr std::size_t ahead = 4;

  /// policies: (member); they must outlive this object. `threads`: that read, each a policy of its
  /// own, ≥ 1.
  DevicePolicyStream(const std::vector<const PolicySource*>& policies, std::size_t action_count,
                     std::size_t cell_count, std::int32_t threads);
  /// Memory of the device that a member takes [B].
  static constexpr std::size_t bytes_a_cell = ahead * sizeof(std::int16_t);

  /// Begins the next turn: waits until the device is done with the one `ahead` turns before.
  void begin();
  /// Level k of the policies of some members, for this turn's work on `stream`. What reading one
  /// threw (its own errors; InputError for an action that does not exist) is for failure().
  void read_policies(TimeLevel k, const std::vector<std::size_t>& members,
                     const DeviceStream& stream);
  /// Of a member whose policy was read in this turn: (y, x), in device memory.
  View<const std::int16_t> policy(std::size_t member) const;
  /// The same in the host's memory.
  View<const std::int16_t> host_policy(std::size_t member) const;
  std::exception_ptr failure(std::size_t member) const { return failure_[policy_of_[member]]; }
  /// Ends the turn: all its work is on `stream`.
  void end(const DeviceStream& stream);

  /// Turns, from the first on, that the device is known to be done with.
  std::size_t done() const { return begun_ > ahead ? begun_ - ahead : 0; }
  /// Which of `ahead` places for what a turn needs is this turn's.
  std::size_t place() const { return (begun_ - 1) % ahead; }

 private:
  struct Slot {
    PinnedArray<std::int16_t> here;   // (policy of the turn, y, x)
    DeviceArray<std::int16_t> there;  // the same
    DeviceEvent done;
  };

  std::vector<const PolicySource*> policies_;  // each once
  std::vector<std::size_t> policy_of_;         // (member)
  std::size_t action_count_;
  std::size_t cell_count_;
  std::int32_t threads_;
  std::array<Slot, ahead> slots_;
  // Of the turn at hand.
  std::vector<std::size_t> wanted_;          // policies
  std::vector<std::size_t> place_;           // (policy): in wanted_
  std::vector<std::exception_ptr> failure_;  // (policy)
  std::size_t begun_ = 0;
};

/// Things of a turn on their way to the device.
template <class T>
class TurnArray {
 public:
  explicit TurnArray(std::size_t most)
      : most_(most), here_(DevicePolicyStream::ahead * most), there_(here_.size()) {}

  /// `place`: of the turn, as DevicePolicyStream has them.
  void begin(std::size_t place) {
    first_ = place * most_;
    count_ = 0;
  }
  /// Where the next one will be on the device.
  const T* next() const { return there_.data() + first_ + count_; }
  void add(const T& value) { here_[first_ + count_++] = value; }
  View<const T> send(const DeviceStream& stream) {
    copy_bytes(MemorySpace::device, there_.data() + first_, MemorySpace::pinned,
               here_.data() + first_, count_ * sizeof(T), stream);
    return std::as_const(there_).view().part(first_, count_);
  }
  std::size_t size() const { return count_; }

 private:
  std::size_t most_;
  PinnedArray<T> here_;   // (place of the turn, thing)
  DeviceArray<T> there_;  // the same
  std::size_t first_ = 0;
  std::size_t count_ = 0;
};

}  // namespace tidewise

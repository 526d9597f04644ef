#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/host_device.h"
#include "base/memory/memory.h"
#include "base/parallel/team.h"
#include "mdp/backup/ordered_code.h"
#include "mdp/process/view.h"

namespace tidewise::mdp {

/// A Team of one thread (block_launch.h), for the host.
struct OneByOne {
  template <class Body>
  TIDEWISE_HOST_DEVICE void for_each(std::int32_t count, const Body& body) const {
    for (std::int32_t n = 0; n < count; ++n) body(n);
  }
};

/// Host counterpart of DeviceExecutor, with threads: the functions that block and result divided
/// iteration need.
class HostExecutor {
 public:
  static constexpr MemorySpace space = MemorySpace::host;

  /// A process in host memory: a view of the original.
  template <class Real>
  class Held {
   public:
    explicit Held(const DecisionProcess<Real>& process) : view_(view_of(process)) {}
    const ProcessView<Real>& view() const { return view_; }

   private:
    ProcessView<Real> view_;
  };

  explicit HostExecutor(std::int32_t threads) : threads_(threads) {}

  /// Runs every block of `blocks` once, each thread with its own scratch memory.
  template <class Blocks>
  void launch(const Blocks& blocks, Look /*look*/) {
    struct Part {
      ChangeSlot<double> change;
      std::vector<double> scratch;  // work memory of the thread
      void include(const Part& other) { change.include(other.change); }
    };
    const std::size_t scratch_size = blocks.scratch_bytes() / sizeof(double) + 1;
    change_ = gather_pieces<Part>(
                  blocks.task.division.block_count(), threads_,
                  [&](std::int64_t block, Part& part) {
                    part.scratch.resize(scratch_size);
                    part.change.include(
                        blocks(OneByOne{}, static_cast<std::int32_t>(block), part.scratch.data()));
                  })
                  .change;
  }

  /// Calls body(0) … body(count − 1), each of which returns a change, and gathers the changes.
  template <class Body>
  void sweep(std::size_t count, const Body& body, Look /*look*/) {
    const auto size = static_cast<std::int64_t>(count);
    change_ = gather_pieces<ChangeSlot<double>>(
        (size + piece_size - 1) / piece_size, threads_,
        [&](std::int64_t piece, ChangeSlot<double>& part_change) {
          const std::int64_t end = std::min(size, (piece + 1) * piece_size);
          for (std::int64_t n = piece * piece_size; n < end; ++n) {
            part_change.include(body(static_cast<std::size_t>(n)));
          }
        });
  }

  template <class Body>
  void for_each(std::size_t count, const Body& body) {
    for_each_shared(static_cast<std::int64_t>(count), piece_size, threads_,
                    [&](std::int64_t n) { body(static_cast<std::size_t>(n)); });
  }

  /// The changes gathered in the last launch or sweep.
  ChangeSlot<double> change() const { return change_; }

 private:
  static constexpr std::int64_t piece_size = 1024;  // elements

  std::int32_t threads_;
  ChangeSlot<double> change_;
};

}  // namespace tidewise::mdp

#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/host_device.h"
#include "base/memory/memory.h"
#include "base/parallel/first_error.h"
#include "mdp/backup/ordered_code.h"
#include "mdp/process/view.h"

namespace tidewise::mdp {

/// One thread that does all of a block's work itself: the Team of block_launch.h on the host.
struct OneByOne {
  template <class Body>
  TIDEWISE_HOST_DEVICE void for_each(std::int32_t count, const Body& body) const {
    for (std::int32_t n = 0; n < count; ++n) body(n);
  }
};

/// Does on the host, by threads, what DeviceExecutor does on a device; what block and result
/// divided iteration need of either.
class HostExecutor {
 public:
  static constexpr MemorySpace space = MemorySpace::host;

  /// A process where it is.
  template <class Real>
  class Held {
   public:
    explicit Held(const DecisionProcess<Real>& process) : view_(view_of(process)) {}
    const ProcessView<Real>& view() const { return view_; }

   private:
    ProcessView<Real> view_;
  };

  explicit HostExecutor(std::int32_t threads) : threads_(threads) {}

  /// Every block of `blocks` once, each with scratch memory of its own.
  template <class Blocks>
  void launch(const Blocks& blocks, Look /*look*/) {
    change_ = {};
    const std::int32_t count = blocks.task.division.block_count();
    FirstError error;
#pragma omp parallel num_threads(threads_)
    {
      ChangeSlot<double> own;
      std::vector<double> scratch;
      error.run([&] { scratch.resize(blocks.scratch_bytes() / sizeof(double) + 1); });
#pragma omp for schedule(static)
      for (std::int32_t block = 0; block < count; ++block) {
        error.run([&] { own.include(blocks(OneByOne{}, block, scratch.data())); });
      }
#pragma omp critical(tidewise_block_change)
      change_.include(own);
    }
    error.rethrow();
  }

  /// body(0) … body(count − 1), each of which returns a change; they are gathered.
  template <class Body>
  void sweep(std::size_t count, const Body& body, Look /*look*/) {
    change_ = {};
#pragma omp parallel num_threads(threads_)
    {
      ChangeSlot<double> own;
#pragma omp for schedule(static)
      for (std::size_t n = 0; n < count; ++n) own.include(body(n));
#pragma omp critical(tidewise_block_change)
      change_.include(own);
    }
  }

  template <class Body>
  void for_each(std::size_t count, const Body& body) {
#pragma omp parallel for schedule(static) num_threads(threads_)
    for (std::size_t n = 0; n < count; ++n) body(n);
  }

  /// Of the last launch or sweep that was looked at.
  ChangeSlot<double> change() const { return change_; }

 private:
  std::int32_t threads_;
  ChangeSlot<double> change_;
};

}  // namespace tidewise::mdp

#pragma once

#include <ucontext.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <memory>
#include <numeric>

namespace tidewise::test {

/// A lane of a warp of 32 on the host, for the warp kernels of solver/explicit/backup.h. Each lane
/// has its own stack, runs to its next collective and then switches to the next lane. A lane that
/// misses a collective aborts the test.
class HostWarp {
 public:
  static constexpr std::int32_t lanes = 32;

  /// State that the lanes share.
  struct Barrier {
    std::array<std::int64_t, lanes> exchanged{};
    std::array<ucontext_t, lanes> lane{};
    ucontext_t caller{};
    std::int32_t ended = 0;  ///< lanes that have run to their end
    std::exception_ptr failure;

    /// Waits until the other lanes arrive here.
    void meet(std::int32_t lane_index) {
      if (ended > 0) {
        std::fputs("HostWarp: a lane has ended before a collective of others\n", stderr);
        std::abort();
      }
      const std::size_t current = static_cast<std::size_t>(lane_index);
      swapcontext(&lane[current], &lane[(current + 1) % lanes]);
    }
  };

  HostWarp(Barrier& barrier, std::int32_t lane) : barrier_(&barrier), lane_(lane) {}

  std::int32_t lane() const { return lane_; }
  std::uint32_t ballot(bool yes) const {
    std::uint32_t lanes_set = 0;
    const auto exchanged = exchange(yes ? 1 : 0);
    for (std::size_t n = 0; n < lanes; ++n) {
      lanes_set |= static_cast<std::uint32_t>(exchanged[n]) << n;
    }
    return lanes_set;
  }
  bool any(bool yes) const { return ballot(yes) != 0; }
  std::int32_t count(std::uint32_t set) const { return std::popcount(set); }
  std::int32_t top(std::uint32_t set) const { return std::bit_width(set) - 1; }
  std::uint32_t greatest(std::uint32_t value) const {
    const auto exchanged = exchange(value);
    return static_cast<std::uint32_t>(*std::max_element(exchanged.begin(), exchanged.end()));
  }
  std::int32_t greatest(std::int32_t value) const {
    const auto exchanged = exchange(value);
    return static_cast<std::int32_t>(*std::max_element(exchanged.begin(), exchanged.end()));
  }
  std::int32_t least(std::int32_t value) const {
    const auto exchanged = exchange(value);
    return static_cast<std::int32_t>(*std::min_element(exchanged.begin(), exchanged.end()));
  }
  std::uint32_t united(std::uint32_t bits) const {
    std::uint32_t all = 0;
    for (const std::int64_t lane_bits : exchange(bits))
      all |= static_cast<std::uint32_t>(lane_bits);
    return all;
  }
  template <class T>
  T from(T value, std::int32_t lane) const {
    return static_cast<T>(
        exchange(static_cast<std::int64_t>(value))[static_cast<std::size_t>(lane)]);
  }
  std::int32_t exclusive_sum(std::int32_t value) const {
    const auto exchanged = exchange(value);
    return static_cast<std::int32_t>(
        std::accumulate(exchanged.begin(), exchanged.begin() + lane_, std::int64_t{0}));
  }
  /// Returns this lane's place in a list to which only this warp appends.
  std::int32_t append(bool yes, std::int32_t* list_count) const {
    const std::int32_t place = *list_count + exclusive_sum(yes ? 1 : 0);
    const std::int32_t appended = count(ballot(yes));
    if (lane_ == 0) *list_count += appended;
    sync();
    return place;
  }
  void sync() const { barrier_->meet(lane_); }
  float shared_float(unsigned char* shared, std::uint32_t place) const {
    float value = 0;
    std::memcpy(&value, shared + place, sizeof value);
    return value;
  }
  void set_shared_float(unsigned char* shared, std::uint32_t place, float value) const {
    std::memcpy(shared + place, &value, sizeof value);
  }
  void await_inputs() const {}

 private:
  std::array<std::int64_t, lanes> exchange(std::int64_t value) const {
    barrier_->exchanged[static_cast<std::size_t>(lane_)] = value;
    sync();
    const auto exchanged = barrier_->exchanged;
    sync();
    return exchanged;
  }

  Barrier* barrier_;
  std::int32_t lane_;
};

/// Runs body(warp) on every lane. An exception of a lane is rethrown after all lanes have ended.
template <class Body>
void run_warp(const Body& body) {
  constexpr std::size_t stack_bytes = std::size_t{256} << 10;
  // Allocated once, because a kernel runs for thousands of cells.
  thread_local const auto stacks =
      std::make_unique_for_overwrite<unsigned char[]>(HostWarp::lanes * stack_bytes);
  struct Run {
    const Body* body;
    HostWarp::Barrier barrier;
    static void lane(unsigned low, unsigned high, int lane) {
      const auto address = std::uintptr_t{high} << 32 | low;
      auto& run = *reinterpret_cast<Run*>(address);  // makecontext() passes only ints
      try {
        (*run.body)(HostWarp(run.barrier, lane));
      } catch (...) {
        run.barrier.failure = std::current_exception();
      }
      ++run.barrier.ended;
    }
  };
  const auto run = std::make_unique<Run>();
  run->body = &body;
  auto& barrier = run->barrier;
  const auto address = reinterpret_cast<std::uintptr_t>(run.get());
  for (std::int32_t lane = 0; lane < HostWarp::lanes; ++lane) {
    ucontext_t& context = barrier.lane[static_cast<std::size_t>(lane)];
    getcontext(&context);
    context.uc_stack.ss_sp = stacks.get() + static_cast<std::size_t>(lane) * stack_bytes;
    context.uc_stack.ss_size = stack_bytes;
    context.uc_link = lane + 1 < HostWarp::lanes ? &barrier.lane[static_cast<std::size_t>(lane) + 1]
                                                 : &barrier.caller;
    makecontext(&context, reinterpret_cast<void (*)()>(&Run::lane), 3,
                static_cast<unsigned>(address), static_cast<unsigned>(address >> 32), lane);
  }
  swapcontext(&barrier.caller, &barrier.lane[0]);
  if (barrier.failure) std::rethrow_exception(barrier.failure);
}

}  // namespace tidewise::test

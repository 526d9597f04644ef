#pragma once

#include <algorithm>
#include <array>
#include <barrier>
#include <bit>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <thread>
#include <vector>

namespace tidewise::test {

/// The 32 lanes of a warp as 32 threads that meet at every collective: runs the warp kernels of
/// solver/explicit/backup.h on the host, so that a lane which misses a collective hangs the test,
/// and one that reads too early is a race. Slow: some 0.1 ms a collective.
class HostWarp {
 public:
  static constexpr std::int32_t lanes = 32;

  /// What the lanes share.
  struct Barrier {
    std::barrier<> barrier{lanes};
    std::array<std::int64_t, lanes> said{};
  };

  HostWarp(Barrier& barrier, std::int32_t lane) : barrier_(&barrier), lane_(lane) {}

  std::int32_t lane() const { return lane_; }
  std::uint32_t ballot(bool yes) const {
    std::uint32_t lanes_set = 0;
    const auto said = exchange(yes ? 1 : 0);
    for (std::size_t n = 0; n < lanes; ++n) {
      lanes_set |= static_cast<std::uint32_t>(said[n]) << n;
    }
    return lanes_set;
  }
  bool any(bool yes) const { return ballot(yes) != 0; }
  std::int32_t count(std::uint32_t set) const { return std::popcount(set); }
  std::uint32_t greatest(std::uint32_t value) const {
    const auto said = exchange(value);
    return static_cast<std::uint32_t>(*std::max_element(said.begin(), said.end()));
  }
  std::int32_t greatest(std::int32_t value) const {
    const auto said = exchange(value);
    return static_cast<std::int32_t>(*std::max_element(said.begin(), said.end()));
  }
  std::int32_t least(std::int32_t value) const {
    const auto said = exchange(value);
    return static_cast<std::int32_t>(*std::min_element(said.begin(), said.end()));
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
    const auto said = exchange(value);
    return static_cast<std::int32_t>(
        std::accumulate(said.begin(), said.begin() + lane_, std::int64_t{0}));
  }
  /// A list that no other warp appends to.
  std::int32_t append(bool yes, std::int32_t* list_count) const {
    const std::int32_t place = *list_count + exclusive_sum(yes ? 1 : 0);
    const std::int32_t more = count(ballot(yes));
    if (lane_ == 0) *list_count += more;
    sync();
    return place;
  }
  void sync() const { barrier_->barrier.arrive_and_wait(); }
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
    barrier_->said[static_cast<std::size_t>(lane_)] = value;
    sync();
    const auto said = barrier_->said;
    sync();
    return said;
  }

  Barrier* barrier_;
  std::int32_t lane_;
};

/// Runs body(warp) on every lane.
template <class Body>
void run_warp(const Body& body) {
  HostWarp::Barrier barrier;
  std::vector<std::thread> threads;
  for (std::int32_t lane = 0; lane < HostWarp::lanes; ++lane) {
    threads.emplace_back([&barrier, &body, lane] { body(HostWarp(barrier, lane)); });
  }
  for (auto& thread : threads) thread.join();
}

}  // namespace tidewise::test

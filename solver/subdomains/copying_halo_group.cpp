#include <array>
#include <condition_variable>
#include <mutex>
#include <optional>

#include "base/memory/memory.h"
#include "solver/induction/device_halo_exchange.h"
#include "solver/subdomains/barrier.h"

namespace tidewise {
namespace {

HaloSide side_of(std::size_t send, std::size_t receive, std::int32_t rows, std::int32_t nx) {
  const auto columns = static_cast<std::size_t>(nx);
  return {send * columns, receive * columns, static_cast<std::size_t>(rows) * columns};
}

/// What a band offers its neighbours: two levels in turn, as one may still be taken when the next
/// is there. Guarded by the group's mutex.
struct Offer {
  struct Plane {
    const float* value = nullptr;
    std::optional<DeviceEvent> complete;  ///< made by the band's thread, for its device
  };
  std::array<Plane, 2> planes;
  std::size_t count = 0;  ///< offered so far
};

/// What the bands share.
struct Market {
  explicit Market(std::size_t subdomains) : barrier(subdomains), offers(subdomains) {}
  SubdomainBarrier barrier;
  std::mutex mutex;
  std::condition_variable changed;
  std::vector<Offer> offers;  ///< (band)
};

class CopyingExchange final : public DeviceHaloExchange {
 public:
  CopyingExchange(Market& market, const std::vector<HaloSides>& sides, std::size_t subdomain)
      : market_(market), sides_(sides), subdomain_(subdomain) {}

  void exchange(View<float> value, const DeviceStream& stream) override {
    offer(value, stream);
    const HaloSides& sides = sides_[subdomain_];
    if (sides.south.count > 0) {
      take(subdomain_ - 1, sides_[subdomain_ - 1].north.send_begin, value, sides.south, stream);
    }
    if (sides.north.count > 0) {
      take(subdomain_ + 1, sides_[subdomain_ + 1].south.send_begin, value, sides.north, stream);
    }
  }

  void meet() override { market_.barrier.meet(); }
  void refuse_if_ended() override {
    if (market_.barrier.ended()) throw SubdomainsEnded{};
  }
  void give_up() noexcept override {
    market_.barrier.end();
    const std::lock_guard lock(market_.mutex);
    market_.changed.notify_all();
  }
  void leave() noexcept override {
    if (!left_) market_.barrier.leave();
    left_ = true;
  }

 private:
  void offer(View<float> value, const DeviceStream& stream) {
    {
      const std::lock_guard lock(market_.mutex);
      Offer& mine = market_.offers[subdomain_];
      Offer::Plane& plane = mine.planes[turn_ % 2];
      if (!plane.complete) plane.complete.emplace();
      plane.complete->record(stream);
      plane.value = value.data;
      mine.count = ++turn_;
    }
    market_.changed.notify_all();
  }

  void take(std::size_t neighbour, std::size_t send_begin, View<float> value, const HaloSide& side,
            const DeviceStream& stream) {
    std::unique_lock lock(market_.mutex);
    const Offer& offer = market_.offers[neighbour];
    market_.changed.wait(lock, [&] { return offer.count >= turn_ || market_.barrier.ended(); });
    if (offer.count < turn_) throw SubdomainsEnded{};
    const Offer::Plane& plane = offer.planes[(turn_ - 1) % 2];
    plane.complete->hold_up(stream);
    copy_bytes(MemorySpace::device, value.data + side.receive_begin, MemorySpace::device,
               plane.value + send_begin, side.count * sizeof(float), stream);
  }

  Market& market_;
  const std::vector<HaloSides>& sides_;
  const std::size_t subdomain_;
  std::size_t turn_ = 0;
  bool left_ = false;
};

class CopyingGroup final : public DeviceHaloGroup {
 public:
  CopyingGroup(const std::vector<RowWindow>& windows, std::int32_t nx) : market_(windows.size()) {
    for (const RowWindow& window : windows) sides_.push_back(halo_sides(window, nx));
    for (std::size_t subdomain = 0; subdomain < windows.size(); ++subdomain) {
      exchanges_.push_back(std::make_unique<CopyingExchange>(market_, sides_, subdomain));
    }
  }
  DeviceHaloExchange& of_subdomain(std::size_t subdomain) override {
    return *exchanges_[subdomain];
  }
  void give_up() noexcept override { exchanges_.front()->give_up(); }

 private:
  Market market_;
  std::vector<HaloSides> sides_;  ///< (band)
  std::vector<std::unique_ptr<CopyingExchange>> exchanges_;
};

}  // namespace

HaloSides halo_sides(const RowWindow& window, std::int32_t nx) {
  const std::int32_t south = window.begin - window.known_begin;
  const std::int32_t north = window.known_end - window.end;
  const auto first = static_cast<std::size_t>(south);
  const auto end = static_cast<std::size_t>(window.end - window.known_begin);
  return {side_of(first, 0, south, nx),
          side_of(end - static_cast<std::size_t>(north), end, north, nx)};
}

std::unique_ptr<DeviceHaloGroup> make_copying_halo_group(const std::vector<RowWindow>& windows,
                                                         std::int32_t nx) {
  return std::make_unique<CopyingGroup>(windows, nx);
}

}  // namespace tidewise

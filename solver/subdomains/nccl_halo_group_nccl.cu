#include <algorithm>
#include <cstdlib>
#include <mutex>
#include <string>

#include "base/error.h"
#include "base/memory/array.h"
#include "base/memory/cuda_check.h"
#include "base/memory/device.h"
#include "base/memory/native_stream.h"
#include "solver/subdomains/barrier.h"
#include "solver/subdomains/nccl_check.h"
#include "solver/subdomains/nccl_halo_group.h"

namespace tidewise {
namespace {

/// One device's place among all. Its owner's thread and whoever gives up take turns at it.
struct Member {
  std::mutex mutex;
  ncclComm_t communicator = nullptr;  ///< null when the work has been given up

  Member() = default;
  Member(const Member&) = delete;
  Member& operator=(const Member&) = delete;
  ~Member() {
    if (communicator != nullptr) (void)ncclCommDestroy(communicator);
  }
};

/// Puts what a band and its neighbours give each other on a stream, within an ncclGroup.
void put_transfers(ncclComm_t communicator, int rank, const HaloSides& sides, float* value,
                   cudaStream_t stream) {
  const auto put = [&](const HaloSide& side, int neighbour) {
    if (side.count == 0) return;
    TIDEWISE_NCCL_CHECK(
        ncclSend(value + side.send_begin, side.count, ncclFloat, neighbour, communicator, stream));
    TIDEWISE_NCCL_CHECK(ncclRecv(value + side.receive_begin, side.count, ncclFloat, neighbour,
                                 communicator, stream));
  };
  put(sides.south, rank - 1);
  put(sides.north, rank + 1);
}

class NcclGroup;

class NcclExchange final : public DeviceHaloExchange {
 public:
  NcclExchange(NcclGroup& group, Member& member, SubdomainBarrier& barrier, int rank,
               const HaloSides& sides)
      : group_(group), member_(member), barrier_(barrier), rank_(rank), sides_(sides) {}

  void exchange(View<float> value, const DeviceStream& stream) override {
    const std::lock_guard lock(member_.mutex);
    if (member_.communicator == nullptr) throw SubdomainsEnded{};
    TIDEWISE_NCCL_CHECK(ncclGroupStart());
    put_transfers(member_.communicator, rank_, sides_, value.data, native(stream));
    TIDEWISE_NCCL_CHECK(ncclGroupEnd());
  }

  void meet() override { barrier_.meet(); }
  void refuse_if_ended() override {
    if (barrier_.ended()) throw SubdomainsEnded{};
    const std::lock_guard lock(member_.mutex);
    if (member_.communicator == nullptr) throw SubdomainsEnded{};
    ncclResult_t status = ncclSuccess;
    TIDEWISE_NCCL_CHECK(ncclCommGetAsyncError(member_.communicator, &status));
    if (status != ncclSuccess) throw_nccl_error(status, "an exchange", __FILE__, __LINE__);
  }
  void give_up() noexcept override;
  void leave() noexcept override {
    if (!left_) barrier_.leave();
    left_ = true;
  }

 private:
  NcclGroup& group_;
  Member& member_;
  SubdomainBarrier& barrier_;
  const int rank_;
  const HaloSides sides_;
  bool left_ = false;
};

/// Makes a device current until the end of a scope.
class OnDevice {
 public:
  explicit OnDevice(int device) : before_(current_device()) { use_device(device); }
  OnDevice(const OnDevice&) = delete;
  OnDevice& operator=(const OnDevice&) = delete;
  ~OnDevice() { (void)cudaSetDevice(before_); }

 private:
  int before_;
};

class NcclGroup final : public DeviceHaloGroup {
 public:
  NcclGroup(const std::vector<RowWindow>& windows, std::int32_t nx, const std::vector<int>& devices)
      : barrier_(windows.size()), members_(windows.size()) {
    // Multicast over NVLink serves reductions, which there are none of here, and setting it up
    // fails on some hosts.
    (void)::setenv("NCCL_NVLS_ENABLE", "0", 0);
    std::vector<ncclComm_t> communicators(devices.size());
    TIDEWISE_NCCL_CHECK(
        ncclCommInitAll(communicators.data(), static_cast<int>(devices.size()), devices.data()));
    for (std::size_t subdomain = 0; subdomain < devices.size(); ++subdomain) {
      members_[subdomain].communicator = communicators[subdomain];
      exchanges_.push_back(std::make_unique<NcclExchange>(*this, members_[subdomain], barrier_,
                                                          static_cast<int>(subdomain),
                                                          halo_sides(windows[subdomain], nx)));
    }
    connect(windows, nx, devices);
  }

  DeviceHaloExchange& of_subdomain(std::size_t subdomain) override {
    return *exchanges_[subdomain];
  }

  void give_up() noexcept override {
    barrier_.end();
    for (Member& member : members_) {
      const std::lock_guard lock(member.mutex);
      if (member.communicator != nullptr) (void)ncclCommAbort(member.communicator);
      member.communicator = nullptr;
    }
  }

 private:
  /// Exchanges once from this one thread, so that NCCL sets all connections up now: it waits for
  /// the other side meanwhile, which from one thread a band could be for one that has failed.
  void connect(const std::vector<RowWindow>& windows, std::int32_t nx,
               const std::vector<int>& devices) {
    struct Trial {
      DeviceArray<float> plane;
      DeviceStream stream;
    };
    std::vector<Trial> trials;
    for (std::size_t subdomain = 0; subdomain < devices.size(); ++subdomain) {
      const OnDevice on_device(devices[subdomain]);
      const auto cells =
          static_cast<std::size_t>(windows[subdomain].known_size()) * static_cast<std::size_t>(nx);
      trials.push_back({DeviceArray<float>(cells), DeviceStream()});
    }
    TIDEWISE_NCCL_CHECK(ncclGroupStart());
    for (std::size_t subdomain = 0; subdomain < devices.size(); ++subdomain) {
      const OnDevice on_device(devices[subdomain]);
      put_transfers(members_[subdomain].communicator, static_cast<int>(subdomain),
                    halo_sides(windows[subdomain], nx), trials[subdomain].plane.data(),
                    native(trials[subdomain].stream));
    }
    TIDEWISE_NCCL_CHECK(ncclGroupEnd());
    for (std::size_t subdomain = 0; subdomain < devices.size(); ++subdomain) {
      const OnDevice on_device(devices[subdomain]);
      trials[subdomain].stream.synchronize();
    }
  }

  SubdomainBarrier barrier_;
  std::vector<Member> members_;  ///< (band)
  std::vector<std::unique_ptr<NcclExchange>> exchanges_;
};

void NcclExchange::give_up() noexcept { group_.give_up(); }

}  // namespace

void throw_nccl_error(ncclResult_t status, const char* call, const char* file, int line) {
  std::string last = ncclGetLastError(nullptr);
  std::replace(last.begin(), last.end(), '\n', ' ');
  if (!last.empty()) last = ", " + last;
  throw RunError("NCCL failed (" + std::string(ncclGetErrorString(status)) + last + ", in " + call +
                 " at " + file + ":" + std::to_string(line) +
                 "); set NCCL_DEBUG=INFO to learn more, or take one GPU");
}

NcclSupport nccl_support() { return NcclSupport::compiled; }

std::unique_ptr<DeviceHaloGroup> make_nccl_halo_group(const std::vector<RowWindow>& windows,
                                                      std::int32_t nx,
                                                      const std::vector<int>& devices) {
  return std::make_unique<NcclGroup>(windows, nx, devices);
}

}  // namespace tidewise

#include <nccl.h>

#include <algorithm>
#include <cstdlib>
#include <mutex>
#include <string>
#include <utility>

#include "base/error.h"
#include "base/memory/array.h"
#include "base/memory/cuda_check.h"
#include "base/memory/device.h"
#include "base/memory/native_stream.h"
#include "base/parallel/communicator.h"
#include "solver/subdomains/halo_exchange.h"
#include "solver/subdomains/nccl_halo_group.h"

namespace tidewise {
namespace {

// Throws RunError with NCCL's message, the call, file and line.
[[noreturn]] void throw_nccl_error(ncclResult_t status, const char* call, const char* file,
                                   int line) {
  std::string last = ncclGetLastError(nullptr);
  std::replace(last.begin(), last.end(), '\n', ' ');
  if (!last.empty()) last = ", " + last;
  throw RunError("NCCL failed (" + std::string(ncclGetErrorString(status)) + last + ", in " + call +
                 " at " + file + ":" + std::to_string(line) +
                 "); set NCCL_DEBUG=INFO to learn more, or take one GPU");
}

// Checks an NCCL call.
#define TIDEWISE_NCCL_CHECK(call)                                   \
  do {                                                              \
    const ncclResult_t tidewise_status = (call);                    \
    if (tidewise_status != ncclSuccess)                             \
      throw_nccl_error(tidewise_status, #call, __FILE__, __LINE__); \
  } while (false)

// Puts the transfers between a band and its neighbours on a stream, within an ncclGroup.
void put_transfers(ncclComm_t communicator, const std::vector<HaloSide>& sides, float* value,
                   cudaStream_t stream) {
  for (const HaloSide& side : sides) {
    TIDEWISE_NCCL_CHECK(ncclSend(value + side.send_begin, side.count, ncclFloat, side.neighbour,
                                 communicator, stream));
    TIDEWISE_NCCL_CHECK(ncclRecv(value + side.receive_begin, side.count, ncclFloat, side.neighbour,
                                 communicator, stream));
  }
}

// Makes a device current until the end of a scope.
class OnDevice {
 public:
  explicit OnDevice(int device) : before_(current_device()) { use_device(device); }
  OnDevice(const OnDevice&) = delete;
  OnDevice& operator=(const OnDevice&) = delete;
  ~OnDevice() { (void)cudaSetDevice(before_); }

 private:
  int before_;
};

// The communicators of all bands.
class NcclGroup {
 public:
  // One device's member of the group. Its owner's thread and a thread that gives up lock it.
  struct Member {
    std::mutex mutex;
    ncclComm_t communicator = nullptr;  ///< null after giving up
    std::vector<HaloSide> sides;
  };

  NcclGroup(const std::vector<RowWindow>& windows, std::int32_t nx, const std::vector<int>& devices)
      : members_(windows.size()) {
    // NVLink multicast is only for reductions, which are not used here, and its setup fails on some
    // hosts.
    (void)::setenv("NCCL_NVLS_ENABLE", "0", 0);
    std::vector<ncclComm_t> communicators(devices.size());
    TIDEWISE_NCCL_CHECK(
        ncclCommInitAll(communicators.data(), static_cast<int>(devices.size()), devices.data()));
    for (std::size_t n = 0; n < devices.size(); ++n) {
      members_[n].communicator = communicators[n];
      members_[n].sides = halo_sides(windows[n], static_cast<int>(n), nx);
    }
    connect(windows, nx, devices);
  }
  NcclGroup(const NcclGroup&) = delete;
  NcclGroup& operator=(const NcclGroup&) = delete;
  ~NcclGroup() { end(ncclCommDestroy); }

  Member& member(std::size_t rank) { return members_[rank]; }

  void give_up() noexcept { end(ncclCommAbort); }

 private:
  void end(ncclResult_t (*end_one)(ncclComm_t)) noexcept {
    for (Member& member : members_) {
      const std::lock_guard lock(member.mutex);
      if (member.communicator != nullptr) (void)end_one(member.communicator);
      member.communicator = nullptr;
    }
  }

  // Exchanges once from this one thread, so that NCCL sets up all connections now. Setup waits for
  // the other side; later, a band's thread could wait for a band that has failed.
  void connect(const std::vector<RowWindow>& windows, std::int32_t nx,
               const std::vector<int>& devices) {
    struct Trial {
      DeviceArray<float> plane;
      DeviceStream stream;
    };
    std::vector<Trial> trials;
    for (std::size_t n = 0; n < devices.size(); ++n) {
      const OnDevice on_device(devices[n]);
      const auto cells =
          static_cast<std::size_t>(windows[n].known_size()) * static_cast<std::size_t>(nx);
      trials.push_back({DeviceArray<float>(cells), DeviceStream()});
    }
    TIDEWISE_NCCL_CHECK(ncclGroupStart());
    for (std::size_t n = 0; n < devices.size(); ++n) {
      const OnDevice on_device(devices[n]);
      put_transfers(members_[n].communicator, members_[n].sides, trials[n].plane.data(),
                    native(trials[n].stream));
    }
    TIDEWISE_NCCL_CHECK(ncclGroupEnd());
    for (std::size_t n = 0; n < devices.size(); ++n) {
      const OnDevice on_device(devices[n]);
      trials[n].stream.synchronize();
    }
  }

  std::vector<Member> members_;  ///< (band)
};

class NcclDeviceHalo final : public DeviceHaloExchange {
 public:
  NcclDeviceHalo(std::shared_ptr<NcclGroup> group, std::size_t rank)
      : group_(std::move(group)), member_(group_->member(rank)) {}

  void exchange(View<float> value, const DeviceStream& stream) override {
    const std::lock_guard lock(member_.mutex);
    if (member_.communicator == nullptr) throw WorkGivenUp();
    TIDEWISE_NCCL_CHECK(ncclGroupStart());
    put_transfers(member_.communicator, member_.sides, value.data, native(stream));
    TIDEWISE_NCCL_CHECK(ncclGroupEnd());
  }
  void validate() override {
    const std::lock_guard lock(member_.mutex);
    if (member_.communicator == nullptr) throw WorkGivenUp();
    ncclResult_t status = ncclSuccess;
    TIDEWISE_NCCL_CHECK(ncclCommGetAsyncError(member_.communicator, &status));
    if (status != ncclSuccess) throw_nccl_error(status, "an exchange", __FILE__, __LINE__);
  }
  void give_up() noexcept override { group_->give_up(); }

 private:
  std::shared_ptr<NcclGroup> group_;
  NcclGroup::Member& member_;
};

}  // namespace

NcclSupport nccl_support() { return NcclSupport::compiled; }

std::vector<std::shared_ptr<DeviceHaloExchange>> make_nccl_halo_group(
    const std::vector<RowWindow>& windows, std::int32_t nx, const std::vector<int>& devices) {
  const auto group = std::make_shared<NcclGroup>(windows, nx, devices);
  std::vector<std::shared_ptr<DeviceHaloExchange>> halos;
  for (std::size_t rank = 0; rank < devices.size(); ++rank) {
    halos.push_back(std::make_shared<NcclDeviceHalo>(group, rank));
  }
  return halos;
}

}  // namespace tidewise

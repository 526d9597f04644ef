#include "planner/backend/rank_share.h"

#include <fmt/format.h>
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <vector>

#include "base/memory/device.h"
#include "base/parallel/strand.h"

namespace tidewise {
namespace {

using Host = std::array<char, 64>;

/// A host and those of its cores that a rank may run on.
struct RankCores {
  Host host{};
  cpu_set_t cores{};
};

RankCores cores_of_this_rank() {
  RankCores place;
  ::gethostname(place.host.data(), place.host.size() - 1);
  ::sched_getaffinity(0, sizeof place.cores, &place.cores);
  return place;
}

/// The number of cores that a thread of this process gets if it asks for all.
std::int32_t count_cores() {
  cpu_set_t cores;
  std::memset(&cores, 0xff, sizeof cores);
  Strand strand;
  strand.put([&] {
    ::sched_setaffinity(0, sizeof cores, &cores);
    CPU_ZERO(&cores);
    ::sched_getaffinity(0, sizeof cores, &cores);
  });
  strand.finish();
  return CPU_COUNT(&cores);
}

/// Returns the hosts and cores of all ranks, by rank.
std::vector<RankCores> cores_of_all_ranks(Communicator& communicator, const RankCores& this_rank) {
  std::vector<std::byte> bytes;
  const View<const std::byte> sent{reinterpret_cast<const std::byte*>(&this_rank),
                                   sizeof this_rank};
  for (const auto& place : communicator.gather(sent, 0)) {
    bytes.insert(bytes.end(), place.begin(), place.end());
  }
  communicator.broadcast(bytes, 0);
  std::vector<RankCores> places(bytes.size() / sizeof(RankCores));
  std::memcpy(places.data(), bytes.data(), places.size() * sizeof(RankCores));
  return places;
}

}  // namespace

std::string CoreShare::warning() const {
  if (bound >= available) return "";
  return fmt::format(
      "mpirun has bound the processes of this host to {} of {} cores; start them with --bind-to "
      "none to use all",
      bound, available);
}

CoreShare share_cores(Communicator& communicator) {
  const RankCores this_rank = cores_of_this_rank();
  std::int32_t sharers = 0;
  cpu_set_t joint_cores = this_rank.cores;
  for (const RankCores& place : cores_of_all_ranks(communicator, this_rank)) {
    if (place.host != this_rank.host) continue;
    if (CPU_EQUAL(&place.cores, &this_rank.cores)) ++sharers;
    CPU_OR(&joint_cores, &joint_cores, &place.cores);
  }
  const std::int32_t cores = CPU_COUNT(&this_rank.cores);
  return {std::max(1, cores / std::max(1, sharers)), CPU_COUNT(&joint_cores), count_cores()};
}

RunRequest for_this_rank(RunRequest request, const Communicator& communicator,
                         std::int32_t threads) {
  if (!request.planner.threads) request.planner.threads = threads;
  PlanOptions& planner = request.planner;
  const int rank = communicator.local_rank();
  const auto* named = std::get_if<std::vector<std::int32_t>>(&planner.devices);
  if (named != nullptr && !named->empty()) {
    planner.device = (*named)[static_cast<std::size_t>(rank) % named->size()];
  } else if (const int count = device_count(); planner.device < count) {
    planner.device = (planner.device + rank) % count;
  }
  planner.devices = std::vector<std::int32_t>{};
  return request;
}

}  // namespace tidewise

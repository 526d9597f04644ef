#include "app/rank_share.h"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <thread>
#include <vector>

#include "base/device.h"

namespace tidewise {
namespace {

/// A host and some of its cores, to which mpirun may have bound a rank; comparable byte by byte.
struct Place {
  std::array<char, 64> host{};
  cpu_set_t cores{};
};

Place own_place() {
  Place place;
  ::gethostname(place.host.data(), place.host.size() - 1);
  ::sched_getaffinity(0, sizeof place.cores, &place.cores);
  return place;
}

}  // namespace

std::int32_t share_cores(Communicator& communicator) {
  const Place own = own_place();
  const auto* bytes = reinterpret_cast<const std::byte*>(&own);
  std::vector<std::byte> together;
  for (const auto& place : communicator.gather({bytes, sizeof own}, 0)) {
    together.insert(together.end(), place.begin(), place.end());
  }
  communicator.broadcast(together, 0);
  std::int32_t sharers = 0;
  for (std::size_t begin = 0; begin < together.size(); begin += sizeof own) {
    sharers += std::memcmp(together.data() + begin, bytes, sizeof own) == 0 ? 1 : 0;
  }
  const auto cores = static_cast<std::int32_t>(std::thread::hardware_concurrency());
  return std::max(1, cores / std::max(1, sharers));
}

MissionFile for_this_rank(MissionFile mission, const Communicator& communicator,
                          std::int32_t threads) {
  if (!mission.planner.threads) mission.planner.threads = threads;
  MissionFile::Planner& planner = mission.planner;
  const int rank = communicator.local_rank();
  const auto* named = std::get_if<std::vector<std::int32_t>>(&planner.devices);
  if (named != nullptr && !named->empty()) {
    planner.device = (*named)[static_cast<std::size_t>(rank) % named->size()];
  } else if (const int count = device_count(); planner.device < count) {
    planner.device = (planner.device + rank) % count;
  }
  planner.devices = std::vector<std::int32_t>{};
  return mission;
}

}  // namespace tidewise

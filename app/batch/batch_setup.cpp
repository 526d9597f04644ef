#include "app/batch/batch_setup.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <thread>

#include "app/batch/device_list.h"
#include "app/batch/host_memory.h"
#include "base/error.h"

namespace tidewise {
namespace fs = std::filesystem;

namespace {

/// Of what is free; the rest is for levels, flights and what else runs.
constexpr double share_for_policies = 0.5;

void require_environments(const std::vector<BatchMission>& missions) {
  std::set<fs::path> seen;
  for (const auto& mission : missions) {
    const fs::path& file = mission.file.environment.file;
    std::error_code ignored;
    if (!seen.insert(file).second || fs::exists(file, ignored)) continue;
    throw InputError(
        fmt::format("{}: environment.file is {}, and there is no such file; check the "
                    "path",
                    mission.file.place("environment.file"), file.string()));
  }
}

std::vector<WorkerPlace> choose_places(const BatchRequest& request, const MissionFile& mission) {
  if (request.devices.empty()) return {{"the GPU", {}, {}}};
  if (mission.planner.backend == BackendChoice::cpu) {
    throw InputError(
        fmt::format("--devices {}: names GPUs, and {} asks for the CPU; take one of "
                    "them out",
                    request.devices, mission.place("planner.backend")));
  }
  const auto devices = parse_device_list(request.devices);
  const auto cores = static_cast<std::int32_t>(std::max(1u, std::thread::hardware_concurrency()));
  const auto share = std::max(1, cores / static_cast<std::int32_t>(devices.size()));
  std::vector<WorkerPlace> places;
  for (const auto device : devices)
    places.push_back({fmt::format("GPU {}", device), device, share});
  return places;
}

}  // namespace

BatchSetup set_up_batch(const BatchRequest& request) {
  BatchSetup setup;
  setup.file = read_batch_file(request.file);
  if (!request.out.empty()) setup.file.directory = fs::absolute(request.out).lexically_normal();
  setup.missions = expand_batch(setup.file, request.settings);
  if (request.resumption == Resumption::refused) require_environments(setup.missions);
  setup.places = choose_places(request, setup.missions.front().file);
  for (auto place = setup.places.rbegin(); place != setup.places.rend(); ++place) {
    MissionFile mission = setup.missions.front().file;
    if (place->device) {
      mission.planner.device = *place->device;
      mission.planner.backend = BackendChoice::cuda;
    }
    setup.backend = take_backend(mission);
  }
  return setup;
}

std::size_t memory_for_policies(const BatchSetup& setup) {
  if (setup.file.memory) return static_cast<std::size_t>(*setup.file.memory);
  return static_cast<std::size_t>(share_for_policies * static_cast<double>(available_memory())) /
         setup.places.size();
}

}  // namespace tidewise

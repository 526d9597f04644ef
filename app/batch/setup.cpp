#include "app/batch/setup.h"

#include <fmt/core.h>

#include <algorithm>
#include <set>
#include <thread>

#include "app/batch/device_list.h"
#include "app/batch/file/file_pattern.h"
#include "app/error/codes.h"
#include "base/byte_size.h"
#include "base/error.h"
#include "base/memory/host_memory.h"

namespace tidewise {
namespace fs = std::filesystem;

namespace {

/// Share of the free memory; the rest is for levels, flights and other programs.
constexpr double share_for_policies = 0.5;

void require_environments(const std::vector<BatchMission>& missions) {
  std::set<fs::path> seen;
  for (const auto& mission : missions) {
    const fs::path& file = mission.request.environment;
    std::error_code ignored;
    if (!seen.insert(file).second || fs::exists(file, ignored)) continue;
    throw input_error(errors::environment_file_missing, mission.request.place("environment.file"),
                      file.string());
  }
}

std::int32_t share_of_cores(std::size_t workers) {
  const std::size_t cores = std::max(1u, std::thread::hardware_concurrency());
  return static_cast<std::int32_t>(std::max<std::size_t>(1, cores / workers));
}

std::int64_t parse_memory(const std::string& text) {
  const auto bytes = parse_byte_size(text);
  if (!bytes) {
    throw input_error(errors::memory_size_invalid, text);
  }
  return *bytes;
}

std::vector<WorkerResources> choose_resources(const BatchRequest& batch,
                                              const RunRequest& request) {
  if (!batch.devices) return {{"the GPU", {}, {}}};
  if (request.planner.backend == BackendChoice::cpu) {
    throw input_error(errors::devices_with_cpu_backend, batch.devices->place,
                      request.place("planner.backend"));
  }
  const auto devices = list_devices(*batch.devices);
  const std::int32_t share = share_of_cores(devices.size());
  std::vector<WorkerResources> workers;
  for (const auto device : devices)
    workers.push_back({fmt::format("GPU {}", device), device, share});
  return workers;
}

}  // namespace

BatchSetup set_up_batch(const BatchRequest& request) {
  BatchSetup setup;
  setup.file = read_batch_file(request.file);
  if (!request.out.empty()) setup.file.directory = fs::absolute(request.out).lexically_normal();
  require_utf8(setup.file.directory, request.out.empty() ? setup.file.name : "--out");
  setup.missions = expand_batch(setup.file, request.settings);
  // Each GPU of a batch computes its own passes; no mission is spread over several GPUs.
  for (auto& mission : setup.missions) {
    mission.request.planner.devices = std::vector<std::int32_t>{};
  }
  if (request.resumption == Resumption::refused) require_environments(setup.missions);
  setup.workers = choose_resources(request, setup.missions.front().request);
  if (!request.part.empty()) {
    setup.share = find_share(parse_part(request.part), setup.file, setup.missions);
  }
  setup.memory = request.memory.empty() ? setup.file.memory : parse_memory(request.memory);
  for (auto worker = setup.workers.rbegin(); worker != setup.workers.rend(); ++worker) {
    RunRequest first = setup.missions.front().request;
    if (worker->device) first.planner.device = *worker->device;
    if (request.devices) first.planner.backend = BackendChoice::cuda;
    setup.backend = take_backend(first);
  }
  return setup;
}

std::size_t memory_for_policies(const BatchSetup& setup) {
  if (setup.memory) return static_cast<std::size_t>(*setup.memory);
  return static_cast<std::size_t>(share_for_policies * static_cast<double>(available_memory())) /
         setup.workers.size();
}

}  // namespace tidewise

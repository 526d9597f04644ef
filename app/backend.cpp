#include "app/backend.h"

#include <fmt/format.h>
#include <sys/utsname.h>

#include <algorithm>
#include <fstream>
#include <optional>
#include <thread>

#include "app/gpu_obstacle.h"
#include "base/byte_size.h"
#include "base/device.h"
#include "base/error.h"

namespace tidewise {
namespace {

std::string processor_name() {
  std::ifstream stream("/proc/cpuinfo");
  for (std::string line; std::getline(stream, line);) {
    const auto colon = line.find(": ");
    if (line.starts_with("model name") && colon != std::string::npos) return line.substr(colon + 2);
  }
  // AArch64 kernels name no model there.
  utsname system{};
  return ::uname(&system) == 0 ? std::string(system.machine) + " processor" : "processor";
}

/// What is left to others by default, and to what CUDA takes by itself as it goes.
constexpr double share_of_free_memory = 0.9;

/// Memory of the current device that a run may take [B].
std::size_t memory_to_take(const MissionFile& mission) {
  const DeviceMemory memory = device_memory();
  const auto& asked = mission.planner.device_memory;
  if (!asked) return static_cast<std::size_t>(share_of_free_memory * double(memory.free));
  const auto wanted = static_cast<std::size_t>(*asked);
  if (wanted > memory.free) {
    throw InputError(fmt::format(
        "{}: planner.device_memory is {}, and {} of {} are free on GPU {}; give less, end what "
        "else runs there, or leave it out",
        mission.place("planner.device_memory"), describe_bytes(double(wanted)),
        describe_bytes(double(memory.free)), describe_bytes(double(memory.total)),
        mission.planner.device));
  }
  return wanted;
}

/// Starts the GPU that a mission names. Errors: InputError for a number that there is no GPU of.
std::optional<GpuObstacle> obstacle_to_taking(const MissionFile& mission) {
  const DeviceReport report = report_devices();
  if (auto obstacle = obstacle_to_gpus(report)) return obstacle;
  const int device = mission.planner.device;
  if (const auto obstacle = obstacle_to_device(device, report.count)) {
    throw InputError(fmt::format("{}: planner.device is {}, and {}; {}",
                                 mission.place("planner.device"), device, obstacle->why,
                                 obstacle->mend));
  }
  const KernelReport kernels = start_device(device);
  return obstacle_to_kernels(kernels, device, device_name(device));
}

}  // namespace

Backend take_backend(const MissionFile& mission) {
  const MissionFile::Planner& planner = mission.planner;
  const auto cores = static_cast<std::int32_t>(std::max(1u, std::thread::hardware_concurrency()));
  const std::int32_t threads = planner.threads.value_or(cores);
  if (planner.backend == BackendChoice::cpu) {
    return {BackendKind::cpu, "cpu", processor_name(), threads, ""};
  }
  const auto obstacle = obstacle_to_taking(mission);
  if (!obstacle) {
    const bool chosen = planner.backend == BackendChoice::automatic;
    return {BackendKind::cuda,
            "cuda",
            device_name(planner.device),
            threads,
            chosen ? "a GPU is here; --backend cpu leaves it alone" : "",
            memory_to_take(mission)};
  }
  if (planner.backend == BackendChoice::cuda) {
    throw InputError(fmt::format("{}: planner.backend is cuda, and {}; {}, or take auto or cpu",
                                 mission.place("planner.backend"), obstacle->why, obstacle->mend));
  }
  return {BackendKind::cpu, "cpu", processor_name(), threads, obstacle->why};
}

}  // namespace tidewise

#include "planner/backend/backend.h"

#include <fmt/format.h>

#include <optional>

#include "base/byte_size.h"
#include "base/error.h"
#include "base/memory/device.h"
#include "base/memory/gpu_obstacle.h"
#include "base/parallel/thread_count.h"
#include "base/processor_name.h"
#include "solver/subdomains/nccl_halo_group.h"

namespace tidewise {
namespace {

/// What is left to others by default, and to what CUDA takes by itself as it goes.
constexpr double share_of_free_memory = 0.9;

/// Memory of the current device, which is `number`, that a run may take [B].
std::size_t memory_to_take(const RunRequest& mission, int number) {
  const DeviceMemory memory = device_memory();
  const auto& asked = mission.planner.device_memory;
  if (!asked) return static_cast<std::size_t>(share_of_free_memory * double(memory.free));
  const auto wanted = static_cast<std::size_t>(*asked);
  if (wanted > memory.free) {
    throw InputError(fmt::format(
        "{}: planner.device_memory is {}, and {} of {} are free on GPU {}; give less, end what "
        "else runs there, or leave it out",
        mission.place("planner.device_memory"), describe_bytes(double(wanted)),
        describe_bytes(double(memory.free)), describe_bytes(double(memory.total)), number));
  }
  return wanted;
}

/// The GPUs that a mission names, of `count` that there are, and the key that names them.
struct NamedDevices {
  std::string key;
  std::vector<int> numbers;
};
NamedDevices named_devices(const RunRequest& mission, int count) {
  const RunRequest::Planner& planner = mission.planner;
  NamedDevices named{"planner.devices", {}};
  if (const auto* list = std::get_if<std::vector<std::int32_t>>(&planner.devices)) {
    if (list->empty()) return {"planner.device", {planner.device}};
    named.numbers.assign(list->begin(), list->end());
    return named;
  }
  for (int number = 0; number < count; ++number) named.numbers.push_back(number);
  return named;
}

/// Errors: InputError where GPUs cannot share a mission in this build, or by its engine.
void require_sharing(const RunRequest& mission, std::size_t devices) {
  if (devices < 2) return;
  const std::string& place = mission.place("planner.devices");
  if (nccl_support() == NcclSupport::absent) {
    throw InputError(fmt::format(
        "{}: planner.devices names {} GPUs, and this build holds no NCCL, by which they exchange "
        "values; build with it (docs/cuda.md), or name one GPU",
        place, devices));
  }
  if (mission.planner.engine == Engine::paper) {
    throw InputError(fmt::format(
        "{}: planner.devices names {} GPUs, and the engine paper takes one; take another engine, "
        "or name one GPU",
        place, devices));
  }
}

/// Starts the GPUs that a mission names, the first one last, so that it is current. Errors:
/// InputError for a number that there is no GPU of, and where they cannot share the mission.
std::optional<GpuObstacle> obstacle_to_taking(const RunRequest& mission,
                                              std::vector<Backend::Device>& devices) {
  const DeviceReport report = report_devices();
  if (auto obstacle = obstacle_to_gpus(report)) return obstacle;
  const auto [key, numbers] = named_devices(mission, report.count);
  for (const int number : numbers) {
    if (const auto obstacle = obstacle_to_device(number, report.count)) {
      throw InputError(fmt::format("{}: {} is {}, and {}; {}", mission.place(key), key, number,
                                   obstacle->why, obstacle->mend));
    }
  }
  require_sharing(mission, numbers.size());
  for (auto number = numbers.rbegin(); number != numbers.rend(); ++number) {
    const KernelReport kernels = start_device(*number);
    if (auto obstacle = obstacle_to_kernels(kernels, *number, device_name(*number))) {
      return obstacle;
    }
    devices.insert(devices.begin(), {*number, 0});
  }
  return {};
}

/// How the GPUs of a run call themselves: "2 × NVIDIA H200".
std::string names_of(const std::vector<Backend::Device>& devices) {
  const std::string first = device_name(devices.front().number);
  if (devices.size() == 1) return first;
  std::string names;
  bool alike = true;
  for (const Backend::Device& device : devices) {
    const std::string name = device_name(device.number);
    alike = alike && name == first;
    names += (names.empty() ? "" : ", ") + name;
  }
  return alike ? fmt::format("{} × {}", devices.size(), first) : names;
}

}  // namespace

Backend take_backend(const RunRequest& mission) {
  const RunRequest::Planner& planner = mission.planner;
  const std::int32_t threads =
      take_threads(planner.threads.value_or(0), mission.place("planner.threads"));
  if (planner.backend == BackendChoice::cpu) {
    return {BackendKind::cpu, "cpu", processor_name(), threads, ""};
  }
  std::vector<Backend::Device> devices;
  const auto obstacle = obstacle_to_taking(mission, devices);
  if (!obstacle) {
    const bool chosen = planner.backend == BackendChoice::automatic;
    for (auto device = devices.rbegin(); device != devices.rend(); ++device) {
      use_device(device->number);
      device->memory = memory_to_take(mission, device->number);
    }
    const std::size_t memory = devices.front().memory;
    return {BackendKind::cuda,
            "cuda",
            names_of(devices),
            threads,
            chosen ? "a GPU is here; --backend cpu leaves it alone" : "",
            memory,
            std::move(devices)};
  }
  if (planner.backend == BackendChoice::cuda) {
    throw InputError(fmt::format("{}: planner.backend is cuda, and {}; {}, or take auto or cpu",
                                 mission.place("planner.backend"), obstacle->why, obstacle->mend));
  }
  return {BackendKind::cpu, "cpu", processor_name(), threads, obstacle->why};
}

}  // namespace tidewise

#include "planner/backend/backend.h"

#include <fmt/format.h>

#include <numeric>
#include <optional>
#include <utility>

#include "base/byte_size.h"
#include "base/error.h"
#include "base/memory/device.h"
#include "base/memory/gpu_obstacle.h"
#include "base/parallel/thread_count.h"
#include "base/processor_name.h"
#include "planner/backend/unsupported.h"
#include "planner/error/codes.h"

namespace tidewise {
namespace {

/// The rest is left to other processes and to what CUDA allocates for itself.
constexpr double share_of_free_memory = 0.9;

/// Returns the memory that a run may take of the current device, which has this number [B]. Errors:
/// InputError if the request exceeds the free memory.
std::size_t memory_to_take(const BackendRequest& request, int number, const NameOfMember& name_of) {
  const DeviceMemory memory = device_memory();
  const auto& requested = request.device_memory;
  if (!requested) return static_cast<std::size_t>(share_of_free_memory * double(memory.free));
  const auto bytes = static_cast<std::size_t>(*requested);
  if (bytes > memory.free) {
    throw input_error(errors::device_memory_unavailable, name_of("device_memory"),
                      describe_bytes(double(bytes)), describe_bytes(double(memory.free)),
                      describe_bytes(double(memory.total)), number);
  }
  return bytes;
}

/// The numbers of the requested GPUs, and the member of the request that names them.
struct NamedDevices {
  std::string_view member;
  std::vector<int> numbers;
};
NamedDevices named_devices(const BackendRequest& request, int count) {
  if (const auto* list = std::get_if<std::vector<std::int32_t>>(&request.devices)) {
    if (list->empty()) return {"device", {request.device}};
    return {"devices", {list->begin(), list->end()}};
  }
  std::vector<int> all(static_cast<std::size_t>(count));
  std::iota(all.begin(), all.end(), 0);
  return {"devices", std::move(all)};
}

/// Starts the requested GPUs and adds them to `devices`, or returns the reason why they cannot be
/// used. The first one is started last and becomes the current one. Errors: InputError for the
/// number of a GPU that does not exist.
std::optional<GpuObstacle> start_requested(const BackendRequest& request,
                                           const NameOfMember& name_of,
                                           std::vector<Backend::Device>& devices) {
  const DeviceReport report = report_devices();
  if (auto obstacle = obstacle_to_gpus(report)) return obstacle;
  const auto [member, numbers] = named_devices(request, report.count);
  for (const int number : numbers) {
    if (const auto obstacle = obstacle_to_device(number, report.count)) {
      throw input_error(errors::device_unusable, name_of(member), number, obstacle->why,
                        obstacle->remedy);
    }
  }
  for (auto number = numbers.rbegin(); number != numbers.rend(); ++number) {
    const KernelReport kernels = start_device(*number);
    if (auto obstacle = obstacle_to_kernels(kernels, *number, device_name(*number))) {
      return obstacle;
    }
    devices.insert(devices.begin(), {*number, 0});
  }
  return {};
}

/// Number and name of a run's GPUs: "2 × NVIDIA H200".
std::string names_of(const std::vector<Backend::Device>& devices) {
  std::string first = device_name(devices.front().number);
  if (devices.size() == 1) return first;
  std::string names;
  bool are_equal = true;
  for (const Backend::Device& device : devices) {
    const std::string name = device_name(device.number);
    are_equal = are_equal && name == first;
    names += (names.empty() ? "" : ", ") + name;
  }
  return are_equal ? fmt::format("{} × {}", devices.size(), first) : names;
}

}  // namespace

void start_gpus(const BackendRequest& request) {
  if (request.backend == BackendChoice::cpu) return;
  const DeviceReport report = report_devices();
  if (obstacle_to_gpus(report)) return;
  for (const int number : named_devices(request, report.count).numbers) {
    if (!obstacle_to_device(number, report.count)) (void)start_device(number);
  }
}

Backend take_backend(const BackendRequest& request, std::int32_t threads,
                     const NameOfMember& name_of) {
  if (request.backend == BackendChoice::cpu) {
    return {BackendKind::cpu, "cpu", processor_name(), threads, ""};
  }
  std::vector<Backend::Device> devices;
  const auto obstacle = start_requested(request, name_of, devices);
  if (!obstacle) {
    const bool automatic = request.backend == BackendChoice::automatic;
    for (auto device = devices.rbegin(); device != devices.rend(); ++device) {
      use_device(device->number);
      device->memory = memory_to_take(request, device->number, name_of);
    }
    const std::size_t memory = devices.front().memory;
    return {BackendKind::cuda,
            "cuda",
            names_of(devices),
            threads,
            automatic ? "a GPU is present; --backend cpu does not use it" : "",
            memory,
            std::move(devices)};
  }
  if (request.backend == BackendChoice::cuda) {
    throw input_error(errors::cuda_unusable, name_of("backend"), obstacle->why, obstacle->remedy);
  }
  return {BackendKind::cpu, "cpu", processor_name(), threads, obstacle->why};
}

Backend take_backend(const RunRequest& request) {
  const std::int32_t threads =
      take_threads(request.planner.threads.value_or(0), request.place("planner.threads"));
  Backend backend = take_backend(request.planner, threads, [&](std::string_view member) {
    const std::string key = fmt::format("planner.{}", member);
    return fmt::format("{}: {}", request.place(key), key);
  });
  refuse_on_devices(request, backend.devices.size());
  return backend;
}

}  // namespace tidewise

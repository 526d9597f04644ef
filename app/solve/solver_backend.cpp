#include "app/solve/solver_backend.h"

#include <fmt/core.h>

#include <optional>

#include "base/error.h"
#include "base/memory/device.h"
#include "base/memory/gpu_obstacle.h"
#include "base/parallel/thread_count.h"
#include "base/processor_name.h"

namespace tidewise {
namespace {

/// Starts the GPU that is asked for, or says what keeps it from starting.
std::optional<GpuObstacle> obstacle_to_taking(int device) {
  const DeviceReport report = report_devices();
  if (auto obstacle = obstacle_to_gpus(report)) return obstacle;
  if (const auto obstacle = obstacle_to_device(device, report.count)) {
    throw InputError(
        fmt::format("--device is {}, and {}; {}", device, obstacle->why, obstacle->mend));
  }
  return obstacle_to_kernels(start_device(device), device, device_name(device));
}

}  // namespace

void add_solver_backend_options(Command command, SolverBackendOptions& options) {
  command
      .add_option("--backend", options.backend,
                  "Where to compute; auto takes a GPU if there is one")
      .one_of({"auto", "cpu", "cuda"})
      .type_name("auto|cpu|cuda")
      .show_default();
  command.add_option("--device", options.device, "Which GPU").show_default();
  command.add_option("--threads", options.threads, "Threads of the CPU; 0: all cores there are")
      .show_default();
}

Backend take_backend(const SolverBackendOptions& options) {
  if (options.threads < 0) {
    throw InputError(
        fmt::format("--threads is {}; it must be 1 or more, or 0 for all cores", options.threads));
  }
  if (options.device < 0) {
    throw InputError(fmt::format("--device is {}; GPUs count from 0", options.device));
  }
  const std::int32_t threads = take_threads(options.threads, "--threads");
  const bool chosen = options.backend == "auto";
  std::string reason;
  if (options.backend != "cpu") {
    const auto obstacle = obstacle_to_taking(options.device);
    if (!obstacle) {
      use_device(options.device);
      return {BackendKind::cuda,
              "cuda",
              device_name(options.device),
              threads,
              chosen ? "a GPU is here; --backend cpu leaves it alone" : "",
              device_memory().free,
              {{options.device, device_memory().free}}};
    }
    if (!chosen) {
      throw InputError(fmt::format("--backend is cuda, and {}; {}, or take auto or cpu",
                                   obstacle->why, obstacle->mend));
    }
    reason = obstacle->why;
  }
  return {BackendKind::cpu, "cpu", processor_name(), threads, reason};
}

}  // namespace tidewise

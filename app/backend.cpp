#include "app/backend.h"

#include <fmt/format.h>
#include <sys/utsname.h>

#include <algorithm>
#include <fstream>
#include <thread>

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

std::string gpu_standing() {
  if (cuda_support() == CudaSupport::absent) return "this build holds no CUDA";
  if (device_count() == 0) return "no GPU can be used here";
  return fmt::format("{} is left alone", device_name(0));
}

}  // namespace

Backend take_backend(const MissionFile& mission) {
  const MissionFile::Planner& planner = mission.planner;
  if (planner.backend == BackendChoice::cuda) {
    throw InputError(
        fmt::format("{}: planner.backend is cuda, and this version plans on the CPU alone "
                    "({}); use auto or cpu",
                    mission.place("planner.backend"), gpu_standing()));
  }
  const auto cores = static_cast<std::int32_t>(std::max(1u, std::thread::hardware_concurrency()));
  Backend backend{"cpu", processor_name(), planner.threads.value_or(cores), ""};
  if (planner.backend == BackendChoice::automatic) {
    backend.reason = fmt::format("this version plans on the CPU alone; {}", gpu_standing());
  }
  return backend;
}

}  // namespace tidewise

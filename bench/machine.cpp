#include "bench/machine.h"

#include <fmt/format.h>

#include <fstream>
#include <thread>

#include "model_builder/step/cell_kernels.h"

namespace tidewise {
namespace {

std::string processor_name() {
  std::ifstream stream("/proc/cpuinfo");
  std::string line;
  while (std::getline(stream, line)) {
    if (!line.starts_with("model name")) continue;
    const auto colon = line.find(": ");
    if (colon != std::string::npos) return line.substr(colon + 2);
  }
  return "unknown processor";
}

}  // namespace

std::string describe_machine() {
  return fmt::format("{}, {} cores, {} kernels, compiler {}", processor_name(),
                     std::thread::hardware_concurrency(), cell_kernels().name, __VERSION__);
}

}  // namespace tidewise

#include "bench/machine.h"

#include <fmt/format.h>

#include <thread>

#include "base/processor_name.h"
#include "model_builder/step/cell_kernels.h"

namespace tidewise {

std::string describe_machine() {
  return fmt::format("{}, {} cores, {} kernels, compiler {}", processor_name(),
                     std::thread::hardware_concurrency(), cell_kernels_target(), __VERSION__);
}

}  // namespace tidewise

#include "base/processor_name.h"

#include <sys/utsname.h>

#include <fstream>

namespace tidewise {

std::string processor_name() {
  std::ifstream stream("/proc/cpuinfo");
  for (std::string line; std::getline(stream, line);) {
    const auto colon = line.find(": ");
    if (line.starts_with("model name") && colon != std::string::npos) return line.substr(colon + 2);
  }
  // AArch64 kernels report no model there.
  utsname system{};
  return ::uname(&system) == 0 ? std::string(system.machine) + " processor" : "processor";
}

}  // namespace tidewise

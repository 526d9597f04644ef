#include "base/memory/host_memory.h"

#include <algorithm>
#include <fstream>
#include <limits>
#include <string>

namespace tidewise {
namespace {

constexpr std::size_t unknown = std::numeric_limits<std::size_t>::max();

/// The number in a file that holds nothing else ("max" is none).
std::size_t number_of_file(const char* path) {
  std::ifstream stream(path);
  std::size_t value = 0;
  return stream >> value ? value : unknown;
}

std::size_t available_to_the_system() {
  std::ifstream stream("/proc/meminfo");
  for (std::string line; std::getline(stream, line);) {
    constexpr std::string_view label = "MemAvailable:";
    if (line.starts_with(label)) {
      return std::stoull(line.substr(label.size())) * 1024;  // in KiB
    }
  }
  return unknown;
}

std::size_t left_to_the_group() {
  const std::size_t limit = number_of_file("/sys/fs/cgroup/memory.max");
  const std::size_t used = number_of_file("/sys/fs/cgroup/memory.current");
  if (limit == unknown || used == unknown) return limit;
  return limit - std::min(limit, used);
}

}  // namespace

std::size_t available_memory() {
  const std::size_t available = std::min(available_to_the_system(), left_to_the_group());
  constexpr std::size_t modest = std::size_t{4} << 30;  // where the system says nothing
  return available == unknown ? modest : available;
}

}  // namespace tidewise

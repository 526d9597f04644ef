#include "base/memory/host_memory.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <limits>
#include <string>

namespace tidewise {
namespace {

constexpr std::size_t unknown = std::numeric_limits<std::size_t>::max();

/// Reads the number that is the only content of a file. Returns `unknown` for other content, such
/// as "max".
std::size_t read_number(const char* path) {
  std::ifstream stream(path);
  std::size_t value = 0;
  return stream >> value ? value : unknown;
}

std::size_t system_memory() {
  std::ifstream stream("/proc/meminfo");
  for (std::string line; std::getline(stream, line);) {
    constexpr std::string_view label = "MemAvailable:";
    if (line.starts_with(label)) {
      return std::stoull(line.substr(label.size())) * 1024;  // KiB
    }
  }
  return unknown;
}

std::size_t cgroup_memory() {
  const std::size_t limit = read_number("/sys/fs/cgroup/memory.max");
  const std::size_t used = read_number("/sys/fs/cgroup/memory.current");
  if (limit == unknown || used == unknown) return limit;
  return limit - std::min(limit, used);
}

/// Calls madvise() for the whole pages within the range.
void advise(void* begin, std::size_t bytes, int advice) {
  static const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  const std::size_t skipped = (page - reinterpret_cast<std::uintptr_t>(begin) % page) % page;
  if (bytes < skipped + page) return;
  const std::size_t length = (bytes - skipped) / page * page;
  (void)::madvise(static_cast<char*>(begin) + skipped, length, advice);
}

}  // namespace

std::size_t available_memory() {
  const std::size_t available = std::min(system_memory(), cgroup_memory());
  constexpr std::size_t fallback = std::size_t{4} << 30;  // if the system reports nothing
  return available == unknown ? fallback : available;
}

void release_pages(void* begin, std::size_t bytes) { advise(begin, bytes, MADV_DONTNEED); }

void prefer_large_pages(void* begin, std::size_t bytes) { advise(begin, bytes, MADV_HUGEPAGE); }

void move_pages(void* to, void* from, std::size_t bytes) {
  constexpr std::size_t piece = std::size_t{1} << 20;
  for (std::size_t offset = 0; offset < bytes; offset += piece) {
    const std::size_t size = std::min(piece, bytes - offset);
    std::memcpy(static_cast<char*>(to) + offset, static_cast<char*>(from) + offset, size);
    release_pages(static_cast<char*>(from) + offset, size);
  }
}

}  // namespace tidewise

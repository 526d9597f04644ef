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

/// The number that is the only content of a file ("max" is not a number).
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
      return std::stoull(line.substr(label.size())) * 1024;  // KiB
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

/// Applies to the whole pages within the range.
void advise(void* begin, std::size_t bytes, int advice) {
  static const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  const std::size_t before = (page - reinterpret_cast<std::uintptr_t>(begin) % page) % page;
  if (bytes < before + page) return;
  const std::size_t whole = (bytes - before) / page * page;
  (void)::madvise(static_cast<char*>(begin) + before, whole, advice);
}

}  // namespace

std::size_t available_memory() {
  const std::size_t available = std::min(available_to_the_system(), left_to_the_group());
  constexpr std::size_t modest = std::size_t{4} << 30;  // if the system reports nothing
  return available == unknown ? modest : available;
}

void release_pages(void* begin, std::size_t bytes) { advise(begin, bytes, MADV_DONTNEED); }

void prefer_large_pages(void* begin, std::size_t bytes) { advise(begin, bytes, MADV_HUGEPAGE); }

void move_pages(void* to, void* from, std::size_t bytes) {
  constexpr std::size_t piece = std::size_t{1} << 20;
  for (std::size_t at = 0; at < bytes; at += piece) {
    const std::size_t size = std::min(piece, bytes - at);
    std::memcpy(static_cast<char*>(to) + at, static_cast<char*>(from) + at, size);
    release_pages(static_cast<char*>(from) + at, size);
  }
}

}  // namespace tidewise

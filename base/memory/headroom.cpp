#include "base/memory/headroom.h"

#include <fmt/format.h>
#include <sys/mman.h>

#include <cerrno>
#include <cstddef>
#include <cstring>

#include "base/error.h"

namespace tidewise {
namespace {

// Ten times the memory that HDF5, netCDF and PROJ need to open a file, measured.
constexpr std::size_t reserve = 32U << 20U;

}  // namespace

bool has_headroom() {
  void* const memory =
      ::mmap(nullptr, reserve, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return false;
  ::munmap(memory, reserve);
  return true;
}

void require_headroom() {
  if (has_headroom()) return;
  throw RunError(
      fmt::format("there is too little memory to start ({}: {} MiB requested); end "
                  "other programs, or raise the limit (ulimit -v)",
                  std::strerror(errno), reserve >> 20U));
}

}  // namespace tidewise

#include "app/cli/process_limits.h"

#include <sys/resource.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <system_error>

namespace tidewise {
namespace {

/// Stack that is enough for all commands [B]; tests/cli/surroundings_test.cpp runs them with it.
constexpr rlim_t min_stack = 256 * 1024;

}  // namespace

void raise_open_file_limit() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur == limit.rlim_max) return;
  limit.rlim_cur = limit.rlim_max;
  (void)::setrlimit(RLIMIT_NOFILE, &limit);  // on failure the limit is unchanged
}

bool has_enough_stack() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur >= min_stack) return true;
  constexpr std::string_view text =
      "tidewise: error: the stack is limited to less than 256 KiB, which are needed; raise the "
      "limit "
      "(ulimit -s 8192)\n";
  (void)!::write(STDERR_FILENO, text.data(), text.size());
  return false;
}

void shorten_spins(char** argv) {
  constexpr const char* spin_count = "GOMP_SPINCOUNT";
  // NOLINTBEGIN(concurrency-mt-unsafe): no other thread has started
  if (std::getenv(spin_count) != nullptr || std::getenv("OMP_WAIT_POLICY") != nullptr) return;
  std::error_code failure;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", failure);
  // If another program, such as ld.so, started this one, the link leads to that one.
  if (failure || program.filename() != "tidewise") return;
  if (::setenv(spin_count, "10000", 0) != 0) return;  // some 30 µs
  // NOLINTEND(concurrency-mt-unsafe)
  (void)::execv(program.c_str(), argv);
}

}  // namespace tidewise
